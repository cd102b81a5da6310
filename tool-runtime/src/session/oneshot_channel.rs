//! Passes one value from a thread to the task that waits for it.
//!
//! In: a value, once, from any thread. Out: the value, or the information that none will come. Invariant: the waiting
//! task is woken in both cases.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

enum State<T> {
    Waiting(Option<Waker>),
    Sent(T),
    /// The sender was dropped without a value, or the value was taken.
    Empty,
}

type Slot<T> = Arc<Mutex<State<T>>>;

pub(super) fn oneshot<T>() -> (Sender<T>, Receiver<T>) {
    let slot = Arc::new(Mutex::new(State::Waiting(None)));
    (Sender(Arc::clone(&slot)), Receiver(slot))
}

pub(super) struct Sender<T>(Slot<T>);

impl<T> Sender<T> {
    /// Sends the value. If the receiver was dropped, the value is dropped here.
    pub(super) fn send(self, value: T) {
        put(&self.0, State::Sent(value));
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        put(&self.0, State::Empty);
    }
}

/// Sets the state of the slot if it is still waiting.
fn put<T>(slot: &Slot<T>, settled: State<T>) {
    let mut state = lock(slot);
    if let State::Waiting(waker) = &mut *state {
        let waker = waker.take();
        *state = settled;
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn lock<T>(slot: &Slot<T>) -> MutexGuard<'_, State<T>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A future of the value; `None` if the sender was dropped without sending one.
pub(super) struct Receiver<T>(Slot<T>);

impl<T> Future for Receiver<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = lock(&self.0);
        match &mut *state {
            State::Waiting(waker) => {
                *waker = Some(cx.waker().clone());
                Poll::Pending
            }
            State::Sent(_) | State::Empty => match std::mem::replace(&mut *state, State::Empty) {
                State::Sent(value) => Poll::Ready(Some(value)),
                State::Waiting(_) | State::Empty => Poll::Ready(None),
            },
        }
    }
}
