//! The time and the timers of `tokio`: [`TokioClock`], with the feature `tokio`.
//!
//! It follows `tokio::time`, so a test that pauses and advances tokio's time moves this clock too.

use std::time::Duration;

use ::tokio::time::{Instant, sleep};

use super::{Clock, Sleep};

/// The time and the timers of `tokio`.
///
/// A [`sleep`](Clock::sleep) has to be made and awaited within a runtime of tokio whose timers are enabled; tokio panics otherwise.
///
/// ```
/// use tool_runtime::clock::{Clock, TokioClock};
///
/// assert!(TokioClock::new().has_timer());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TokioClock {
    start: Instant,
}

impl TokioClock {
    /// A clock that starts now.
    ///
    /// ```
    /// assert!(!format!("{:?}", tool_runtime::clock::TokioClock::new()).is_empty());
    /// ```
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for TokioClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        // Made at the first poll, so that a call which is never awaited needs no runtime.
        Box::pin(async move { sleep(duration).await })
    }
}
