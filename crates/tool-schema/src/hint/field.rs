//! One field of a hint: the ranges of its words, and the issue that they are about.

use std::ops::Range;

use super::fault::Fault;
use super::{EXPECTED, entry, push_path};
use crate::bounded;
use crate::issue::{Facts, Issue, Path};

/// A field that a hint names, and the words for it.
#[derive(Clone, Debug)]
pub struct HintedField {
    /// The ranges of its path and its expectation in the words of the hint.
    pub(super) name: Range<usize>,
    pub(super) expected: Range<usize>,
    /// Which of the issues these are the words of.
    pub(super) issue: usize,
    pub(super) is_missing: bool,
    pub(super) has_entry: bool,
    /// For a rename, which of the issues is that of the field that it becomes.
    pub(super) renamed: Option<usize>,
}

impl HintedField {
    /// The number of faulty locations that it describes.
    pub(super) const fn places(&self) -> usize {
        1 + self.renamed.is_some() as usize
    }

    /// `true` if its words are those of this issue.
    pub const fn speaks_of(&self, issue: usize) -> bool {
        self.issue == issue
    }

    /// The key that it should have had, where it is an unknown field that stands for a missing one.
    pub fn renamed<'i>(&self, issues: &'i [Issue]) -> Option<&'i str> {
        issues[self.renamed?].path.last_key()
    }

    /// Checks that it stands for the missing field at this path.
    pub fn becomes(&self, issues: &[Issue], path: &Path) -> bool {
        self.renamed.is_some_and(|missing| issues[missing].path.is(path))
    }

    /// Writes the words for a fault, and fills in the facts that they are made of.
    pub(super) fn of(fault: &Fault<'_>, words: &mut String, facts: &mut Facts) -> Self {
        let issue = fault.issue();
        let start = words.len();
        push_path(words, issue);
        let end = words.len();
        issue.expected.describe(words, facts);
        bounded::sentence_from(words, end, EXPECTED);
        Self {
            name: start..end,
            expected: end..words.len(),
            issue: fault.index(),
            is_missing: fault.is_missing(),
            has_entry: entry::has_members(issue, facts),
            renamed: fault.renamed_index(),
        }
    }
}
