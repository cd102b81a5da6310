//! The moments of calls that wait to be recorded: [`Inbox`].
//!
//! In: the start and the end of calls, from the futures that run them. Out: all that have come since, to be recorded at once. Invariant: a call
//! goes on only after its moment was recorded, or after the inbox has refused it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_channel::oneshot;
use tool_runtime::Session;
use tool_runtime::session::Outcome;

use crate::private::siblings::{self, CallMoment};

/// A moment of a call, with the sender that lets the call go on.
pub(crate) struct Noted {
    pub(crate) moment: Moment,
    pub(crate) go_on: oneshot::Sender<bool>,
}

pub(crate) enum Moment {
    Started {
        call_id: String,
        tool: String,
        is_repeatable: bool,
    },
    /// The index is that of the call in its batch. `None` if the outcome could not be copied.
    Ended {
        index: usize,
        outcome: Option<Box<Outcome>>,
    },
}

#[derive(Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    noted: Vec<Noted>,
    waker: Option<Waker>,
    /// Set while somebody takes the moments. Otherwise, calls go on at once: they are the host's own.
    is_attended: bool,
}

/// While this exists, calls wait until their moments are taken.
pub(crate) struct Attended(Inbox);

impl Drop for Attended {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_attended = false;
        let refused = std::mem::take(&mut state.noted);
        drop(state);
        // Dropping the senders refuses the calls.
        drop(refused);
    }
}

impl Inbox {
    /// Receives the moments of all calls of a session. Returns `None` if another inbox does.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let inbox = Self::default();
        let own = inbox.clone();
        let is_first = siblings::record_calls(session, move |moment| {
            let recorded = own.note(moment);
            async move { recorded.await.unwrap_or(false) }
        });
        is_first.then_some(inbox)
    }

    /// Lets calls wait from now on, until the result is dropped.
    pub(crate) fn attend(&self) -> Attended {
        self.state().is_attended = true;
        Attended(self.clone())
    }

    fn note(&self, moment: CallMoment<'_>) -> oneshot::Receiver<bool> {
        let (go_on, recorded) = oneshot::channel();
        if !self.state().is_attended {
            // The receiver is below, so this arrives.
            let _ = go_on.send(true);
            return recorded;
        }
        let moment = match moment {
            CallMoment::Starts { call_id, tool, is_repeatable } => {
                Moment::Started { call_id: call_id.to_owned(), tool: tool.to_owned(), is_repeatable }
            }
            CallMoment::Ends { index, outcome } => Moment::Ended { index, outcome: copied(outcome).map(Box::new) },
        };
        let mut state = self.state();
        state.noted.push(Noted { moment, go_on });
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        recorded
    }

    /// Takes all moments, or waits for the next one.
    pub(crate) fn poll_take(&self, cx: &Context<'_>) -> Poll<Vec<Noted>> {
        let mut state = self.state();
        if state.noted.is_empty() {
            state.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(std::mem::take(&mut state.noted))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the outcome as it is read back from a log.
pub(crate) fn copied(outcome: &Outcome) -> Option<Outcome> {
    serde_json::from_slice(&serde_json::to_vec(outcome).ok()?).ok()
}
