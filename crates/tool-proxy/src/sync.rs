//! The locks of a connection, [`locked`], and its [`Timer`].

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Locks a value. No code under a lock can panic, but for that of the layers, whose panic ends the proxy anyway.
pub(super) fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A timer that is set again and again.
#[derive(Default)]
pub(super) struct Timer {
    /// The time at which the timer acts.
    at: Mutex<Option<Instant>>,
    /// Notified when that time is earlier than before.
    changed: Notify,
}

impl Timer {
    /// Sets the time at which the timer acts, unless it acts before.
    pub(super) fn set(&self, at: Option<Instant>) {
        let mut own = locked(&self.at);
        if at.is_some_and(|at| own.is_none_or(|before| at < before)) {
            *own = at;
            self.changed.notify_one();
        }
    }

    /// Waits until the time has come.
    pub(super) async fn wait(&self) -> Instant {
        loop {
            let at = *locked(&self.at);
            let Some(at) = at else {
                self.changed.notified().await;
                continue;
            };
            tokio::select! {
                () = self.changed.notified() => {}
                () = sleep_until(at) => {
                    *locked(&self.at) = None;
                    return at;
                }
            }
        }
    }
}
