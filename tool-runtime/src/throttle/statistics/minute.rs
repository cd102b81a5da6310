//! The calls of the last sixty seconds, counted per second.

use std::ops::Range;
use std::time::Duration;

const SECONDS: usize = 60;
/// A second in nanoseconds.
const SECOND: u64 = 1_000_000_000;

/// The number of calls in each of the last sixty seconds.
#[derive(Debug)]
pub(in crate::throttle) struct Minute {
    /// Pairs of a second and its number of calls. The index of a pair is the second modulo sixty.
    seconds: [(u64, u32); SECONDS],
    /// The times in nanoseconds that belong to the second that was counted last, and the index of its pair. Most calls need no division.
    current: (Range<u64>, usize),
}

impl Default for Minute {
    fn default() -> Self {
        Self { seconds: [(u64::MAX, 0); SECONDS], current: (0..0, 0) }
    }
}

impl Minute {
    /// Counts a call. The time is in nanoseconds.
    #[inline]
    pub(in crate::throttle) fn note(&mut self, now: u64) {
        let (times, place) = &self.current;
        if !times.contains(&now) {
            return self.note_elsewhere(now);
        }
        let calls = &mut self.seconds[*place].1;
        *calls = calls.saturating_add(1);
    }

    /// Counts a call in another second than the call before it.
    #[cold]
    fn note_elsewhere(&mut self, now: u64) {
        let second = now / SECOND;
        let place = place(second);
        let (counted, calls) = &mut self.seconds[place];
        if *counted != second {
            // A long call may be counted when its second is over a minute old.
            if *counted != u64::MAX && *counted > second {
                return;
            }
            (*counted, *calls) = (second, 0);
        }
        *calls = calls.saturating_add(1);
        let begin = second * SECOND;
        self.current = (begin..begin.saturating_add(SECOND), place);
    }

    /// Creates the counts from pairs of a second and its number of calls. Seconds after `now` are left out.
    pub(in crate::throttle) fn of(seconds: &[(u64, u32)], now: Duration) -> Self {
        let mut minute = Self::default();
        for &(second, calls) in seconds.iter().filter(|(second, _)| *second <= now.as_secs()) {
            minute.seconds[place(second)] = (second, calls);
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
        self.seconds.iter().copied().filter(move |(second, _)| is_recent(*second))
    }
}

/// Returns the index of the pair for a second.
#[allow(clippy::cast_possible_truncation)] // The remainder is small.
const fn place(second: u64) -> usize {
    (second % SECONDS as u64) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_call_in_the_second_of_the_call_before_it_is_counted_as_any_other(
            steps in prop::collection::vec((0_u64..70_000, prop::bool::weighted(0.2)), 1..300),
        ) {
            let (mut quick, mut slow, mut now) = (Minute::default(), Minute::default(), 0_u64);
            for (millis, is_long) in steps {
                // Most calls follow soon, and some began long ago.
                let wait = if is_long { millis } else { millis % 400 };
                now += wait * 1_000_000;
                let began = if is_long { now.saturating_sub(millis * 2_000_000) } else { now };
                quick.note(began);
                slow.note_elsewhere(began);
                prop_assert_eq!(quick.seconds, slow.seconds);
            }
        }
    }
}
