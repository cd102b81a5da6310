//! The waiting for the times at which the guard has something to do: [`Timer`].

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

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
        let mut own = self.at();
        if at.is_some_and(|at| own.is_none_or(|before| at < before)) {
            *own = at;
            self.changed.notify_one();
        }
    }

    fn at(&self) -> MutexGuard<'_, Option<Instant>> {
        // No code under the lock can panic.
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the time has come.
    pub(super) async fn wait(&self) -> Instant {
        loop {
            let at = *self.at();
            match at {
                None => self.changed.notified().await,
                Some(at) => tokio::select! {
                    () = self.changed.notified() => {}
                    () = sleep_until(at) => {
                        *self.at() = None;
                        return at;
                    }
                },
            }
        }
    }
}
