//! Corrects a spot: its value, its name, and the missing members and items.
//!
//! Invariant: a value is only replaced by a certain correction or a placeholder, no name is used twice, and values that only the model can
//! know are never guessed.

use std::collections::HashSet;

use super::super::replace_invalid_values;
use super::{IssueLocation, Mend, Missing, What};
use crate::issue::{Constraint, Expected, Issue, REDACTED, to_escaped_text};
use crate::json::build::string;
use crate::json::{Json, Node};
use crate::suggest::is_same_field;

impl IssueLocation<'_, '_> {
    /// Adds the missing items of an array, and a missing member of a map.
    pub(super) fn lack_items(&mut self) {
        let found = self.marks.iter().find_map(|mark| match mark.issue.constraint {
            Constraint::MinItems(least) => Some((mark.rank, &mark.issue.expected, least)),
            Constraint::MinProperties(_) if !self.hidden => {
                let expected = replace_invalid_values::item(&mark.issue.expected, 0)?;
                let placeholder = replace_invalid_values::missing(&expected, "");
                let (rank, key) = (mark.rank, Some("<another key>".to_owned()));
                self.missing.push(Missing { rank, key, what: What::Item(expected), placeholder, is_renamed: false });
                None
            }
            _ => None,
        });
        let (Some((rank, expected, least)), false) = (found, self.hidden) else { return };
        let sent = self.json.items().len();
        let lacking = least.saturating_sub(sent as u64);
        for index in sent..sent + usize::try_from(lacking).unwrap_or(usize::MAX).min(replace_invalid_values::ITEMS) {
            let Some(expected) = replace_invalid_values::item(expected, index) else { return };
            let placeholder = replace_invalid_values::missing(&expected, "");
            self.missing.push(Missing { rank, key: None, what: What::Item(expected), placeholder, is_renamed: false });
        }
        if lacking > replace_invalid_values::ITEMS as u64 {
            let more = lacking - replace_invalid_values::ITEMS as u64;
            let placeholder = string(format!("<{more} more items>"));
            self.missing.push(Missing { rank, key: None, what: What::More(more), placeholder, is_renamed: false });
        }
    }

    /// Corrects the second of two equal items.
    pub(super) fn repeat_items(&mut self) {
        for mark in self.marks.clone() {
            let Constraint::UniqueItems { second, .. } = mark.issue.constraint else { continue };
            let json = self.json;
            let (Some(item), Err(at)) =
                (json.items().get(second), self.inside.binary_search_by_key(&second, |&(position, _)| position))
            else {
                continue;
            };
            let mend = replace_invalid_values::item(&mark.issue.expected, second).map_or(Mend::Remove, |expected| {
                Mend::Put(string(format!("<another {}>", to_escaped_text(&expected))))
            });
            let view = self.view.item(json, second);
            let hidden = view.hides(item);
            let spot = IssueLocation {
                json: item,
                hidden,
                view,
                rank: mark.rank,
                marks: Vec::new(),
                note: None,
                inside: Vec::new(),
                missing: Vec::new(),
                mend,
            };
            self.inside.insert(at, (second, spot));
        }
    }

    /// Returns the correction of the value, apart from its key.
    pub(super) fn mended(&self) -> Mend {
        let Some(mark) = self.marks.first() else { return Mend::Keep };
        if self.hidden {
            return Mend::Put(replace_invalid_values::in_place_of(mark.issue));
        }
        let is_container = matches!(self.json.node, Node::Array(_) | Node::Object(_));
        match &mark.issue.constraint {
            Constraint::UnknownField { .. } => Mend::Remove,
            Constraint::Discriminator { is_key: true, .. } => {
                let name = mark.issue.suggestion.as_ref().map(ToString::to_string);
                Mend::Rename(name.unwrap_or_else(|| "<one of the names that are known>".to_owned()), None)
            }
            _ if mark.is_repetition() => Mend::Remove,
            // Only the model can know which part of the value has to change.
            Constraint::MinItems(_)
            | Constraint::MinProperties(_)
            | Constraint::UniqueItems { .. }
            | Constraint::Wrapper { .. } => Mend::Keep,
            Constraint::Custom(_) if is_container => Mend::Keep,
            _ => Mend::Put(
                replace_invalid_values::certain(mark.issue, self.json)
                    .unwrap_or_else(|| replace_invalid_values::in_place_of(mark.issue)),
            ),
        }
    }

    /// Gives unknown members their corrected names, but uses each name only once.
    pub(super) fn name_again(&mut self) {
        let json = self.json;
        let mut used: HashSet<&str> = HashSet::new();
        let mut names: Vec<(usize, String, Option<Expected>)> = Vec::new();
        for (index, (_, inner)) in self.inside.iter().enumerate() {
            let Some(mark) = inner.marks.first().filter(|_| matches!(inner.mend, Mend::Remove | Mend::Put(_))) else {
                continue;
            };
            let Constraint::UnknownField { .. } = mark.issue.constraint else { continue };
            let missing = mark.renamed.and_then(|missing| Some((missing.path.last_key()?, Some(&missing.expected))));
            let Some((name, expected)) = missing.or_else(|| Some((other_spelling(mark.issue)?, None))) else {
                continue;
            };
            if used.insert(name) {
                let expected =
                    expected.map(|expected| Expected::clone(expected)).or_else(|| self.view.field(json, name));
                names.push((index, name.to_owned(), expected));
            }
        }
        for (index, name, expected) in names {
            let Some((_, inner)) = self.inside.get_mut(index) else { continue };
            let value = if inner.hidden {
                Some(string(REDACTED.to_owned()))
            } else {
                expected.and_then(|expected| replace_invalid_values::fitting(&expected, inner.json))
            };
            inner.mend = Mend::Rename(name, value);
        }
    }

    /// Adds the missing fields of the variant that a corrected tag selects.
    pub(super) fn follow_tag(&mut self) {
        let json = self.json;
        for (position, inner) in &self.inside {
            let (Some(mark), Mend::Put(Json { node: Node::String(name), .. })) = (inner.marks.first(), &inner.mend)
            else {
                continue;
            };
            let (Constraint::Discriminator { tag: Some(tag), .. }, true) =
                (&mark.issue.constraint, mark.issue.suggestion.is_some())
            else {
                continue;
            };
            if json.members().get(*position).is_none_or(|member| member.key != **tag) {
                continue;
            }
            let Some(payload) = self.view.payload(json, tag, name) else { continue };
            for (key, expected) in payload.facts().required_fields {
                if json.get(&key).is_none() {
                    self.missing.push(Missing {
                        rank: mark.rank,
                        key: Some(key.to_string()),
                        placeholder: replace_invalid_values::missing(&expected, ""),
                        what: What::Consequence,
                        is_renamed: false,
                    });
                }
            }
        }
    }
}

/// Returns the suggested name of an unknown field, if the field is certainly another spelling of it.
fn other_spelling(issue: &Issue) -> Option<&str> {
    let key = issue.path.last_key()?;
    issue.suggestion.as_deref().filter(|name| is_same_field(key, name))
}
