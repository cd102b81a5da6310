//! The time of a session: the trait [`Clock`] and its implementations.
//!
//! Invariants: the time never runs backwards; no other module of this crate reads the time; a clock without a timer needs no executor.

mod coarse;
mod simulated;
mod system;
#[cfg(feature = "tokio")]
mod tokio;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

pub use coarse::CoarseClock;
pub use simulated::SimulatedClock;
pub use system::SystemClock;

#[cfg(feature = "tokio")]
pub use self::tokio::TokioClock;

/// A future that completes after a duration.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A source of time that can also wait.
///
/// The time is monotonic and starts at zero for each clock, so that a test can control it completely. It may be coarse: the rules of
/// [`throttle`](crate::throttle) count in seconds, so ticks of a few milliseconds are sufficient.
///
/// A time limit needs a clock with a timer: if there is a limit and [`has_timer`](Self::has_timer) returns `false`, `build()` fails,
/// because the limit would have no effect.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
/// use tool_runtime::Toolbox;
/// use tool_runtime::clock::{Clock, Sleep};
///
/// /// The time of a game, in milliseconds. Nothing can wait for it.
/// struct GameClock(Arc<AtomicU64>);
///
/// impl Clock for GameClock {
///     fn now(&self) -> Duration {
///         Duration::from_millis(self.0.load(Ordering::Relaxed))
///     }
///     fn sleep(&self, _: Duration) -> Sleep {
///         Box::pin(std::future::pending())
///     }
///     fn has_timer(&self) -> bool {
///         false
///     }
/// }
///
/// let time = Arc::new(AtomicU64::new(1_500));
/// let clock = || GameClock(Arc::clone(&time));
/// assert_eq!(clock().now(), Duration::from_millis(1_500));
/// let limited = Toolbox::builder().clock(clock()).time_limit(Duration::from_secs(30)).build();
/// assert!(limited.is_err_and(|error| error.to_string().contains("timer")));
/// ```
pub trait Clock: Send + Sync + 'static {
    /// Returns the time since the clock's start; it never decreases.
    fn now(&self) -> Duration;

    /// Returns the time in nanoseconds. The throttle reads it twice for each call, so a clock may save the conversions.
    #[doc(hidden)]
    fn nanoseconds(&self) -> u64 {
        nanoseconds(self.now())
    }

    /// Returns a future that completes after this duration.
    ///
    /// Without a timer, the future never completes.
    fn sleep(&self, duration: Duration) -> Sleep;

    /// Returns `true` if [`sleep`](Self::sleep) ever completes.
    fn has_timer(&self) -> bool {
        true
    }

    /// Returns the wall-clock time, as the time since the beginning of 1970 in UTC. The default implementation reads the clock of the
    /// machine.
    ///
    /// It is only used to measure how much time has passed while a session was [saved](crate::Session::snapshot). It may jump, even
    /// backwards.
    fn unix_time(&self) -> Duration {
        // If the clock of the machine is before 1970, it is wrong, and 1970 is used.
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
    }

    /// Lets this duration pass in a test: a simulated clock is advanced, any other clock waits.
    fn pass(&self, duration: Duration) -> Sleep {
        self.sleep(duration)
    }
}

/// Converts a duration to nanoseconds, saturating at about 584 years.
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    // This is faster than the conversion through `u128`.
    time.as_secs().saturating_mul(1_000_000_000).saturating_add(time.subsec_nanos().into())
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> Duration {
        (**self).now()
    }

    fn nanoseconds(&self) -> u64 {
        (**self).nanoseconds()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        (**self).sleep(duration)
    }

    fn has_timer(&self) -> bool {
        (**self).has_timer()
    }

    fn unix_time(&self) -> Duration {
        (**self).unix_time()
    }

    fn pass(&self, duration: Duration) -> Sleep {
        (**self).pass(duration)
    }
}
