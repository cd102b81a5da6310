//! The time of the machine at its last tick: [`CoarseClock`].
//!
//! On Linux, reading this time costs a fraction of reading the precise time. On other systems, this clock reads the precise time.

use std::time::Duration;

use super::{Clock, Sleep};

/// A clock that reads the time of the machine's last tick. This time is a few milliseconds behind, but cheap to read. Like
/// [`SystemClock`](super::SystemClock), this clock cannot wait.
///
/// On Linux, the machine ticks every 1 to 10 ms. On other systems, this clock is as precise and as expensive as `SystemClock`. The throttle
/// uses this clock if the host sets none, because the rules of the throttle count in seconds.
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
    /// Creates a clock that starts now.
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

    #[cfg(target_os = "linux")]
    fn nanoseconds(&self) -> u64 {
        self.start.nanoseconds()
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

/// The time from the start of the machine to the last tick of its clock, in nanoseconds.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
struct Tick(u64);

#[cfg(target_os = "linux")]
impl Tick {
    #[inline]
    fn now() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
        // Both values are at least zero, and no machine runs for 584 years.
        Self(time.tv_sec.cast_unsigned().wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec.cast_unsigned()))
    }

    #[inline]
    fn nanoseconds(self) -> u64 {
        Self::now().0.saturating_sub(self.0)
    }

    #[inline]
    fn elapsed(self) -> Duration {
        Duration::from_nanos(self.nanoseconds())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn the_coarse_clock_is_at_most_a_few_ticks_late() {
        let (clock, precise) = (CoarseClock::new(), Instant::now());
        // A tick is at most 10 ms, but a paused virtual machine may miss some ticks.
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
