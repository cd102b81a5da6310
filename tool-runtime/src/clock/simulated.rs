//! A clock that only moves when it is advanced: [`SimulatedClock`], for tests and replays.
//!
//! Invariants: sleepers wake in the order of their wake-up times, and those with the same time in the order in which they began to sleep; a
//! dropped sleeper leaves nothing behind.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Clock, Sleep};

/// A clock that only moves when it is advanced. Clones share the same time.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::{Clock, SimulatedClock};
///
/// let clock = SimulatedClock::new();
/// let nap = clock.sleep(Duration::from_secs(30));
/// clock.advance(Duration::from_secs(30));
/// pollster::block_on(nap);
/// assert_eq!(clock.now(), Duration::from_secs(30));
/// ```
#[derive(Clone, Default)]
pub struct SimulatedClock(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    now: Duration,
    /// The wall-clock time that was set last, and the time of this clock at which it was set.
    unix_time: (Duration, Duration),
    /// The number of sleepers that this clock ever had. It orders sleepers with the same wake-up time.
    slept: u64,
    /// The wakers, keyed by wake-up time and number.
    sleepers: BTreeMap<(Duration, u64), Waker>,
}

impl SimulatedClock {
    /// Creates a clock at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the wall-clock time, which moves with this clock. If it is never set, it starts at 1970.
    pub fn set_unix_time(&self, time: Duration) {
        let mut inner = self.inner();
        inner.unix_time = (time, inner.now);
    }

    /// Advances the time and wakes all sleepers up to the new time, in order.
    pub fn advance(&self, step: Duration) {
        let target = self.inner().now.saturating_add(step);
        while self.wake_next(target) {}
        self.inner().now = target;
    }

    /// Advances the time to the next wake-up time and wakes all sleepers of that time. Returns the length of the step, or `None` if there
    /// is no sleeper. A replay that calls this method whenever all its calls are waiting reaches every wake-up time, in order.
    ///
    /// ```
    /// # use std::{future::Future, task::{Context, Waker}, time::Duration};
    /// # use tool_runtime::clock::{Clock, SimulatedClock};
    /// let clock = SimulatedClock::new();
    /// let mut nap = clock.sleep(Duration::from_secs(2));
    /// assert!(nap.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    /// assert_eq!(clock.advance_to_next(), Some(Duration::from_secs(2)));
    /// assert_eq!(clock.advance_to_next(), None);
    /// ```
    pub fn advance_to_next(&self) -> Option<Duration> {
        let step = {
            let inner = self.inner();
            let ((time, _), _) = inner.sleepers.first_key_value()?;
            time.saturating_sub(inner.now)
        };
        self.advance(step);
        Some(step)
    }

    /// Returns the number of sleepers.
    pub fn sleepers(&self) -> usize {
        self.inner().sleepers.len()
    }

    /// Wakes the first sleeper whose wake-up time is not after `until`, and advances the clock to that time. The waker runs without the
    /// lock, because it may poll at once.
    fn wake_next(&self, until: Duration) -> bool {
        let mut inner = self.inner();
        let Some(first) = inner.sleepers.first_entry().filter(|first| first.key().0 <= until) else { return false };
        let ((time, _), waker) = first.remove_entry();
        inner.now = inner.now.max(time);
        drop(inner);
        waker.wake();
        true
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // The only code of others that runs under the lock is the clone of a waker, and every statement leaves the state consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Duration {
        self.inner().now
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        let mut inner = self.inner();
        inner.slept += 1;
        let key = (inner.now.saturating_add(duration), inner.slept);
        Box::pin(Sleeper { clock: self.clone(), key })
    }

    fn unix_time(&self) -> Duration {
        let inner = self.inner();
        let (time, at) = inner.unix_time;
        time.saturating_add(inner.now.saturating_sub(at))
    }

    fn pass(&self, duration: Duration) -> Sleep {
        let clock = self.clone();
        Box::pin(async move { clock.advance(duration) })
    }
}

impl fmt::Debug for SimulatedClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimulatedClock").field("now", &self.now()).finish_non_exhaustive()
    }
}

struct Sleeper {
    clock: SimulatedClock,
    key: (Duration, u64),
}

impl Future for Sleeper {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        let mut inner = self.clock.inner();
        if inner.now >= self.key.0 {
            return Poll::Ready(());
        }
        inner.sleepers.insert(self.key, waker);
        Poll::Pending
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let waker = self.clock.inner().sleepers.remove(&self.key);
        drop(waker);
    }
}
