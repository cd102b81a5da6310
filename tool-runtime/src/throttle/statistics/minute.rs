//! The calls of the last sixty seconds, counted per second.

use std::time::Duration;

const SECONDS: usize = 60;
/// A second in nanoseconds.
const SECOND: u64 = 1_000_000_000;

/// The number of calls in each of the last sixty seconds: pairs of a second and its number of calls. The index of a pair is the second modulo
/// sixty.
#[derive(Debug)]
pub(in crate::throttle) struct Minute([(u64, u32); SECONDS]);

impl Default for Minute {
    fn default() -> Self {
        Self([(u64::MAX, 0); SECONDS])
    }
}

impl Minute {
    /// Counts a call. The time is in nanoseconds.
    pub(in crate::throttle) fn note(&mut self, now: u64) {
        let second = now / SECOND;
        let (counted, calls) = &mut self.0[place(second)];
        if *counted != second {
            // A long call may be counted when its second is over a minute old.
            if *counted != u64::MAX && *counted > second {
                return;
            }
            (*counted, *calls) = (second, 0);
        }
        *calls = calls.saturating_add(1);
    }

    /// Creates the counts from pairs of a second and its number of calls. Seconds after `now` are left out.
    pub(in crate::throttle) fn from_counts(seconds: &[(u64, u32)], now: Duration) -> Self {
        let mut minute = Self::default();
        for &(second, calls) in seconds.iter().filter(|(second, _)| *second <= now.as_secs()) {
            minute.0[place(second)] = (second, calls);
        }
        minute
    }

    /// Returns each of the last sixty seconds in which there were calls, with its number of calls.
    pub(in crate::throttle) fn recent(&self, now: Duration) -> Vec<(u64, u32)> {
        self.seconds_until(now.as_secs()).collect()
    }

    pub(in crate::throttle) fn total(&self, now: Duration) -> u64 {
        self.seconds_until(now.as_secs()).map(|(_, calls)| u64::from(calls)).sum()
    }

    fn seconds_until(&self, now: u64) -> impl Iterator<Item = (u64, u32)> {
        let is_recent = move |second: u64| second <= now && now - second < SECONDS as u64;
        self.0.iter().copied().filter(move |(second, _)| is_recent(*second))
    }
}

/// Returns the index of the pair for a second.
#[allow(clippy::cast_possible_truncation)] // The remainder is small.
const fn place(second: u64) -> usize {
    (second % SECONDS as u64) as usize
}
