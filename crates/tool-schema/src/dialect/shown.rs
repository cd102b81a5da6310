//! Converts paths in the tool's arguments into paths in the form that the model saw.

use super::agreed::Agreed;
use super::inverse::{Inverse, chosen};
use super::plan::{Branch, Members, Plan};
use crate::issue::{Path, Segment};
use crate::json::Json;
use crate::shape::Text;

/// The maximum number of plans that are followed for one step. Only a union that consists of nothing but itself exceeds
/// it.
const HOPS: usize = 64;

/// A location in the form that the model saw.
pub(super) struct Location<'p> {
    pub(super) path: Path,
    /// The changes that are undone at the location; for a union, those of the branch of the value, if it is certain.
    pub(super) plan: &'p Plan,
    /// The changes that are undone at the location, for every branch of a union.
    pub(super) whole: &'p Plan,
    /// The changes that are undone in the object around it.
    pub(super) siblings: Option<Siblings<'p>>,
    /// `true` if the location is the value of an entry.
    pub(super) is_value: bool,
}

/// The changes that are undone in an object.
#[derive(Clone, Copy)]
pub(super) enum Siblings<'p> {
    Members(&'p Members),
    /// The object may match any of these branches of a union.
    Branches(&'p [Branch]),
}

impl<'p> Siblings<'p> {
    /// Returns the key that the model sees for a key of the tool, if the two differ.
    pub(super) fn shown_key(self, inverse: &'p Inverse, own: &str) -> Option<&'p str> {
        match self {
            Self::Members(members) => members.shown_key(own),
            Self::Branches(branches) => Agreed::on(inverse, branches).shown_key(own),
        }
    }

    fn plan(self, inverse: &'p Inverse, own: &str) -> &'p Plan {
        match self {
            Self::Members(members) => members.of_own_key(own).unwrap_or(&Plan::Same),
            Self::Branches(branches) => Agreed::on(inverse, branches).plan(own),
        }
    }
}

impl Inverse {
    /// Translates a path in the restored arguments into the corresponding path in `sent`, the arguments that the model sent.
    ///
    /// A renamed key is replaced by the key that the model saw, and a member of a map by the value of its entry. If the sent arguments do
    /// not contain the location, the rest of the path stays unchanged.
    pub fn shown_path(&self, own: &Path, sent: &Json<'_>) -> Path {
        self.locate(own, sent).path
    }

    /// Translates a path in the restored arguments into the location in the form that the model was shown.
    pub(super) fn locate(&self, own: &Path, sent: &Json<'_>) -> Location<'_> {
        let (mut plan, mut at) = (self.root(), Some(sent));
        let (mut siblings, mut is_value) = (None, false);
        let mut shown = Vec::new();
        for segment in own.segments() {
            plan = self.followed(plan, at);
            (siblings, is_value) = (None, false);
            let around = match plan {
                Plan::Inside { object: Some(members), .. } => Some(Siblings::Members(members)),
                Plan::Union(branches) => Some(Siblings::Branches(branches)),
                _ => None,
            };
            match (around, plan, segment) {
                (Some(around), _, Segment::Key(key)) => {
                    let name =
                        around.shown_key(self, key).map_or_else(|| key.clone(), |name| Text::from(name.to_owned()));
                    at = at.and_then(|at| at.get(&name));
                    plan = around.plan(self, key);
                    siblings = Some(around);
                    shown.push(Segment::Key(name));
                }
                (_, Plan::Inside { items: Some(items), .. }, Segment::Index(index)) => {
                    at = at.and_then(|at| at.items().get(*index));
                    plan = items;
                    shown.push(segment.clone());
                }
                (_, Plan::Entries(value), Segment::Key(key)) => {
                    let is_entry = |entry: &Json<'_>| entry.get("key").and_then(Json::as_str) == Some(key);
                    if let Some(index) = at.and_then(|at| at.items().iter().position(is_entry)) {
                        is_value = true;
                        shown.extend([Segment::Index(index), Segment::Key(Text::new("value"))]);
                        at = at.and_then(|at| at.items().get(index)?.get("value"));
                    } else {
                        shown.push(segment.clone());
                        at = at.and_then(|at| at.get(key));
                    }
                    plan = value;
                }
                _ => {
                    shown.push(segment.clone());
                    (plan, at) = (&Plan::Same, None);
                }
            }
        }
        let path = shown.into_iter().collect();
        Location { path, plan: self.followed(plan, at), whole: self.behind(plan), siblings, is_value }
    }

    /// Replaces a plan by the plan that applies to the value: for a definition, the plan of that definition; for a union whose branch is
    /// certain, the plan of that branch.
    fn followed<'p>(&'p self, mut plan: &'p Plan, at: Option<&Json<'_>>) -> &'p Plan {
        for _ in 0..HOPS {
            plan = match plan {
                Plan::Definition(index) => self.definition(*index),
                Plan::Union(branches) => match at.and_then(|at| chosen(branches, at)) {
                    Some(branch) => &branch.plan,
                    None => return plan,
                },
                _ => return plan,
            };
        }
        &Plan::Same
    }
}
