//! The time and timers of `tokio`: [`TokioClock`], with the feature `tokio`.
//!
//! It follows `tokio::time`, so a test that pauses and advances tokio's time also moves this clock.

use std::time::Duration;

use ::tokio::time::{Instant, sleep};

use super::{Clock, Sleep};

/// The time and the timers of `tokio`.
///
/// A [`sleep`](Clock::sleep) must be created and awaited inside a tokio runtime with timers; otherwise, tokio panics.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::{Toolbox, clock::TokioClock};
///
/// // With the default clock, which has no timer, `build` would fail.
/// let toolbox = Toolbox::builder().clock(TokioClock::new()).time_limit(Duration::from_secs(30)).build()?;
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TokioClock {
    start: Instant,
}

impl TokioClock {
    /// Creates a clock that starts now.
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
        // The timer is created at the first poll, so a call that is never awaited needs no runtime.
        Box::pin(async move { sleep(duration).await })
    }
}
