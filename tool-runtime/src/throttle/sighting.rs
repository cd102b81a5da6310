//! The calls that the rules about repeated calls remember: [`Sighting`].

use std::time::Duration;

use super::canonical;
use super::rates::nanoseconds;
use crate::input::Arguments;
use crate::shape::Ref;

/// The maximum number of remembered calls.
pub(super) const CALLS: usize = 16;
/// The maximum length of an argument text that is kept, in bytes.
pub(super) const TEXT: usize = 4_096;

/// The last occurrence of an event: the tool that caused it, its decision, and the last decision in which another tool caused the event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub(super) tool: usize,
    pub(super) decision: u64,
    pub(super) others: u64,
}

impl Last {
    pub(super) const NEVER: Self = Self { tool: usize::MAX, decision: 0, others: 0 };

    #[inline]
    pub(super) fn note(&mut self, tool: usize, decision: u64) {
        if tool != self.tool {
            (self.tool, self.others) = (tool, self.decision);
        }
        self.decision = decision;
    }

    pub(super) const fn of_others(&self, tool: usize) -> u64 {
        if tool == self.tool { self.others } else { self.decision }
    }
}

/// A call and its result.
#[derive(Debug, Default)]
pub(super) struct Sighting {
    pub(super) arguments: u64,
    pub(super) result: u64,
    pub(super) text: Option<String>,
    pub(super) value: Option<u64>,
    pub(super) decision: u64,
    /// The time at which the call last ended, in nanoseconds.
    pub(super) seen: u64,
    /// The number of occurrences in a row.
    pub(super) in_a_row: u32,
    /// `true` if other calls came between these occurrences, all of them of read-only tools.
    pub(super) is_apart: bool,
    /// The number of rounds: occurrences in a row, each exactly two decisions after the previous occurrence.
    pub(super) rounds: u32,
}

/// A finished call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) tool: usize,
    pub(super) input: &'a Ref,
    /// `true` if the tool changes nothing.
    pub(super) is_read_only: bool,
    pub(super) has_failed: bool,
    /// The hash of the arguments that the tool received.
    pub(super) arguments: u64,
    pub(super) text: Option<&'a str>,
    pub(super) result: u64,
    pub(super) batch: Option<u64>,
    /// The time at which the call started, in nanoseconds.
    pub(super) began: u64,
    /// The time at which the call ended, in nanoseconds.
    pub(super) ended: u64,
}

impl Call<'_> {
    pub(super) const fn ended(&self) -> Duration {
        Duration::from_nanos(self.ended)
    }
}

impl Sighting {
    /// Removes and returns the text.
    #[inline]
    pub(super) fn take_text(&mut self) -> Option<String> {
        // In a restored session, the value represents a text that was not saved, so both are dropped together.
        self.value = None;
        self.text.take()
    }

    /// Returns `true` if this earlier call had the same result as `call` and is recent enough.
    pub(super) fn is_near(&self, call: &Call<'_>, history: Duration) -> bool {
        self.result == call.result && call.began.saturating_sub(self.seen) <= nanoseconds(history)
    }

    /// Returns a hash of the arguments by value.
    pub(super) fn value(&mut self, input: &Ref) -> Option<u64> {
        if self.value.is_none() {
            self.value = canonical::arguments(&Arguments::from(self.text.as_deref()?), input);
        }
        self.value
    }
}

/// Returns the places of a value as a bit set. The loop has no branches, so that all places are compared in a few instructions.
#[inline]
pub(super) fn places(values: &[u16; CALLS], value: u16) -> u32 {
    values.iter().enumerate().fold(0_u16, |places, (at, &other)| places | u16::from(other == value) << at).into()
}

/// Returns the part of a tool and the hash of its result that is compared first.
#[allow(clippy::cast_possible_truncation)] // The whole number and the whole hash are compared later.
pub(super) const fn part(tool: usize, hash: u64) -> u16 {
    tool as u16 ^ hash as u16
}

/// Converts the number of a tool to the stored type. A number that is too large is saturated, but no real toolbox has that many tools.
pub(super) fn number(tool: usize) -> u32 {
    u32::try_from(tool).unwrap_or(u32::MAX)
}

#[allow(clippy::cast_possible_truncation)] // There are only sixteen entries.
pub(super) const fn place(at: usize) -> u8 {
    at as u8
}
