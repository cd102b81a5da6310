//! One field of a hint: the ranges of its texts, and the index of its issue.

use std::ops::Range;

use super::group_by_field::Fault;
use super::{MAX_EXPECTED_BYTES, entry, push_path};
use crate::bounded;
use crate::issue::{ExpectedFacts, Issue, Path};

/// A field that a hint names, with the texts of the field's path and expectation.
#[derive(Clone, Debug)]
pub struct HintedField {
    /// The range of the field's path in the hint's `words`.
    pub(super) name: Range<usize>,
    /// The range of the field's expectation in the hint's `words`.
    pub(super) expected: Range<usize>,
    /// The index of the issue that the texts describe.
    pub(super) issue: usize,
    pub(super) is_missing: bool,
    pub(super) has_entry: bool,
    /// For a rename, the index of the missing field's issue.
    pub(super) renamed: Option<usize>,
}

impl HintedField {
    /// Returns the number of faulty fields that this one stands for: two for a rename, which includes the missing
    /// field, or else one.
    pub(super) const fn places(&self) -> usize {
        1 + self.renamed.is_some() as usize
    }

    /// Returns `true` if the texts describe the issue with this index.
    pub const fn is_about_issue(&self, issue: usize) -> bool {
        self.issue == issue
    }

    /// Returns the correct key, if this is an unknown field that was probably meant as a missing field.
    pub fn correct_key<'i>(&self, issues: &'i [Issue]) -> Option<&'i str> {
        issues[self.renamed?].path.last_key()
    }

    /// Returns `true` if this is an unknown field that was probably meant as the missing field at this path.
    pub fn is_rename_of(&self, issues: &[Issue], path: &Path) -> bool {
        self.renamed.is_some_and(|missing| issues[missing].path.equals(path))
    }

    /// Appends the texts for an issue to `words`, and stores the facts about the issue in `facts`.
    pub(super) fn write(fault: &Fault<'_>, words: &mut String, facts: &mut ExpectedFacts) -> Self {
        let issue = fault.issue();
        let start = words.len();
        push_path(words, issue);
        let end = words.len();
        issue.expected.describe(words, facts);
        if issue.expected.is_optional && issue.expected.shape.is_some() {
            words.push_str(", or leave it out");
        }
        bounded::cut_sentence_in_place(words, end, MAX_EXPECTED_BYTES);
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
