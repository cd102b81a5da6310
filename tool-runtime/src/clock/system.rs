//! The time of the machine, without a timer: [`SystemClock`].

use std::time::{Duration, Instant};

use super::{Clock, Sleep};

/// The time of the machine. It needs no executor and therefore cannot wait: its [`sleep`](Clock::sleep) never completes.
///
/// ```
/// use tool_runtime::clock::{Clock, SystemClock};
///
/// let clock = SystemClock::new();
/// let earlier = clock.now();
/// assert!(clock.now() >= earlier && !clock.has_timer());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// Creates a clock that starts now.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn sleep(&self, _: Duration) -> Sleep {
        Box::pin(std::future::pending())
    }

    fn has_timer(&self) -> bool {
        false
    }
}
