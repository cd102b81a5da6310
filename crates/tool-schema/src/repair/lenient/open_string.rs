//! [`Draft`]: a string that is not closed yet, and the [`Quote`] that opened it.

use std::borrow::Cow;

use super::machine::Input;
use crate::json::plain_prefix_len;

/// The token that Gemma writes in place of quotes. The text between two of them is not escaped.
pub(super) const TOKEN: &str = "<|\"|>";

/// The kinds of quotes around a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    Backtick,
    CurlyDouble,
    CurlySingle,
    Token,
}

impl Quote {
    /// Returns the kind of the quote at a position.
    #[inline]
    pub(super) fn opening(input: &Input<'_, '_>, at: usize) -> Option<Self> {
        match input.byte(at)? {
            b'"' => Some(Self::Double),
            b'\'' => Some(Self::Single),
            b'`' => Some(Self::Backtick),
            b'<' => input.rest(at).starts_with(TOKEN).then_some(Self::Token),
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
        match self {
            Self::Double | Self::Single | Self::Backtick => 1,
            Self::CurlyDouble | Self::CurlySingle => 3,
            Self::Token => TOKEN.len(),
        }
    }

    /// Returns the number of leading bytes that have no special meaning in a string with this quote.
    #[inline]
    pub(super) fn plain(self, bytes: &[u8]) -> usize {
        if self == Self::Double {
            return plain_prefix_len(bytes);
        }
        let special = |byte: &u8| match byte {
            0..=31 | b'"' | b'\\' => true,
            b'\'' => self == Self::Single,
            b'`' => self == Self::Backtick,
            b'<' => self == Self::Token,
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
    /// The decoded text before `run`; empty as long as nothing had to be decoded.
    pub(super) decoded: String,
    pub(super) run: usize,
    /// The position of a backslash that was kept as a literal character.
    pub(super) literal_backslash: Option<usize>,
    /// `true` if a backslash was treated as an escape although it could be a literal character.
    pub(super) letter_escape: bool,
}

impl Draft {
    /// Returns the text of the string up to a position.
    pub(super) fn text<'a>(&mut self, input: &Input<'_, 'a>, end: usize) -> Cow<'a, str> {
        let run = input.slice(self.run, end);
        if self.run == self.start + self.quote.bytes() && self.decoded.is_empty() {
            return (input.keep)(run);
        }
        self.decoded.push_str(run);
        Cow::Owned(std::mem::take(&mut self.decoded))
    }

    /// Appends the text from `run` up to `end`, and then a decoded character. The next run of plain text begins at
    /// `next`.
    pub(super) fn decode(&mut self, input: &Input<'_, '_>, end: usize, decoded: char, next: usize) {
        self.decoded.push_str(input.slice(self.run, end));
        self.decoded.push(decoded);
        self.run = next;
    }
}
