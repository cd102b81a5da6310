//! The time of the machine at its last tick: [`CoarseClock`].
//!
//! Linux keeps it where a program can read it, so that a reading costs a fraction of a precise one. Elsewhere the precise time is read.

use std::time::Duration;

use super::{Clock, Sleep};

/// The time of the machine at its last tick: some milliseconds behind, and cheap to read. It cannot wait, as [`SystemClock`](super::SystemClock)
/// cannot.
///
/// On Linux it ticks every 1 to 10 ms; elsewhere it is as precise, and as dear, as `SystemClock`. The throttle of a session without a clock of its
/// own reads this one, because its rules count in seconds.
///
/// ```
/// use tool_runtime::clock::{Clock, CoarseClock};
///
/// let clock = CoarseClock::new();
/// let earlier = clock.now();
/// assert!(clock.now() >= earlier && !clock.has_timer());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CoarseClock {
    start: Tick,
}

impl CoarseClock {
    /// A clock that starts now.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_runtime::clock::{Clock, CoarseClock};
    /// assert!(CoarseClock::new().now() < Duration::from_secs(60));
    /// ```
    pub fn new() -> Self {
        Self { start: Tick::now() }
    }
}

impl Default for CoarseClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for CoarseClock {
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

#[cfg(not(target_os = "linux"))]
use std::time::Instant as Tick;

/// The time since the machine was started, at its last tick.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
struct Tick(Duration);

#[cfg(target_os = "linux")]
impl Tick {
    #[inline]
    fn now() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
        // Neither is ever negative.
        Self(Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default()))
    }

    #[inline]
    fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn it_is_at_most_some_ticks_behind_the_precise_time() {
        let (clock, precise) = (CoarseClock::new(), Instant::now());
        // Ticks are 10 ms at most; a virtual machine that is not running misses some.
        let tick = Duration::from_millis(500);
        let mut ticks = std::collections::BTreeSet::new();
        while ticks.len() < 5 {
            let before = precise.elapsed();
            let coarse = clock.now();
            let after = precise.elapsed();
            assert!(before.saturating_sub(tick) <= coarse && coarse <= after + tick, "{before:?} {coarse:?} {after:?}");
            ticks.insert(coarse);
        }
        assert!(ticks.iter().is_sorted());
    }
}
