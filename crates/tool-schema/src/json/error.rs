//! The errors of a text that is not valid JSON.
//!
//! The messages use only the terms of JSON, so that a language model can act on them. A text that ends too early is always
//! [`SyntaxError::Incomplete`], never another error.

use super::DEPTH_LIMIT;

/// The reason why a text is not one JSON document. Offsets count bytes from the start of the text.
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
    /// The text has a character that the grammar does not allow here.
    #[error("not valid JSON at byte {offset}: expected {expected}")]
    Syntax {
        /// The position at which the text stops being valid JSON.
        offset: usize,
        /// The expected text, as a noun phrase.
        expected: &'static str,
    },
    /// The text ends before everything is closed; an empty text is incomplete too.
    #[error("the JSON is incomplete: it ends at byte {offset} before everything is closed")]
    Incomplete {
        /// The end of the text.
        offset: usize,
    },
    /// A complete document is followed by another one.
    #[error("expected one JSON value, but a second one begins at byte {offset}")]
    MultipleDocuments {
        /// The position at which the second document begins.
        offset: usize,
    },
    /// Arrays and objects are nested too deeply.
    #[error("the JSON is nested more than {limit} levels deep at byte {offset}")]
    Depth {
        /// The position of the first bracket beyond the limit; zero if the input was not a text.
        offset: usize,
        /// The maximum number of levels.
        limit: usize,
    },
    /// The bytes are not valid UTF-8.
    #[error("the bytes are not valid UTF-8 at byte {offset}")]
    NotUtf8 {
        /// The position of the first invalid byte.
        offset: usize,
    },
    /// The text is longer than a [`Span`](super::Span) can represent.
    #[error("the JSON is too large: {bytes} bytes, while at most 4294967295 are read")]
    TooLarge {
        /// The length of the text.
        bytes: usize,
    },
}

impl SyntaxError {
    /// Returns the offset of the byte at which the error was found.
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
