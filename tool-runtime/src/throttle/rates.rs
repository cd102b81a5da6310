//! The rules that count calls in time: `same_tool_rate` and `overall_rate`.
//!
//! In: the time of each call that passes. Out: how long the next one has to wait. What always holds: a refused call does not count, so a
//! window always moves on; a batch of different calls counts once, a repeated call each time; what is kept is as long as the limit.

use std::collections::VecDeque;
use std::time::Duration;

use super::limits::Rate;

/// How many calls of one batch are told apart.
const CALLS: usize = 64;

/// The times of the last calls that passed, in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Window(VecDeque<u64>);

impl Window {
    /// How long a call has to wait; `None` where it may pass.
    pub(super) fn wait(&self, rate: Rate, now: Duration) -> Option<Duration> {
        let oldest = *self.0.get(self.0.len().checked_sub(rate.calls())?)?;
        let wait = oldest.saturating_add(nanoseconds(rate.window())).saturating_sub(nanoseconds(now));
        (wait > 0).then(|| Duration::from_nanos(wait))
    }

    pub(super) fn note(&mut self, rate: Rate, now: Duration) {
        if self.0.len() >= rate.calls() {
            self.0.pop_front();
        }
        self.0.push_back(nanoseconds(now));
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// As far as 64 bits go, which is some five hundred years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What is known of the newest batch, to tell a fan-out from a repetition.
#[derive(Debug, Default)]
pub(super) struct Fan {
    batch: Option<u64>,
    calls: Vec<u64>,
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
            Some(_) if self.calls.contains(&call) => Place::Again,
            Some(_) => Place::Another,
        }
    }

    pub(super) fn note(&mut self, batch: Option<u64>, call: u64) {
        if batch.is_none() {
            return;
        }
        if batch != self.batch {
            (self.batch, self.calls) = (batch, Vec::new());
        }
        if self.calls.len() < CALLS && !self.calls.contains(&call) {
            self.calls.push(call);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }
}
