//! The starts and ends of calls that wait to be recorded: [`CallRecordQueue`].
//!
//! In: the start or the end of a call, called a moment, from the future that runs the call. Out: all moments since the last time, to be
//! recorded together. Invariant: a call continues only after its moment was recorded, or after the queue has rejected it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_channel::oneshot;
use tool_runtime::Session;
use tool_runtime::session::Outcome;

use crate::private::internal::{self, CallMoment};

/// A moment of a call, with the sender that lets the call continue.
pub(crate) struct RecordedMoment {
    pub(crate) moment: Moment,
    pub(crate) go_on: oneshot::Sender<bool>,
}

pub(crate) enum Moment {
    Started {
        call_id: String,
        tool: String,
        is_repeatable: bool,
    },
    /// `index` is the index of the call in its batch. `outcome` is `None` if it could not be copied.
    Ended {
        index: usize,
        outcome: Option<Box<Outcome>>,
    },
}

#[derive(Clone, Default)]
pub(crate) struct CallRecordQueue(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    noted: Vec<RecordedMoment>,
    waker: Option<Waker>,
    /// `true` while an engine takes the moments. If nobody does, calls continue at once, because the host made them itself.
    is_attended: bool,
}

/// A guard: while it exists, calls wait until their moments are taken.
pub(crate) struct AttendedQueue(CallRecordQueue);

impl Drop for AttendedQueue {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_attended = false;
        let rejected = std::mem::take(&mut state.noted);
        drop(state);
        // Dropping the senders rejects the calls.
        drop(rejected);
    }
}

impl CallRecordQueue {
    /// Creates a queue that receives the moments of all calls of a session. Returns `None` if another queue already receives them.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let queue = Self::default();
        let own = queue.clone();
        let is_first = internal::record_calls(session, move |moment| {
            let recorded = own.note(moment);
            async move { recorded.await.unwrap_or(false) }
        });
        is_first.then_some(queue)
    }

    /// Makes calls wait from now on, until the result is dropped.
    pub(crate) fn attend(&self) -> AttendedQueue {
        self.state().is_attended = true;
        AttendedQueue(self.clone())
    }

    fn note(&self, moment: CallMoment<'_>) -> oneshot::Receiver<bool> {
        let (go_on, recorded) = oneshot::channel();
        if !self.state().is_attended {
            // The receiver still exists, so this cannot fail.
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
        state.noted.push(RecordedMoment { moment, go_on });
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        recorded
    }

    /// Takes all moments. If there are none, waits for the next one.
    pub(crate) fn poll_take(&self, cx: &Context<'_>) -> Poll<Vec<RecordedMoment>> {
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

/// Returns the outcome as it would be read from a log.
pub(crate) fn copied(outcome: &Outcome) -> Option<Outcome> {
    serde_json::from_slice(&serde_json::to_vec(outcome).ok()?).ok()
}
