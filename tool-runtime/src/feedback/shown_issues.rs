//! The issues in an answer: [`ShownIssue`].
//!
//! The texts of each issue (its path, its expectation, its message) are written once, because several members of the answer repeat them.

use std::borrow::Cow;
use std::ops::Range;

use crate::bounded;
use crate::hint::{HintedField, MAX_EXPECTED_BYTES, RetryHint, field_expected, field_name, hinted_field, push_path};
use crate::issue::{Constraint, Issue, WriteText, write_finding, write_place};
use crate::visible;

/// The maximum number of issues shown.
pub(super) const MOST: usize = 5;
/// The number of bytes up to which the message of an issue is never cut.
pub(super) const ISSUE_BYTES: usize = 160;
/// The maximum number of bytes of a sent value in a message. A longer value is left out, because a model could send a value that is cut.
const VALUE: usize = 60;
/// The initial capacity, in bytes, of the buffer for all texts.
pub(super) const USUAL: usize = 1_000;

/// The values of unknown fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UnknownValues {
    /// The message contains the value: `day (3) is not a known field`.
    InMessages,
    /// The answer has the value in another place.
    Elsewhere,
}

/// An issue with its texts.
pub(super) struct ShownIssue<'f> {
    pub(super) issue: &'f Issue,
    /// The entry of the hint for this issue, if there is one.
    pub(super) field: Option<&'f HintedField>,
    /// The path, as it is written in answers to the model.
    pub(super) path: &'f str,
    /// The text that describes the expected value.
    pub(super) expected: &'f str,
    /// The complete message of the issue.
    message: &'f str,
    /// `true` if the message is so short that it is never cut.
    is_short: bool,
}

impl<'f> ShownIssue<'f> {
    /// Returns the message, cut to `budget` bytes. A message of at most [`ISSUE_BYTES`] bytes is never cut.
    pub(super) fn message(&self, budget: usize) -> Cow<'f, str> {
        if self.is_short { self.message.into() } else { bounded::sentence(self.message, budget) }
    }
}

/// Returns the issues to show: first the issues of the fields in the hint, in the order of the hint, then other issues in declaration
/// order. Texts that the hint does not contain are written to `words`.
pub(super) fn shown<'f>(
    issues: &'f [Issue],
    hint: Option<&'f RetryHint>,
    values: UnknownValues,
    words: &'f mut String,
) -> Vec<ShownIssue<'f>> {
    let mut chosen = Vec::with_capacity(2 * MOST);
    let mut others = 0;
    for index in 0..issues.len() {
        match hint.and_then(|hint| Some((hint, hinted_field(hint, issues, index)?))) {
            Some((hint, (position, field))) => chosen.push((position, index, Some((hint, field)))),
            None if others < MOST => {
                others += 1;
                chosen.push((usize::MAX, index, None));
            }
            None => {}
        }
    }
    chosen.sort_by_key(|&(position, ..)| position);
    chosen.truncate(MOST);

    let mut written: [Written; MOST] = Default::default();
    for (position, (&(_, index, field), written)) in chosen.iter().zip(&mut written).enumerate() {
        let issue = &issues[index];
        let name = field.filter(|(_, field)| field.is_about_issue(index)).map(|(hint, field)| field_name(hint, field));
        if name.is_none() {
            let start = words.len();
            push_path(words, issue);
            let end = words.len();
            issue.expected.write(words);
            if !bounded::is_unchanged_by_sentence(&words[end..], MAX_EXPECTED_BYTES) {
                visible::escape_from(words, end);
                bounded::cut_sentence_in_place(words, end, MAX_EXPECTED_BYTES);
            }
            written.place = Some((start..end, end..words.len()));
        }
        let start = words.len();
        // A short path is copied into the message. A long path is written again, because the message cuts it differently.
        let is_same = |path: &str| !issue.path.is_root() && bounded::is_short_printable_ascii(path);
        match (name, &written.place) {
            (Some(path), _) if is_same(path) => words.push_str(path),
            (None, Some((path, _))) if is_same(&words[path.clone()]) => words.extend_from_within(path.clone()),
            _ => write_place(issue, words),
        }
        let is_unknown = matches!(issue.constraint, Constraint::UnknownField { .. });
        if is_unknown && values == UnknownValues::InMessages {
            let is_same = |&(_, index, _): &(usize, usize, _)| issues[index].constraint == issue.constraint;
            write_unknown(issue, chosen[..position].iter().any(is_same), words);
        } else {
            write_finding(issue, words);
        }
        written.is_short = bounded::is_unchanged_by_sentence(&words[start..], ISSUE_BYTES);
        if !written.is_short {
            visible::escape_from(words, start);
        }
        written.message = start..words.len();
    }

    let words: &'f str = words;
    let shown = chosen.into_iter().zip(written).map(|((_, index, field), written)| {
        let (path, expected) = match (written.place, field) {
            (Some((path, expected)), _) => (&words[path], &words[expected]),
            (None, Some((hint, field))) => (field_name(hint, field), field_expected(hint, field)),
            (None, None) => ("", ""),
        };
        let field = field.map(|(_, field)| field);
        let message = &words[written.message];
        ShownIssue { issue: &issues[index], field, path, expected, message, is_short: written.is_short }
    });
    shown.collect()
}

/// Writes ` (3) is not a known field (known: days)`. Without the value, the model could not send it in another field. The list is left out if
/// an earlier message has it.
fn write_unknown(issue: &Issue, is_list_written: bool, words: &mut String) {
    if let Some(value) = issue.got.json.as_deref().map(visible::escaped)
        && bounded::sentence(&value, VALUE) == value
    {
        words.extend([" (", &value, ")"]);
    }
    if is_list_written {
        words.push_str(" is not a known field");
    } else {
        write_finding(issue, words);
    }
}

/// The ranges of an issue's texts in the buffer.
#[derive(Default)]
struct Written {
    /// The path and the expectation, unless they are in the hint.
    place: Option<(Range<usize>, Range<usize>)>,
    message: Range<usize>,
    is_short: bool,
}
