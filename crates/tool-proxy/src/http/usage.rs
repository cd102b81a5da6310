//! The time of the last message of a connection, and its end: [`Usage`].

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// The time after which an unused session ends.
pub(super) const IDLE: Duration = Duration::from_secs(300);
/// The time after which the server for requests without sessions ends, if there are none.
pub(super) const IDLE_WITHOUT_SESSION: Duration = Duration::from_secs(3_600);

/// The time of the last message, and the end of the connection.
pub(crate) struct Usage {
    last: Mutex<Instant>,
    stopping: Notify,
    has_ended: AtomicBool,
}

impl Usage {
    pub(super) fn new() -> Self {
        Self { last: Mutex::new(Instant::now()), stopping: Notify::new(), has_ended: AtomicBool::new(false) }
    }

    /// Notes a message.
    pub(super) fn touch(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Lets the connection end.
    pub(super) fn stop(&self) {
        self.stopping.notify_one();
    }

    /// Notes that the servers of the connection have ended.
    pub(super) fn end(&self) {
        self.has_ended.store(true, Relaxed);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }

    /// Waits until the connection is to end, or until there was no message for some time and the connection is not in use.
    pub(super) async fn over(&self, limit: Duration, is_used: impl Fn() -> bool + Send) {
        tokio::select! {
            () = self.stopping.notified() => {}
            () = self.idle(limit, is_used) => {}
        }
    }

    async fn idle(&self, limit: Duration, is_used: impl Fn() -> bool + Send) {
        loop {
            let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
            sleep_until(last + limit).await;
            if is_used() {
                self.touch();
            } else if *self.last.lock().unwrap_or_else(PoisonError::into_inner) == last {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_connection_is_idle_after_some_time_without_messages_and_readers() {
        let (usage, begun) = (Usage::new(), Instant::now());
        let uses = std::sync::atomic::AtomicU32::new(2);
        let is_used = || uses.fetch_update(Relaxed, Relaxed, |uses| uses.checked_sub(1)).is_ok();
        let messages = async {
            tokio::time::sleep(IDLE / 2).await;
            usage.touch();
        };
        tokio::join!(usage.idle(IDLE, is_used), messages);
        // Twice, somebody was reading when the time had passed.
        assert_eq!(begun.elapsed(), IDLE * 3);
    }
}
