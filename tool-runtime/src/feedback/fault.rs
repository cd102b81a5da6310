//! The faults that an answer shows: [`Shown`].
//!
//! In: the issues of a failure and its hint. Out: the few issues that are shown, in order, each with its place, what is accepted there and its
//! sentence. These words are written once, into one text, because several members of the answer repeat them.

use std::borrow::Cow;
use std::ops::Range;

use crate::bounded;
use crate::hint::{EXPECTED, HintedField, RetryHint, push_path};
use crate::issue::{Issue, Worded};
use crate::visible;

/// The number of faults that are shown.
pub(super) const MOST: usize = 5;
/// The bytes that the sentence of a fault takes at most.
pub(super) const FAULT: usize = 160;
/// The bytes that the words of all faults usually take.
pub(super) const USUAL: usize = 1_000;

/// A fault that is shown, with the words that several members repeat.
pub(super) struct Shown<'f> {
    pub(super) issue: &'f Issue,
    /// The field of the hint that it belongs to.
    pub(super) field: Option<&'f HintedField>,
    /// Its place as an answer shows it.
    pub(super) path: &'f str,
    /// What would be accepted there.
    pub(super) expected: &'f str,
    /// The sentence of the issue, of any length.
    message: &'f str,
    /// The sentence is short enough that it is never cut.
    is_short: bool,
}

impl<'f> Shown<'f> {
    /// The sentence of the issue in at most so many bytes, which are no fewer than [`FAULT`].
    pub(super) fn message(&self, budget: usize) -> Cow<'f, str> {
        if self.is_short { self.message.into() } else { bounded::sentence(self.message, budget) }
    }
}

/// Returns the issues that are shown: first those of the fields that the hint names, in its order, then others in the order of declaration.
/// Words that the hint does not have are written to `words`.
pub(super) fn shown<'f>(issues: &'f [Issue], hint: Option<&'f RetryHint>, words: &'f mut String) -> Vec<Shown<'f>> {
    let mut chosen = Vec::with_capacity(2 * MOST);
    let mut others = 0;
    for (index, issue) in issues.iter().enumerate() {
        match hint.and_then(|hint| Some((hint, hint.field(issues, index)?))) {
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
    for (&(_, index, field), written) in chosen.iter().zip(&mut written) {
        let issue = &issues[index];
        let name = field.filter(|(_, field)| field.speaks_of(index)).map(|(hint, field)| hint.name(field));
        if name.is_none() {
            let start = words.len();
            push_path(words, issue);
            let end = words.len();
            issue.expected.write(words);
            if !bounded::is_sentence(&words[end..], EXPECTED) {
                visible::escape_from(words, end);
                bounded::sentence_from(words, end, EXPECTED);
            }
            written.place = Some((start..end, end..words.len()));
        }
        let start = words.len();
        // A short path is the same in the sentence, where a long one is cut in another way.
        let is_same = |path: &str| !issue.path.is_root() && bounded::is_name(path);
        match (name, &written.place) {
            (Some(path), _) if is_same(path) => words.push_str(path),
            (None, Some((path, _))) if is_same(&words[path.clone()]) => words.extend_from_within(path.clone()),
            _ => issue.write_place(words),
        }
        issue.write_finding(words);
        written.is_short = bounded::is_sentence(&words[start..], FAULT);
        if !written.is_short {
            visible::escape_from(words, start);
        }
        written.message = start..words.len();
    }

    let words: &'f str = words;
    let shown = chosen.into_iter().zip(written).map(|((_, index, field), written)| {
        let (path, expected) = match (written.place, field) {
            (Some((path, expected)), _) => (&words[path], &words[expected]),
            (None, Some((hint, field))) => (hint.name(field), hint.expected(field)),
            (None, None) => ("", ""),
        };
        let field = field.map(|(_, field)| field);
        let message = &words[written.message];
        Shown { issue: &issues[index], field, path, expected, message, is_short: written.is_short }
    });
    shown.collect()
}

/// The ranges of the words of a fault.
#[derive(Default)]
struct Written {
    /// Its place and what would be accepted there, where they are not the words of the hint.
    place: Option<(Range<usize>, Range<usize>)>,
    message: Range<usize>,
    is_short: bool,
}
