//! [`Draft`]: a string that is not closed yet, and the [`Quote`] that opened it.

use std::borrow::Cow;

use super::parts::Input;
use crate::json::plain_prefix;

/// The kinds of quotes that a string can stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    Backtick,
    CurlyDouble,
    CurlySingle,
}

impl Quote {
    /// The kind of the quote that stands at a place.
    #[inline]
    pub(super) fn opening(input: &Input<'_, '_>, at: usize) -> Option<Self> {
        match input.byte(at)? {
            b'"' => Some(Self::Double),
            b'\'' => Some(Self::Single),
            b'`' => Some(Self::Backtick),
            0xe2 => input.char(at).and_then(Self::curly),
            _ => None,
        }
    }

    pub(super) const fn curly(quote: char) -> Option<Self> {
        match quote {
            '“' | '”' | '„' | '‟' => Some(Self::CurlyDouble),
            '‘' | '’' | '‚' | '‛' => Some(Self::CurlySingle),
            _ => None,
        }
    }

    pub(super) const fn bytes(self) -> usize {
        if matches!(self, Self::CurlyDouble | Self::CurlySingle) { 3 } else { 1 }
    }

    /// How many bytes need no second look.
    #[inline]
    pub(super) fn plain(self, bytes: &[u8]) -> usize {
        if self == Self::Double {
            return plain_prefix(bytes);
        }
        let special = |byte: &u8| match byte {
            0..=31 | b'"' | b'\\' => true,
            b'\'' => self == Self::Single,
            b'`' => self == Self::Backtick,
            0xe2 => matches!(self, Self::CurlyDouble | Self::CurlySingle),
            _ => false,
        };
        bytes.iter().position(special).unwrap_or(bytes.len())
    }
}

/// A string that is not closed yet.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) start: usize,
    pub(super) quote: Quote,
    pub(super) is_key: bool,
    /// What was decoded before `run`; nothing is copied before there is something to decode.
    pub(super) decoded: String,
    pub(super) run: usize,
    /// A backslash that stands for itself.
    pub(super) literal_backslash: Option<usize>,
    /// Whether a backslash was taken for an escape where it could stand for itself.
    pub(super) letter_escape: bool,
}

impl Draft {
    /// What the string holds up to a place.
    pub(super) fn text<'a>(&mut self, input: &Input<'_, 'a>, end: usize) -> Cow<'a, str> {
        let run = input.slice(self.run, end);
        if self.run == self.start + self.quote.bytes() && self.decoded.is_empty() {
            return (input.keep)(run);
        }
        self.decoded.push_str(run);
        Cow::Owned(std::mem::take(&mut self.decoded))
    }

    /// Takes over the run up to `end`, then what stands until `next`.
    pub(super) fn decode(&mut self, input: &Input<'_, '_>, end: usize, decoded: char, next: usize) {
        self.decoded.push_str(input.slice(self.run, end));
        self.decoded.push(decoded);
        self.run = next;
    }
}
