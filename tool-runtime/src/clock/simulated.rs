//! A clock that stands still until it is told to move: [`SimulatedClock`], for tests and replays.
//!
//! In: how far to move. Out: sleepers that wake. What always holds: they wake in the order of their times, those of one time in the
//! order in which they fell asleep, and one that is dropped leaves nothing behind.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Clock, Sleep};

/// A clock that stands still until it is told to move. Clones are the same clock.
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
    /// How many have fallen asleep; tells those of one time apart.
    slept: u64,
    /// Who waits, by time and order.
    sleepers: BTreeMap<(Duration, u64), Waker>,
}

impl SimulatedClock {
    /// A clock at zero.
    ///
    /// ```
    /// # use tool_runtime::clock::{Clock, SimulatedClock};
    /// assert!(SimulatedClock::new().now().is_zero());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the time on and wakes everybody whose time has come, in order.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_runtime::clock::{Clock, SimulatedClock};
    /// let clock = SimulatedClock::new();
    /// clock.advance(Duration::from_millis(250));
    /// assert_eq!(clock.now(), Duration::from_millis(250));
    /// ```
    pub fn advance(&self, step: Duration) {
        let target = self.inner().now.saturating_add(step);
        while self.wake_next(target) {}
        self.inner().now = target;
    }

    /// Moves the time to the next moment for which somebody waits, and wakes who waits for it; gives how far that was, or `None`
    /// where nobody waits. A replay that calls it whenever all its calls wait sees every moment.
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

    /// How many wait.
    ///
    /// ```
    /// assert_eq!(tool_runtime::clock::SimulatedClock::new().sleepers(), 0);
    /// ```
    pub fn sleepers(&self) -> usize {
        self.inner().sleepers.len()
    }

    /// Wakes the first who waits for a moment up to this one, at that moment. The waker runs without the lock: it may poll at once.
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
        // Nothing of a caller's runs under the lock but the clone of a waker, and every statement leaves it whole.
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
