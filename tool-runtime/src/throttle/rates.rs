//! The rules that count calls in time: `same_tool_rate` and `overall_rate`.
//!
//! A throttled call does not count, so a window always becomes free again. A batch of different calls counts as one call, whereas each
//! repetition counts. A window stores one time for each call that its limit allows, and a batch stores at most [`CALLS`] calls.

use std::collections::HashMap;
use std::time::Duration;

use super::limits::RateLimit;
pub(super) use crate::clock::nanoseconds;
use crate::fast_hash::RandomHashState;

/// The maximum number of different calls that are distinguished in one batch. Further calls count as repetitions.
const CALLS: usize = 4_096;
/// The number of calls for which a session keeps memory allocated between batches.
const ROOM: usize = 64;

/// A rate, prepared for counting.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedRate {
    /// The rate as configured.
    pub(super) rate: RateLimit,
    calls: usize,
    window: u64,
}

impl CountedRate {
    pub(super) fn from_limit(rate: RateLimit) -> Self {
        Self { rate, calls: rate.calls(), window: nanoseconds(rate.window()) }
    }
}

/// A ring buffer of the times of the last counted calls, in nanoseconds. Each window belongs to one limit, which determines its length.
#[derive(Debug, Default)]
pub(super) struct Window {
    times: Vec<u64>,
    /// The index of the oldest entry, once the buffer is full.
    oldest: usize,
    /// The last batch with a counted call.
    pub(super) batch: Option<u64>,
}

impl Window {
    /// Returns how long a call has to wait, or `None` if it is allowed now.
    #[inline]
    pub(super) fn wait(&self, pace: &CountedRate, now: u64) -> Option<Duration> {
        if self.times.len() < pace.calls {
            return None;
        }
        let wait = self.times.get(self.oldest)?.saturating_add(pace.window).saturating_sub(now);
        (wait > 0).then(|| Duration::from_nanos(wait))
    }

    /// Returns the time in nanoseconds until which calls have to wait, or 0.
    pub(super) fn full_until(&self, pace: &CountedRate) -> u64 {
        let oldest = if self.times.len() < pace.calls { None } else { self.times.get(self.oldest) };
        oldest.map_or(0, |oldest| oldest.saturating_add(pace.window))
    }

    #[inline]
    pub(super) fn note(&mut self, pace: &CountedRate, now: u64) {
        if self.times.len() < pace.calls {
            self.times.push(now);
        } else if let Some(oldest) = self.times.get_mut(self.oldest) {
            *oldest = now;
            self.oldest = if self.oldest + 1 == self.times.len() { 0 } else { self.oldest + 1 };
        }
    }

    /// Creates a window of counted calls, oldest first.
    pub(super) fn from_times(times: Vec<u64>, batch: Option<u64>) -> Self {
        Self { times, oldest: 0, batch }
    }

    /// Returns the times of the counted calls, oldest first.
    pub(super) fn by_age(&self) -> impl Iterator<Item = u64> {
        let (newer, older) = self.times.split_at(self.oldest.min(self.times.len()));
        older.iter().chain(newer).copied()
    }

    /// Counts a call that has ended. Only one call of each batch is counted.
    pub(super) fn note_once(&mut self, pace: &CountedRate, batch: Option<u64>, now: u64) {
        if batch.is_none() || batch != self.batch {
            self.batch = batch;
            self.note(pace, now);
        }
    }

    /// Drops the oldest times if the limit needs fewer times.
    pub(super) fn fit(&mut self, pace: &CountedRate) {
        self.times.rotate_left(self.oldest);
        self.oldest = 0;
        self.times.drain(..self.times.len().saturating_sub(pace.calls));
    }

    /// Moves times in the future to the given time, in case the clock has jumped back.
    pub(super) fn limit(&mut self, now: u64) {
        self.times.iter_mut().for_each(|time| *time = (*time).min(now));
    }

    /// Removes a number of calls that were counted at the given time.
    pub(super) fn take_back(&mut self, at: u64, calls: u32) {
        for _ in 0..calls {
            self.times.rotate_left(self.oldest);
            self.oldest = 0;
            if let Some(last) = self.times.iter().rposition(|time| *time == at) {
                self.times.remove(last);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }
}

/// The calls of the newest batch, with which a further call of the batch is compared to find repetitions.
#[derive(Debug, Default)]
pub(super) struct BatchCalls {
    batch: Option<u64>,
    /// Maps the hash of each call to `true` if the call was repeated.
    calls: HashMap<u64, bool, RandomHashState>,
}

/// The relation of a call to the earlier calls of its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The first call of its batch, or a call without a batch.
    First,
    /// A further call of the batch that differs from the earlier ones.
    Another,
    /// A call that already occurred in the batch.
    Again,
}

impl BatchCalls {
    pub(super) fn place(&self, batch: Option<u64>, call: u64) -> Place {
        match batch {
            None => Place::First,
            Some(_) if batch != self.batch => Place::First,
            Some(_) if self.calls.len() >= CALLS || self.calls.contains_key(&call) => Place::Again,
            Some(_) => Place::Another,
        }
    }

    /// Records an allowed call. Returns how often it counts as a repetition, which is 0 if it is not one. The first repetition counts
    /// twice, because the call that it repeats was not counted.
    pub(super) fn note(&mut self, batch: Option<u64>, call: u64) -> u32 {
        if batch.is_none() {
            return 0;
        }
        if batch != self.batch {
            self.batch = batch;
            self.calls.clear();
            self.calls.shrink_to(ROOM);
        }
        let is_full = self.calls.len() >= CALLS;
        match self.calls.get_mut(&call) {
            Some(is_repeated) => 2 - u32::from(std::mem::replace(is_repeated, true)),
            None if is_full => 1,
            None => {
                self.calls.insert(call, false);
                0
            }
        }
    }

    /// Returns `true` if a call of a batch was repeated and therefore counted before it ran.
    pub(super) fn is_repeated(&self, batch: Option<u64>, call: u64) -> bool {
        batch.is_some() && batch == self.batch && self.calls.get(&call).copied().unwrap_or(self.calls.len() >= CALLS)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }
}
