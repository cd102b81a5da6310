//! The time of a restored session, which has another clock than the saved session: [`ResumedClock`].

use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, Sleep};

/// A clock that continues from the time at which a session was saved, plus the time that has passed since.
///
/// With this clock, saved times stay valid, even if the new clock starts at zero.
pub(super) struct ResumedClock {
    clock: Arc<dyn Clock>,
    /// The time of the clock when the session was loaded.
    start: Duration,
    /// The time of the session when it was loaded.
    from: Duration,
}

impl ResumedClock {
    pub(super) fn new(clock: Arc<dyn Clock>, from: Duration) -> Self {
        let start = clock.now();
        Self { clock, start, from }
    }
}

impl Clock for ResumedClock {
    fn now(&self) -> Duration {
        self.from.saturating_add(self.clock.now().saturating_sub(self.start))
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        self.clock.sleep(duration)
    }

    fn has_timer(&self) -> bool {
        self.clock.has_timer()
    }

    fn unix_time(&self) -> Duration {
        self.clock.unix_time()
    }

    fn pass(&self, duration: Duration) -> Sleep {
        self.clock.pass(duration)
    }
}
