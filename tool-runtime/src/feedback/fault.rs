//! A fault as an answer shows it: [`Shown`].
//!
//! In: an issue, and the field of the hint that it belongs to. Out: its place, what is accepted there and its sentence, each made once.

use std::borrow::Cow;

use crate::bounded;
use crate::hint::{EXPECTED, HintedField, path_text};
use crate::issue::{Issue, rendered};

/// A fault that is shown, with the words that several members repeat.
pub(super) struct Shown<'f> {
    pub(super) issue: &'f Issue,
    /// The field of the hint that it belongs to.
    pub(super) field: Option<&'f HintedField>,
    /// Its place as an answer shows it.
    pub(super) path: Cow<'f, str>,
    /// What would be accepted there.
    pub(super) expected: Cow<'f, str>,
    /// The sentence of the issue, of any length.
    pub(super) message: String,
}

impl<'f> Shown<'f> {
    /// Where the hint has words for the issue, they are its words.
    pub(super) fn of(index: usize, issue: &'f Issue, field: Option<&'f HintedField>) -> Self {
        let (path, expected) = match field {
            Some(field) if field.speaks_of(index) => (field.name.as_str().into(), field.expected.as_str().into()),
            _ => {
                let expected = bounded::owned_sentence(rendered(&*issue.expected), EXPECTED);
                (path_text(issue).into(), expected.into())
            }
        };
        Self { issue, field, path, expected, message: issue.message() }
    }
}
