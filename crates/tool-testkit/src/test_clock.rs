//! A clock on which sleeping takes no real time: [`TestClock`], for tests and demonstrations that run whole conversations offline.
//!
//! Invariant: concurrent sleeps overlap, so the time moves to the latest of their ends, and not by the sum of their durations.

use std::time::Duration;

use tool_runtime::clock::{Clock, SimulatedClock, Sleep};

/// A clock on which sleeping takes no real time: a sleep advances the time and ends at once. Clones share the same time.
///
/// A [`SimulatedClock`] only moves when the test advances it, but a test cannot do that while it awaits a whole conversation. A
/// `TestClock` moves by itself, for example for a tool that is called again after a pause, or for a model with a delay. A time limit on
/// this clock expires at once if the limited future waits for anything but a sleep on this clock.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::Clock;
/// use tool_testkit::TestClock;
///
/// let clock = TestClock::new();
/// pollster::block_on(clock.sleep(Duration::from_secs(3_600)));
/// assert_eq!(clock.now(), Duration::from_secs(3_600));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TestClock(SimulatedClock);

impl TestClock {
    /// Returns a clock at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Advances the time.
    pub fn advance(&self, step: Duration) {
        self.0.advance(step);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Duration {
        self.0.now()
    }

    fn unix_time(&self) -> Duration {
        self.0.unix_time()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        let (clock, until) = (self.0.clone(), self.0.now().saturating_add(duration));
        Box::pin(async move { clock.advance(until.saturating_sub(clock.now())) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrent_sleeps_take_as_long_as_the_longest() {
        let clock = TestClock::new();
        let naps = [3, 1, 2].map(|seconds| clock.sleep(Duration::from_secs(seconds)));
        assert!(clock.now().is_zero());
        naps.into_iter().for_each(pollster::block_on);
        assert_eq!(clock.now(), Duration::from_secs(3));
    }
}
