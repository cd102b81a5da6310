//! Converts paths in the tool's arguments into paths in the form that the model saw.

use super::inverse::{Inverse, chosen};
use super::plan::{Members, Plan};
use crate::issue::{Path, Segment};
use crate::json::Json;
use crate::shape::Text;

/// The maximum number of plans that are followed for one step. Only a union that consists of nothing but itself exceeds
/// it.
const HOPS: usize = 64;

/// A location in the form that the model saw.
pub(super) struct Location<'p> {
    pub(super) path: Path,
    /// The changes that are undone at the location.
    pub(super) plan: &'p Plan,
    /// The changes that are undone in the object around it.
    pub(super) siblings: Option<&'p Members>,
    /// Is `true` if the location is the value of an entry.
    pub(super) is_value: bool,
}

impl Inverse {
    /// Translates a path in the restored arguments into the path in the form that the model was shown; `sent` contains the model's arguments.
    ///
    /// A renamed key is replaced by the shown key, and a member of a map by the value of its entry. If the sent
    /// arguments do not contain the location, the rest of the path stays unchanged.
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
            match (plan, segment) {
                (Plan::Inside { object: Some(members), .. }, Segment::Key(key)) => {
                    let name = members.shown_key(key).map_or_else(|| key.clone(), |name| Text::from(name.to_owned()));
                    at = at.and_then(|at| at.get(&name));
                    plan = members.of_own_key(key).unwrap_or(&Plan::Same);
                    siblings = Some(&**members);
                    shown.push(Segment::Key(name));
                }
                (Plan::Inside { items: Some(items), .. }, Segment::Index(index)) => {
                    at = at.and_then(|at| at.items().get(*index));
                    plan = items;
                    shown.push(segment.clone());
                }
                (Plan::Entries(value), Segment::Key(key)) => {
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
        Location { path: shown.into_iter().collect(), plan: self.followed(plan, at), siblings, is_value }
    }

    /// Resolves definitions and unions to the plan behind them.
    fn followed<'p>(&'p self, mut plan: &'p Plan, at: Option<&Json<'_>>) -> &'p Plan {
        for _ in 0..HOPS {
            plan = match plan {
                Plan::Definition(index) => self.definition(*index),
                Plan::Union(branches) => {
                    at.and_then(|at| chosen(branches, at)).map_or(&Plan::Same, |branch| &branch.plan)
                }
                _ => return plan,
            };
        }
        &Plan::Same
    }
}
