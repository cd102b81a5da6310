//! The calls that the rules about repeated calls remember: [`Sighting`].

use std::time::Duration;

use super::canonical;
use super::rates::nanoseconds;
use crate::hash::{Mixer, hash};
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

/// The arguments of a remembered call, as they were sent.
#[derive(Debug)]
pub(super) enum KeptArguments {
    /// The text, of at most [`TEXT`] bytes.
    Text(Vec<u8>),
    /// The hash of a text that is longer, or that was not saved with the session.
    Hash(u64),
}

impl Default for KeptArguments {
    fn default() -> Self {
        Self::Hash(0)
    }
}

impl KeptArguments {
    /// Keeps other arguments instead. The memory of a text is reused.
    #[inline]
    pub(super) fn replace(&mut self, arguments: &[u8]) {
        match self {
            Self::Text(text) if arguments.len() <= text.capacity() => {
                text.clear();
                text.extend_from_slice(arguments);
            }
            _ => self.renew(arguments),
        }
    }

    #[cold]
    fn renew(&mut self, arguments: &[u8]) {
        *self = if arguments.len() <= TEXT { Self::Text(arguments.to_vec()) } else { Self::Hash(hash(arguments)) };
    }

    /// Returns the hash of the text.
    pub(super) fn hash(&self) -> u64 {
        match self {
            Self::Text(text) => hash(text),
            Self::Hash(hash) => *hash,
        }
    }

    /// Returns `true` if these arguments were sent with the same text.
    pub(super) fn is(&self, arguments: &[u8]) -> bool {
        match self {
            Self::Text(text) => text == arguments,
            Self::Hash(kept) => *kept == hash(arguments),
        }
    }
}

/// The identity of a call: a hash of its arguments as sent, and a hash of their meaning if they were parsed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallIdentity {
    pub(super) arguments: u64,
    pub(super) value: Option<u64>,
    /// The [values](super::quoted) of the arguments.
    pub(super) values: u64,
    pub(super) check: Check,
}

/// The result of the check of a call's arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Check {
    /// The arguments are not known.
    #[default]
    Unknown,
    /// The arguments will be checked, and the rules asked again.
    Later,
    Rejected,
    /// The tool itself checks the arguments when it runs.
    Open,
    Passed,
}

impl CallIdentity {
    /// A call whose arguments will be checked, so that only the rules which do not depend on them are asked now.
    pub(super) const LATER: Self = Self { arguments: 0, value: None, values: 0, check: Check::Later };

    /// Returns a hash that is the same for equal calls of the same batch.
    pub(super) fn within(self, tool: usize) -> u64 {
        Mixer::new().word(tool as u64).word(self.value.unwrap_or(self.arguments)).sum()
    }
}

/// A call and its result.
#[derive(Debug, Default)]
pub(super) struct Sighting {
    pub(super) arguments: KeptArguments,
    pub(super) result: u64,
    /// The hash of the arguments by value, if it was needed before or the text was not saved.
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
    /// The arguments that the tool received, as text; `{}` if they are empty.
    pub(super) arguments: &'a [u8],
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
    /// Returns `true` if this earlier call had the same result as `call` and is recent enough.
    pub(super) fn is_near(&self, call: Call<'_>, history: Duration) -> bool {
        self.result == call.result && call.began.saturating_sub(self.seen) <= nanoseconds(history)
    }

    /// Returns `true` if the call was certainly made in this decision.
    pub(super) fn was_made_in(&self, decision: u64) -> bool {
        self.decision.checked_sub(decision).is_some_and(|back| {
            back == 0
                || !self.is_apart && back < u64::from(self.in_a_row)
                || back % 2 == 0 && back / 2 < u64::from(self.rounds)
        })
    }

    /// Returns a hash of the arguments by value; `None` if they are not valid JSON or not known any more.
    pub(super) fn value(&mut self, input: &Ref) -> Option<u64> {
        if let (None, KeptArguments::Text(text)) = (self.value, &self.arguments) {
            self.value = canonical::arguments(&Arguments::from(&**text), input);
        }
        self.value
    }
}

/// Returns the places at which a value may be, as one number in which the highest bit of each such byte is set. All places of the value are
/// among them, and the first one is certain. All places are compared in a few instructions.
#[inline]
pub(super) const fn places(values: [u8; CALLS], value: u8) -> u128 {
    const ONES: u128 = u128::MAX / 0xff;
    // A byte is zero where the value is.
    let different = u128::from_le_bytes(values) ^ (ONES * value as u128);
    different.wrapping_sub(ONES) & !different & (ONES << 7)
}

/// Returns the part of a tool and the hash of its result that is compared first.
#[allow(clippy::cast_possible_truncation)] // The whole number and the whole hash are compared later.
pub(super) const fn part(tool: usize, hash: u64) -> u8 {
    tool as u8 ^ hash as u8
}

/// Converts the number of a tool to the stored type. A number that is too large is saturated, but no real toolbox has that many tools.
pub(super) fn number(tool: usize) -> u32 {
    u32::try_from(tool).unwrap_or(u32::MAX)
}

#[allow(clippy::cast_possible_truncation)] // There are only sixteen entries.
pub(super) const fn place(at: usize) -> u8 {
    at as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_place_of_a_value_is_found_and_the_first_is_certain(
            values in prop::array::uniform16(prop_oneof![0..3_u8, any::<u8>()]),
            value in prop_oneof![0..3_u8, any::<u8>()],
        ) {
            let found = places(values, value);
            let is_found = |at: usize| found >> (8 * at + 7) & 1 == 1;
            let expected: Vec<usize> = (0..CALLS).filter(|&at| values[at] == value).collect();
            prop_assert!(expected.iter().all(|&at| is_found(at)));
            prop_assert_eq!((0..CALLS).find(|&at| is_found(at)), expected.first().copied());
            prop_assert_eq!(found == 0, expected.is_empty());
        }
    }

    #[test]
    fn kept_arguments_have_the_hash_of_their_text() {
        let mut kept = KeptArguments::default();
        for length in [0, 1, 100, TEXT, TEXT + 1, 3, TEXT - 1, 2 * TEXT] {
            let text = vec![b'x'; length];
            kept.replace(&text);
            assert!(kept.hash() == hash(&text) && kept.is(&text), "{length}");
            assert!(!kept.is(&vec![b'x'; length + 1]), "{length}");
            let bytes = if let KeptArguments::Text(text) = &kept { text.capacity() } else { 0 };
            assert!(bytes <= TEXT && (bytes > 0 || length == 0 || length > TEXT), "{length}: {bytes}");
        }
    }
}
