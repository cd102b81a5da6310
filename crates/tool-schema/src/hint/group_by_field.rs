//! Groups issues into issues and orders them: [`Fault`].
//!
//! Several issues of one field are one issue, and so are an unknown field and the missing field that it was probably
//! meant for. The order is documented in `docs/wire.md`. Invariant: every issue is in exactly one issue, issues of
//! equal rank stay in declaration order, and grouping takes no longer than sorting the issues.

use std::collections::BTreeMap;

use crate::issue::{Constraint, Issue, Path, Segment};
use crate::suggest::is_same_field;

/// Up to this number of issues, comparing them with each other costs less than a map.
const FEW: usize = 16;

/// One faulty field, or an unknown and a missing field that a rename corrects.
#[derive(Debug)]
pub(super) struct Fault<'i> {
    /// The index of the field's first issue among all issues.
    index: usize,
    /// The issues of the field; never empty.
    first: &'i Issue,
    others: Vec<&'i Issue>,
    /// The missing field that this unknown field was probably meant for, with the index of its first issue.
    renamed: Option<(usize, &'i Issue)>,
    /// The rank of the issue. If there is no room for all issues, those with the lowest ranks are shown (see
    /// `docs/wire.md`).
    rank: u8,
}

impl<'i> Fault<'i> {
    const fn new(index: usize, first: &'i Issue) -> Self {
        Self { index, first, others: Vec::new(), renamed: None, rank: rank(&first.constraint) }
    }

    /// Returns the index of the field's first issue among all issues.
    pub(super) const fn index(&self) -> usize {
        self.index
    }

    /// Returns the first issue of the field.
    pub(super) const fn issue(&self) -> &'i Issue {
        self.first
    }

    /// Returns all issues of the field itself, without the issue of the missing field that it was meant for.
    pub(super) fn issues(&self) -> impl Iterator<Item = &'i Issue> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Returns the missing field that this unknown field was probably meant for.
    pub(super) fn renamed(&self) -> Option<&'i Issue> {
        self.renamed.map(|(_, missing)| missing)
    }

    /// If this unknown field was probably meant to be a missing field, returns the index of that field's first issue.
    pub(super) fn renamed_index(&self) -> Option<usize> {
        self.renamed.map(|(index, _)| index)
    }

    pub(super) const fn is_missing(&self) -> bool {
        matches!(self.first.constraint, Constraint::Required)
    }

    /// Adds another issue of the field.
    fn add(&mut self, issue: &'i Issue) {
        self.rank = self.rank.min(rank(&issue.constraint));
        self.others.push(issue);
    }
}

/// The rank of an unknown field that was meant for a missing one.
const RENAMED: u8 = 3;

const fn rank(constraint: &Constraint) -> u8 {
    match constraint {
        Constraint::Syntax { .. }
        | Constraint::Depth { .. }
        | Constraint::MultipleDocuments { .. }
        | Constraint::Incomplete
        | Constraint::Wrapper { .. } => 0,
        Constraint::Discriminator { .. } => 1,
        Constraint::Type(_) | Constraint::AnyOf { .. } => 2,
        // Rank 3 is `RENAMED`.
        Constraint::Required => 4,
        Constraint::UnknownField { .. } | Constraint::RepeatedField { .. } => 5,
        Constraint::Enum(_) | Constraint::Values(_) => 6,
        Constraint::Format(_) | Constraint::Pattern(_) => 7,
        Constraint::Minimum(_)
        | Constraint::Maximum(_)
        | Constraint::ExclusiveMinimum(_)
        | Constraint::ExclusiveMaximum(_)
        | Constraint::MultipleOf(_)
        | Constraint::MinLength(_)
        | Constraint::MaxLength(_)
        | Constraint::MinItems(_)
        | Constraint::MaxItems(_)
        | Constraint::MinProperties(_)
        | Constraint::MaxProperties(_)
        | Constraint::UniqueItems { .. } => 8,
        Constraint::Keyword { .. } | Constraint::Stored { .. } | Constraint::Custom(_) => 9,
    }
}

/// Returns the first `most` issues, and the number of faulty fields.
pub(super) fn groups_by_rank(issues: &[Issue], most: usize) -> (Vec<Fault<'_>>, usize) {
    let mut faults = by_field(issues);
    let fields = faults.len();
    join_renamed(&mut faults);
    faults.sort_by_key(|fault| fault.rank);
    faults.truncate(most);
    (faults, fields)
}

fn by_field(issues: &[Issue]) -> Vec<Fault<'_>> {
    let mut faults: Vec<Fault<'_>> = Vec::with_capacity(issues.len());
    let mut known: BTreeMap<&Path, usize> = BTreeMap::new();
    let are_few = issues.len() <= FEW;
    for (index, issue) in issues.iter().enumerate() {
        if issue.has_hidden_key() {
            // Several hidden keys may have the same path.
            faults.push(Fault::new(index, issue));
            continue;
        }
        let is_it = |fault: &Fault<'_>| fault.first.path.equals(&issue.path) && !fault.first.has_hidden_key();
        let fault = if are_few { faults.iter().position(is_it) } else { known.get(&issue.path).copied() };
        if let Some(fault) = fault {
            faults[fault].add(issue);
            continue;
        }
        if !are_few {
            known.insert(&issue.path, faults.len());
        }
        faults.push(Fault::new(index, issue));
    }
    faults
}

/// The unknown and the missing fields of one object, as indices of issues.
#[derive(Default)]
struct Siblings {
    unknown: Vec<usize>,
    missing: Vec<usize>,
}

/// Joins each unknown field with the missing field that it was meant for, and removes the issue of the missing field.
fn join_renamed(faults: &mut Vec<Fault<'_>>) {
    if faults.len() <= FEW && !has_siblings(faults) {
        return;
    }
    let mut objects: BTreeMap<&[Segment], Siblings> = BTreeMap::new();
    for (index, fault) in faults.iter().enumerate() {
        let Some((_, object)) = fault.first.path.segments().split_last() else { continue };
        match fault.first.constraint {
            Constraint::UnknownField { .. } => objects.entry(object).or_default().unknown.push(index),
            Constraint::Required => objects.entry(object).or_default().missing.push(index),
            _ => {}
        }
    }
    let mut renamed: BTreeMap<usize, usize> = BTreeMap::new();
    let has_both = |siblings: &&mut Siblings| !siblings.unknown.is_empty() && !siblings.missing.is_empty();
    for siblings in objects.values_mut().filter(has_both) {
        siblings.pair_alike(faults, &mut renamed);
    }
    for (&missing, &unknown) in &renamed {
        faults[unknown].renamed = Some((faults[missing].index, faults[missing].first));
        faults[unknown].rank = RENAMED;
    }
    let mut index = 0;
    faults.retain(|_| {
        index += 1;
        !renamed.contains_key(&(index - 1))
    });
}

/// Returns `true` if an object has both an unknown field and a missing one.
fn has_siblings(faults: &[Fault<'_>]) -> bool {
    let is_unknown = |fault: &&Fault<'_>| matches!(fault.first.constraint, Constraint::UnknownField { .. });
    faults.iter().filter(is_unknown).any(|unknown| {
        let object = unknown.first.path.segments().split_last().map(|(_, object)| object);
        let is_sibling = |fault: &Fault<'_>| {
            fault.is_missing() && fault.first.path.segments().split_last().map(|(_, other)| other) == object
        };
        faults.iter().any(is_sibling)
    })
}

impl Siblings {
    /// Pairs each unknown field with the missing field of which it is certainly another spelling.
    fn pair_alike(&mut self, faults: &[Fault<'_>], renamed: &mut BTreeMap<usize, usize>) {
        let names: BTreeMap<_, _> = self
            .missing
            .iter()
            .filter_map(|&missing| Some((faults[missing].first.path.last_key()?, missing)))
            .collect();
        self.unknown.retain(|&unknown| {
            let issue = faults[unknown].first;
            let is_it = |name: &&str| issue.path.last_key().is_some_and(|key| is_same_field(key, name));
            let meant = issue.suggestion.as_deref().filter(is_it).and_then(|name| names.get(name));
            let Some(&missing) = meant.filter(|missing| !renamed.contains_key(missing)) else { return true };
            renamed.insert(missing, unknown);
            false
        });
        self.missing.retain(|missing| !renamed.contains_key(missing));
    }
}
