//! Paths in what a tool takes, as paths in what a model was shown.

use super::inverse::{Inverse, chosen};
use super::plan::Plan;
use crate::issue::{Path, Segment};
use crate::json::Json;
use crate::shape::Text;

/// The number of plans that are followed for one step; only a union that is nothing but itself has more.
const HOPS: usize = 64;

impl Inverse {
    /// Returns the path that a model knows for a path in the restored arguments; `sent` is what it sent.
    ///
    /// A renamed key is written as it was shown, and a member of a map is the value of its entry. Where nothing was sent that tells the way, the
    /// rest of the path stays as it is.
    pub fn shown_path(&self, own: &Path, sent: &Json<'_>) -> Path {
        let (mut plan, mut at) = (self.root(), Some(sent));
        let mut shown = Vec::new();
        for segment in own.segments() {
            plan = self.followed(plan, at);
            match (plan, segment) {
                (Plan::Inside { object: Some(members), .. }, Segment::Key(key)) => {
                    let known = members
                        .by_key
                        .iter()
                        .find(|(name, undo)| undo.own_key.as_deref().map_or(***name == **key, |own| *own == **key));
                    let name = known.map_or_else(|| key.clone(), |(name, _)| Text::from(name.to_string()));
                    at = at.and_then(|at| at.get(&name));
                    plan = known.map(|(_, undo)| &undo.value).or(members.rest.as_ref()).unwrap_or(&Plan::Same);
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
        shown.into_iter().collect()
    }

    /// The plan behind definitions and unions.
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
