//! A location in the arguments with its issues: [`IssueLocation`].
//!
//! The locations that have an issue in or below them form a tree. Each contains its part of the arguments, its issues, the missing
//! fields and items, and the correction. Invariant: each issue is either in the tree, at its location (at several locations if a key is
//! repeated), or in `elsewhere`; the work is linear in the size of the arguments and the number of issues; a hidden spot has no inner
//! spots.

mod apply_corrections;

use std::collections::HashMap;

use super::applicable_shapes::ApplicableShapes;
use super::replace_invalid_values;
use crate::hint;
use crate::issue::{Constraint, Expected, Issue, REDACTED, Segment};
use crate::json::{Json, Node};

/// The maximum number of issues to correct. More could not be shown, because even the shortest line of an issue takes 16 of the 4,096 bytes.
const MOST_CORRECTED: usize = 300;
/// The maximum number of members with the same key that are distinguished.
const REPETITIONS: usize = 16;
/// Only this many bytes of their values are compared.
const GOT: usize = 200;

/// An issue with the rank of its issue. The most important issue has rank 0.
#[derive(Clone, Copy)]
pub(super) struct Mark<'r> {
    pub(super) rank: usize,
    pub(super) issue: &'r Issue,
    /// The missing field that this unknown field was probably meant for.
    pub(super) renamed: Option<&'r Issue>,
    /// `true` if this is the missing field that an unknown field was probably meant for.
    is_rename_target: bool,
}

/// A location with an issue in or below it.
pub(super) struct IssueLocation<'r, 'j> {
    pub(super) json: &'r Json<'j>,
    pub(super) view: ApplicableShapes,
    /// `true` if the value must not be shown.
    pub(super) hidden: bool,
    /// The rank of the most important issue in or below this location.
    pub(super) rank: usize,
    /// The issues of the value itself; for a hidden value, all issues.
    pub(super) marks: Vec<Mark<'r>>,
    /// A note about the union at this location.
    pub(super) note: Option<String>,
    /// The members or items with an issue in or below them, each with its position.
    pub(super) inside: Vec<(usize, IssueLocation<'r, 'j>)>,
    pub(super) missing: Vec<Missing<'r>>,
    pub(super) mend: Mend,
}

impl IssueLocation<'_, '_> {
    /// Returns `true` if the value is replaced by a suggestion that has other letters: the model may have meant something else.
    pub(super) fn is_question(&self) -> bool {
        self.marks.first().is_some_and(|mark| mark.issue.suggestion.is_some() && !mark.issue.suggestion_is_certain())
    }
}

/// A missing member or item.
pub(super) struct Missing<'r> {
    pub(super) rank: usize,
    pub(super) key: Option<String>,
    pub(super) what: What<'r>,
    pub(super) placeholder: Json<'static>,
    /// `true` if a renamed member takes the place of the missing one.
    pub(super) is_renamed: bool,
}

/// The reason why a member or item is missing.
pub(super) enum What<'r> {
    Field(&'r Issue),
    Item(Expected),
    /// The number of further items that are not shown one by one.
    More(u64),
    /// A field of the variant that was meant. The checker cannot report the field until the tag is corrected.
    Consequence,
}

/// The correction of a spot.
pub(super) enum Mend {
    /// The value stays; only parts inside of it are wrong.
    Keep,
    Remove,
    Put(Json<'static>),
    /// A new key, and a new value if the sent value has to change too.
    Rename(String, Option<Json<'static>>),
}

/// Returns every issue with the rank of its issue.
pub(super) fn marks_by_rank(issues: &[Issue]) -> Vec<Mark<'_>> {
    let mut marks = Vec::with_capacity(issues.len());
    for (rank, (of_field, renamed)) in hint::faults(issues).into_iter().enumerate() {
        marks.extend(of_field.into_iter().map(|issue| Mark { rank, issue, renamed, is_rename_target: false }));
        marks.extend(renamed.map(|issue| Mark { rank, issue, renamed: None, is_rename_target: true }));
    }
    marks
}

impl Mark<'_> {
    /// Returns `true` if the checker decided that an unexpected value may be a secret.
    fn is_misplaced_secret(&self) -> bool {
        matches!(self.issue.constraint, Constraint::UnknownField { .. } | Constraint::Type(_))
            && *self.issue.got.preview == *REDACTED
    }

    fn is_repetition(&self) -> bool {
        matches!(self.issue.constraint, Constraint::RepeatedField { .. })
    }

    /// Returns the positions of members to remove because the object already has the field.
    fn superfluous<'p>(&self, positions: &'p [usize]) -> Option<&'p [usize]> {
        match &self.issue.constraint {
            Constraint::RepeatedField { other_name: Some(_) } => Some(positions),
            Constraint::RepeatedField { other_name: None } => positions.get(1..),
            _ => None,
        }
        .filter(|superfluous| !superfluous.is_empty())
    }
}

pub(super) fn spot<'r, 'j>(
    json: &'r Json<'j>,
    view: ApplicableShapes,
    marks: Vec<Mark<'r>>,
    depth: usize,
    elsewhere: &mut Vec<Mark<'r>>,
) -> IssueLocation<'r, 'j> {
    let rank = marks.iter().map(|mark| mark.rank).min().unwrap_or(usize::MAX);
    let is_here = |mark: &Mark<'_>| mark.issue.path.segments().len() == depth;
    let is_redacted = |mark: &Mark<'_>| is_here(mark) && *mark.issue.got.preview == *REDACTED;
    let view = if view.has_secrets() && marks.iter().any(is_redacted) { view.veiled() } else { view };
    let hidden = view.hides(json) || marks.iter().any(|mark| is_here(mark) && mark.is_misplaced_secret());
    let mut spot = IssueLocation {
        json,
        view,
        hidden,
        rank,
        marks,
        note: None,
        inside: Vec::new(),
        missing: Vec::new(),
        mend: Mend::Keep,
    };
    if !hidden {
        let (here, below) = std::mem::take(&mut spot.marks).into_iter().partition::<Vec<_>, _>(is_here);
        spot.marks = here;
        spot.descend(below, depth, elsewhere);
    }
    spot.lack_items();
    spot.repeat_items();
    // Removing a part takes no space, in memory or in a text.
    let is_left_out = |mark: &Mark<'_>| matches!(mark.issue.constraint, Constraint::UnknownField { .. });
    if rank < MOST_CORRECTED || hidden || spot.marks.iter().any(|mark| is_left_out(mark) || mark.is_repetition()) {
        spot.mend = spot.mended();
    }
    spot
}

/// The positions of the members whose keys occur in the issues.
struct Places {
    /// The index in `found` for each key, keyed by the address of the key's text. Issues share the text of a long key, so the text itself
    /// is hashed only once.
    lists: HashMap<(usize, usize), usize>,
    found: Vec<Vec<usize>>,
}

impl Places {
    fn from_marks(marks: &[Mark<'_>], depth: usize, json: &Json<'_>) -> Self {
        let (mut lists, mut names): (HashMap<_, _>, HashMap<&str, usize>) = (HashMap::new(), HashMap::new());
        for mark in marks {
            if let Some(Segment::Key(key)) = mark.issue.path.segments().get(depth) {
                lists.entry(place_of(key)).or_insert_with(|| {
                    let next = names.len();
                    *names.entry(key).or_insert(next)
                });
            }
        }
        let mut found = vec![Vec::new(); names.len()];
        for (position, member) in json.members().iter().enumerate() {
            if let Some(&list) = names.get(&*member.key) {
                found[list].push(position);
            }
        }
        Self { lists, found }
    }

    fn of_key(&self, key: &str) -> &[usize] {
        self.lists.get(&place_of(key)).map_or(&[], |&list| &self.found[list])
    }
}

fn place_of(key: &str) -> (usize, usize) {
    (key.as_ptr() as usize, key.len())
}

impl<'r> IssueLocation<'r, '_> {
    /// Passes each issue below this location on to the member or item that contains it.
    fn descend(&mut self, below: Vec<Mark<'r>>, depth: usize, elsewhere: &mut Vec<Mark<'r>>) {
        if below.is_empty() {
            return;
        }
        let json = self.json;
        let places = Places::from_marks(&below, depth, json);
        let hidden = self.hidden_keys(&below, depth);
        let mut groups: HashMap<usize, Vec<Mark<'r>>> = HashMap::new();
        for mark in below {
            let segments = mark.issue.path.segments();
            let position = match segments.get(depth) {
                Some(Segment::Key(_)) if hidden.contains_key(&std::ptr::from_ref(mark.issue)) => {
                    hidden.get(&std::ptr::from_ref(mark.issue)).copied()
                }
                Some(Segment::Key(key)) => {
                    let found = places.of_key(key);
                    let is_last = segments.len() == depth + 1;
                    if let Some(superfluous) = mark.superfluous(found).filter(|_| is_last) {
                        for &position in superfluous {
                            groups.entry(position).or_default().push(mark);
                        }
                        continue;
                    }
                    among(found, json, &mark, is_last)
                }
                Some(Segment::Index(index)) => (*index < json.items().len()).then_some(*index),
                None => None,
            };
            match position {
                Some(position) => groups.entry(position).or_default().push(mark),
                None if matches!(json.node, Node::Object(_)) && mark.is_missing_at(depth) => self.lack(mark),
                None => elsewhere.push(mark),
            }
        }
        let mut positions: Vec<_> = groups.into_iter().collect();
        positions.sort_unstable_by_key(|&(position, _)| position);
        for (position, marks) in positions {
            let (inner, view) = match (json.members().get(position), json.items().get(position)) {
                (Some(member), _) => (&member.value, self.view.member(json, &member.key)),
                (None, Some(item)) => (item, self.view.item(json, position)),
                (None, None) => continue,
            };
            self.inside.push((position, spot(inner, view, marks, depth + 1, elsewhere)));
        }
        self.name_again();
        self.follow_tag();
    }

    /// Returns the positions of members whose keys are hidden in their issues. The checker reported them in the order in which they were
    /// sent.
    fn hidden_keys(&self, below: &[Mark<'r>], depth: usize) -> HashMap<*const Issue, usize> {
        let is_hidden = |mark: &&Mark<'_>| mark.issue.has_hidden_key() && mark.issue.path.segments().len() == depth + 1;
        let mut issues: Vec<_> = below.iter().filter(is_hidden).map(|mark| std::ptr::from_ref(mark.issue)).collect();
        if issues.is_empty() {
            return HashMap::new();
        }
        issues.sort_unstable();
        let members = self.json.members().iter().enumerate();
        let unknown = members.filter(|(_, member)| self.view.key(self.json, &member.key) != &*member.key);
        issues.into_iter().zip(unknown.map(|(position, _)| position)).collect()
    }

    fn lack(&mut self, mark: Mark<'r>) {
        let issue = mark.issue;
        self.missing.push(Missing {
            rank: mark.rank,
            key: issue.path.last_key().map(str::to_owned),
            what: What::Field(issue),
            placeholder: if mark.rank < MOST_CORRECTED {
                replace_invalid_values::missing(&issue.expected, &issue.description)
            } else {
                Json::from_node(Node::Null)
            },
            is_renamed: mark.is_rename_target,
        });
    }
}

impl Mark<'_> {
    fn is_missing_at(&self, depth: usize) -> bool {
        matches!(self.issue.constraint, Constraint::Required) && self.issue.path.segments().len() == depth + 1
    }
}

/// Returns the position of the faulty member among members with the same key.
fn among(positions: &[usize], json: &Json<'_>, mark: &Mark<'_>, is_last: bool) -> Option<usize> {
    let (&first, others) = positions.split_first()?;
    if others.is_empty() || !is_last {
        return Some(first);
    }
    let got = mark.issue.got.json.as_deref();
    let is_meant = |&&position: &&usize| match json.members().get(position).map(|member| &member.value) {
        Some(Json { node: Node::Array(_) | Node::Object(_), .. }) | None => false,
        Some(value) => got == Some(value.preview(GOT).text.as_str()),
    };
    positions.iter().take(REPETITIONS).find(is_meant).copied().or(Some(first))
}
