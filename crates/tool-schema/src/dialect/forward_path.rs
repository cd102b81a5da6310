//! Converts paths in the tool's arguments into paths in the form that the model saw.

use super::common_branch_changes::{Agreed, Belonging};
use super::inverse::Inverse;
use super::inverse_plan::{Plan, PlanMembers};
use crate::issue::{Path, Segment};
use crate::json::Json;
use crate::shape::Text;

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
pub(super) struct Siblings<'p> {
    members: Option<&'p PlanMembers>,
    /// The union to which the object belongs. An issue may be about keys of another branch.
    union: Option<Agreed<'p>>,
}

impl<'p> Siblings<'p> {
    /// Returns the key that the model sees for a key of the tool.
    pub(super) fn shown_key(&self, own: &Text) -> Text {
        let of_members = self.members.and_then(|members| members.shown_key(own));
        let shown = of_members.or_else(|| self.union.as_ref()?.shown_key(own));
        shown.map_or_else(|| own.clone(), |shown| Text::from(shown.to_owned()))
    }

    /// Returns the changes that are undone in the value of a key of the tool.
    fn plan(&self, own: &str) -> Option<&'p Plan> {
        let of_members = self.members.and_then(|members| members.of_own_key(own));
        of_members.or_else(|| self.union.as_ref()?.plan(own))
    }
}

impl Inverse {
    /// Translates a path in the restored arguments into the corresponding path in `sent`, the arguments that the model sent.
    ///
    /// A renamed key is replaced by the key that the model saw, and a member of a map by the value of its entry. If the sent arguments do
    /// not contain the location, the rest of the path stays unchanged.
    pub fn path_in_sent_arguments(&self, own: &Path, sent: &Json<'_>) -> Path {
        self.locate(own, sent).path
    }

    /// Translates a path in the restored arguments into the location in the form that the model was shown.
    pub(super) fn locate(&self, own: &Path, sent: &Json<'_>) -> Location<'_> {
        let (mut plan, mut at) = (self.root(), Some(sent));
        let (mut siblings, mut is_value) = (None, false);
        let mut shown = Vec::new();
        for segment in own.segments() {
            let union = if let Plan::Union(branches) = self.behind(plan) { Some(self.leaves(branches)) } else { None };
            plan = self.plan_for_value(plan, at);
            let members = if let Plan::Inside { object: Some(members), .. } = plan { Some(&**members) } else { None };
            let around = Siblings { members, union: union.map(|leaves| Agreed::on(&leaves)) };
            (siblings, is_value) = (None, false);
            if let (Plan::Entries(value), Segment::Key(key)) = (plan, segment)
                && let Some((index, entry)) = entry(at, key)
            {
                (plan, at, is_value) = (value, Some(entry), true);
                siblings = Some(around);
                shown.extend([Segment::Index(index), Segment::Key(Text::from_static("value"))]);
                continue;
            }
            match (plan, segment) {
                (Plan::Inside { items: Some(items), .. }, Segment::Index(index)) => {
                    at = at.and_then(|at| at.items().get(*index));
                    plan = items;
                    shown.push(segment.clone());
                }
                (_, Segment::Key(key)) => {
                    let name = around.shown_key(key);
                    at = at.and_then(|at| at.get(&name));
                    let rest = if let Plan::Entries(value) = plan { &**value } else { &Plan::Same };
                    plan = around.plan(key).unwrap_or(rest);
                    siblings = Some(around);
                    shown.push(Segment::Key(name));
                }
                _ => {
                    shown.push(segment.clone());
                    (plan, at) = (&Plan::Same, None);
                }
            }
        }
        let path = shown.into_iter().collect();
        Location { path, plan: self.plan_for_value(plan, at), whole: self.behind(plan), siblings, is_value }
    }

    /// Replaces a plan by the plan that applies to the value: for a definition, the plan of that definition; for a union whose branch is
    /// certain, the plan of that branch.
    fn plan_for_value<'p>(&'p self, plan: &'p Plan, at: Option<&Json<'_>>) -> &'p Plan {
        let plan = self.behind(plan);
        match (plan, at) {
            (Plan::Union(branches), Some(at)) => match self.chosen(branches, at) {
                Belonging::Certain(branch) => branch,
                Belonging::Open(_) => plan,
            },
            _ => plan,
        }
    }
}

/// Returns the entry of a map with a key: its index and its value.
fn entry<'j, 'a>(map: Option<&'j Json<'a>>, key: &str) -> Option<(usize, &'j Json<'a>)> {
    let has_key = |entry: &Json<'_>| entry.get("key").and_then(Json::as_str) == Some(key);
    let (index, entry) = map?.items().iter().enumerate().find(|(_, entry)| has_key(entry))?;
    Some((index, entry.get("value")?))
}
