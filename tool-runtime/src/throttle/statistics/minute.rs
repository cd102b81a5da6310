//! Calls of the last sixty seconds, counted by seconds.

use std::time::Duration;

const SECONDS: usize = 60;

/// The number of calls in each of the last sixty seconds.
#[derive(Debug)]
pub(in crate::throttle) struct Minute {
    /// Pairs of a second and its number of calls; the index is the second modulo sixty.
    seconds: [(u64, u32); SECONDS],
}

impl Default for Minute {
    fn default() -> Self {
        Self { seconds: [(u64::MAX, 0); SECONDS] }
    }
}

impl Minute {
    #[allow(clippy::cast_possible_truncation)] // The remainder is small.
    pub(in crate::throttle) fn note(&mut self, now: Duration) {
        let second = now.as_secs();
        let place = &mut self.seconds[(second % SECONDS as u64) as usize];
        if place.0 != second {
            *place = (second, 0);
        }
        place.1 = place.1.saturating_add(1);
    }

    pub(in crate::throttle) fn total(&self, now: Duration) -> u64 {
        let now = now.as_secs();
        let recent = |second: u64| second <= now && now - second < SECONDS as u64;
        self.seconds.iter().filter(|(second, _)| recent(*second)).map(|(_, calls)| u64::from(*calls)).sum()
    }
}
