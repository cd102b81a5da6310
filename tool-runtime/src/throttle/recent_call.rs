//! The calls that the rules about repeated calls remember: [`RecentCall`].

use std::time::Duration;

use super::canonical;
use super::rates::nanoseconds;
use crate::fast_hash::{Mixer, hash};
use crate::input::Arguments;
use crate::shape::Ref;

/// The maximum number of remembered calls.
pub(super) const CALLS: usize = 16;
/// The maximum length of an argument text that is kept, in bytes.
pub(super) const TEXT: usize = 4_096;

/// The last occurrence of an event: the tool that caused it, its decision, and the last decision in which another tool caused the event.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastCall {
    pub(super) tool: usize,
    pub(super) decision: u64,
    pub(super) others: u64,
}

impl Default for LastCall {
    /// There was no call.
    fn default() -> Self {
        Self { tool: usize::MAX, decision: 0, others: 0 }
    }
}

impl LastCall {
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
    /// The [values](super::argument_values_in_error) of the arguments.
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

/// The identity of a repeated call: its tool, and hashes of its arguments (as sent, and by value) and of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) tool: usize,
    pub(super) arguments: u64,
    pub(super) value: Option<u64>,
    pub(super) result: u64,
}

/// A call and its result.
#[derive(Debug, Default)]
pub(super) struct RecentCall {
    pub(super) tool: usize,
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

impl RecentCall {
    pub(super) fn identity(&mut self, input: &Ref) -> Identity {
        let value = self.value(input);
        Identity { tool: self.tool, arguments: self.arguments.hash(), value, result: self.result }
    }

    /// Returns `true` if this earlier call had the same result as `call` and is recent enough.
    pub(super) fn is_near(&self, call: Call<'_>, history: Duration) -> bool {
        self.tool == call.tool
            && self.result == call.result
            && call.began.saturating_sub(self.seen) <= nanoseconds(history)
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

#[cfg(test)]
mod tests {
    use super::*;

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
