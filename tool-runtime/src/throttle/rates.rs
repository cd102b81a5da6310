//! The rules that count calls in time: `same_tool_rate` and `overall_rate`.
//!
//! In: the time of each call that counts. Out: how long the next one has to wait. What always holds: a refused call does not count, so a
//! window always moves on; a batch of different calls counts once, a repeated call each time; what is kept is as long as the limit, and
//! for the newest batch as long as the batch, up to [`CALLS`].

use std::collections::HashMap;
use std::time::Duration;

use super::limits::Rate;
use crate::hash::Seeded;

/// How many calls of one batch are told apart; what follows them counts as repeated.
const CALLS: usize = 4_096;
/// How many of them a session keeps room for.
const ROOM: usize = 64;

/// A rate as a window counts it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// What the host said.
    pub(super) rate: Rate,
    calls: usize,
    window: u64,
}

impl Pace {
    pub(super) fn of(rate: Rate) -> Self {
        Self { rate, calls: rate.calls(), window: nanoseconds(rate.window()) }
    }
}

/// The times of the last calls that counted, in nanoseconds: a ring that is as long as the one limit it is held against.
#[derive(Debug, Default)]
pub(super) struct Window {
    times: Vec<u64>,
    /// Where the ring begins, once it is full.
    oldest: usize,
    /// The last batch of which a call counted.
    pub(super) batch: Option<u64>,
}

impl Window {
    /// How long a call has to wait; `None` where it may pass.
    #[inline]
    pub(super) fn wait(&self, pace: &Pace, now: u64) -> Option<Duration> {
        if self.times.len() < pace.calls {
            return None;
        }
        let wait = self.times.get(self.oldest)?.saturating_add(pace.window).saturating_sub(now);
        (wait > 0).then(|| Duration::from_nanos(wait))
    }

    #[inline]
    pub(super) fn note(&mut self, pace: &Pace, now: u64) {
        if self.times.len() < pace.calls {
            self.times.push(now);
        } else if let Some(oldest) = self.times.get_mut(self.oldest) {
            *oldest = now;
            self.oldest = if self.oldest + 1 == self.times.len() { 0 } else { self.oldest + 1 };
        }
    }

    /// Counts a call that has ended, or a batch once.
    pub(super) fn note_once(&mut self, pace: &Pace, batch: Option<u64>, now: u64) {
        if batch.is_none() || batch != self.batch {
            self.batch = batch;
            self.note(pace, now);
        }
    }

    /// Keeps the times of the last calls, as many as a limit asks for.
    pub(super) fn fit(&mut self, pace: &Pace) {
        self.times.rotate_left(self.oldest);
        self.oldest = 0;
        self.times.drain(..self.times.len().saturating_sub(pace.calls));
    }

    /// Takes back so many calls that were counted at this time.
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

/// As far as 64 bits go, which is some five hundred years.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    // Cheaper than by way of 128 bits.
    time.as_secs().saturating_mul(1_000_000_000).saturating_add(time.subsec_nanos().into())
}

/// What is known of the newest batch, to tell a fan-out from a repetition.
#[derive(Debug, Default)]
pub(super) struct Fan {
    batch: Option<u64>,
    /// Its calls, and whether each was repeated.
    calls: HashMap<u64, bool, Seeded>,
}

/// How a call of a batch stands to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The first of its batch, or a call without one.
    First,
    /// Another call of the same batch.
    Another,
    /// A call that the batch has made already.
    Again,
}

impl Fan {
    pub(super) fn place(&self, batch: Option<u64>, call: u64) -> Place {
        match batch {
            None => Place::First,
            Some(_) if batch != self.batch => Place::First,
            Some(_) if self.calls.len() >= CALLS || self.calls.contains_key(&call) => Place::Again,
            Some(_) => Place::Another,
        }
    }

    /// Notes a call that passes; gives how often it counts as repeated: the first repetition counts for the call that it repeats, too.
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

    /// Whether a call of a batch was repeated, so that it has counted before it ran.
    pub(super) fn is_repeated(&self, batch: Option<u64>, call: u64) -> bool {
        batch.is_some() && batch == self.batch && self.calls.get(&call).copied().unwrap_or(self.calls.len() >= CALLS)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }
}
