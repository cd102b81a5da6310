//! What can be wrong with a text that should be JSON.
//!
//! In comes the place where the parser stopped; out goes a message that a language model can act on, in words of JSON
//! alone. A text that merely ends too early is always [`SyntaxError::Incomplete`] and never passes for another fault.

use super::DEPTH_LIMIT;

/// Why a text is not one JSON document. Offsets count bytes from the beginning of the text.
///
/// ```
/// use tool_schema::json::{Json, SyntaxError};
///
/// let error = Json::parse(r#"{"days": 3,}"#).unwrap_err();
/// assert_eq!(error.to_string(), "not valid JSON at byte 11: expected a key in double quotes after the comma");
/// assert_eq!(Json::parse(r#"{"days": tru"#), Err(SyntaxError::Incomplete { offset: 12 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// Something stands where the grammar does not allow it.
    #[error("not valid JSON at byte {offset}: expected {expected}")]
    Syntax {
        /// Where the text stops being JSON.
        offset: usize,
        /// What would have been allowed there, as a noun phrase.
        expected: &'static str,
    },
    /// The text ends while something is still open; an empty text is incomplete too.
    #[error("the JSON is incomplete: it ends at byte {offset} before everything is closed")]
    Incomplete {
        /// The end of the text.
        offset: usize,
    },
    /// A complete document is followed by the beginning of another one.
    #[error("expected one JSON value, but a second one begins at byte {offset}")]
    MultipleDocuments {
        /// Where the second document begins.
        offset: usize,
    },
    /// Arrays and objects are nested too deeply.
    #[error("the JSON is nested more than {limit} levels deep at byte {offset}")]
    Depth {
        /// The bracket that was one too many; zero where the input was not a text.
        offset: usize,
        /// How many levels are allowed.
        limit: usize,
    },
    /// The bytes are not text.
    #[error("the bytes are not valid UTF-8 at byte {offset}")]
    NotUtf8 {
        /// The first byte that belongs to no character.
        offset: usize,
    },
    /// The text is longer than a [`Span`](super::Span) can count.
    #[error("the JSON is too large: {bytes} bytes, while at most 4294967295 are read")]
    TooLarge {
        /// Length of the text.
        bytes: usize,
    },
}

impl SyntaxError {
    /// The byte at which the fault stands.
    ///
    /// ```
    /// assert_eq!(tool_schema::json::Json::parse("[1 2]").unwrap_err().offset(), 3);
    /// ```
    pub const fn offset(&self) -> usize {
        match *self {
            Self::Syntax { offset, .. }
            | Self::Incomplete { offset }
            | Self::MultipleDocuments { offset }
            | Self::Depth { offset, .. }
            | Self::NotUtf8 { offset } => offset,
            Self::TooLarge { .. } => u32::MAX as usize,
        }
    }

    pub(super) const fn depth(offset: usize) -> Self {
        Self::Depth { offset, limit: DEPTH_LIMIT }
    }
}
