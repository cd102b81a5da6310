//! The signal that ends a running call, and the future that waits for it.
//!
//! Invariants: a signal is never taken back; a dropped future leaves no waker behind.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::progress::Gate;

#[derive(Clone, Default)]
pub(crate) struct Cancellation(Arc<Signal>);

#[derive(Default)]
struct Signal {
    given: AtomicBool,
    waiting: Mutex<Waiting>,
    /// Stored here, because all clones of a context share this allocation, which most calls do not need.
    progress: Gate,
}

#[derive(Default)]
struct Waiting {
    wakers: Vec<(u64, Waker)>,
    next_ticket: u64,
}

impl Cancellation {
    pub(crate) fn is_given(&self) -> bool {
        self.0.given.load(Ordering::Acquire)
    }

    pub(crate) fn give(&self) {
        self.0.given.store(true, Ordering::Release);
        // The lock is released before the wakers are called, because a waker may run its task at once.
        let wakers = std::mem::take(&mut self.0.waiting().wakers);
        for (_, waker) in wakers {
            waker.wake();
        }
    }

    pub(super) fn progress(&self) -> &Gate {
        &self.0.progress
    }

    pub(crate) fn given(&self) -> Given<'_> {
        Given { signal: &self.0, ticket: None }
    }
}

impl Signal {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // No code under the lock can panic, and a list of wakers cannot be half written.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A future that waits for the signal.
pub(crate) struct Given<'a> {
    signal: &'a Signal,
    ticket: Option<u64>,
}

impl Future for Given<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let signal = self.signal;
        let mut waiting = signal.waiting();
        let ticket = *self.ticket.get_or_insert_with(|| {
            waiting.next_ticket += 1;
            waiting.next_ticket
        });
        match waiting.wakers.iter_mut().find(|(owner, _)| *owner == ticket) {
            Some((_, waker)) => waker.clone_from(cx.waker()),
            None => waiting.wakers.push((ticket, cx.waker().clone())),
        }
        // Checked after the waker is stored. In the other order, a signal between the two steps would be missed.
        if signal.given.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Drop for Given<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.signal.waiting().wakers.retain(|(owner, _)| *owner != ticket);
        }
    }
}
