//! A clock on which nobody waits: [`SkippingClock`], for tests and demonstrations that hold whole conversations offline.
//!
//! In: how long to wait. Out: a future that is done at once, with the time moved on. What always holds: those who wait side by side wait
//! side by side, so the time moves to the latest of their moments and not by the sum.

use std::time::Duration;

use tool_runtime::clock::{Clock, SimulatedClock, Sleep};

/// A clock on which nobody waits: whoever sleeps moves the time on and goes on at once. Clones are the same clock.
///
/// A [`SimulatedClock`] stands still until somebody moves it, and a test that awaits a whole conversation cannot: here a tool that is called
/// again after a pause, or a model with a delay, needs no second hand. A time limit runs out where what it limits has to wait for
/// anything but this clock.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::Clock;
/// use tool_testkit::SkippingClock;
///
/// let clock = SkippingClock::new();
/// pollster::block_on(clock.sleep(Duration::from_secs(3_600)));
/// assert_eq!(clock.now(), Duration::from_secs(3_600));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SkippingClock(SimulatedClock);

impl SkippingClock {
    /// A clock at zero.
    ///
    /// ```
    /// use tool_runtime::clock::Clock;
    /// use tool_testkit::SkippingClock;
    ///
    /// assert!(SkippingClock::new().now().is_zero());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the time on.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::clock::Clock;
    /// use tool_testkit::SkippingClock;
    ///
    /// let clock = SkippingClock::new();
    /// clock.advance(Duration::from_secs(30));
    /// assert_eq!(clock.now().as_secs(), 30);
    /// ```
    pub fn advance(&self, step: Duration) {
        self.0.advance(step);
    }
}

impl Clock for SkippingClock {
    fn now(&self) -> Duration {
        self.0.now()
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
    fn those_who_wait_side_by_side_wait_for_the_longest_only() {
        let clock = SkippingClock::new();
        let naps = [3, 1, 2].map(|seconds| clock.sleep(Duration::from_secs(seconds)));
        assert!(clock.now().is_zero());
        naps.into_iter().for_each(pollster::block_on);
        assert_eq!(clock.now(), Duration::from_secs(3));
    }
}
