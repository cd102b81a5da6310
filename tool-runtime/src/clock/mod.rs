//! Time as a session sees it: the trait [`Clock`], and five of them.
//!
//! In: nothing, or how long to wait. Out: the time since the clock's start, and futures that are done later. What always holds: the time
//! never runs backwards, nothing else in this crate asks for the time, and no executor is needed for a clock that only tells it.

mod coarse;
mod simulated;
mod system;
#[cfg(feature = "tokio")]
mod tokio;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

pub use coarse::CoarseClock;
pub use simulated::SimulatedClock;
pub use system::SystemClock;

#[cfg(feature = "tokio")]
pub use self::tokio::TokioClock;

/// A future that is done when the time has come.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::{Clock, SimulatedClock, Sleep};
///
/// let nap: Sleep = SimulatedClock::new().sleep(Duration::ZERO);
/// pollster::block_on(nap);
/// ```
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Tells the time and waits.
///
/// The time is monotonic and counts from the clock's own start, so that a test can hold all of it. It may be coarse: the rules of
/// [`throttle`](crate::throttle) count in seconds, so a clock that ticks every few milliseconds does as well as a precise one.
///
/// A time limit needs a clock with a timer: where a limit is set and [`has_timer`](Self::has_timer) is false, building fails, because
/// the limit would never be heard.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::{Clock, SimulatedClock};
///
/// let clock = SimulatedClock::new();
/// clock.advance(Duration::from_secs(3));
/// let clock: Box<dyn Clock> = Box::new(clock);
/// assert_eq!(clock.now(), Duration::from_secs(3));
/// ```
pub trait Clock: Send + Sync + 'static {
    /// The time since the clock's start; never less than before.
    fn now(&self) -> Duration;

    /// A future that is done once this much time has passed.
    ///
    /// Of a clock without a timer it is never done.
    fn sleep(&self, duration: Duration) -> Sleep;

    /// Whether [`sleep`](Self::sleep) ever ends.
    fn has_timer(&self) -> bool {
        true
    }

    /// Lets this much time pass, for a test that wants it to be later: a clock that somebody has to move is moved, any other waits.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::clock::{Clock, SimulatedClock};
    ///
    /// let clock = SimulatedClock::new();
    /// pollster::block_on(clock.pass(Duration::from_secs(60)));
    /// assert_eq!(clock.now(), Duration::from_secs(60));
    /// ```
    fn pass(&self, duration: Duration) -> Sleep {
        self.sleep(duration)
    }
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> Duration {
        (**self).now()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        (**self).sleep(duration)
    }

    fn has_timer(&self) -> bool {
        (**self).has_timer()
    }

    fn pass(&self, duration: Duration) -> Sleep {
        (**self).pass(duration)
    }
}
