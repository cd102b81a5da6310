//! Finds the changes that all branches of a union have in common. They apply to an object even if its branch is not certain.
//!
//! Invariant: a key is renamed only if every branch that has the key renames it in the same way. A rejection therefore names keys that the
//! model was shown, whichever branch the model meant.

use super::inverse_plan::{Branch, Plan, PlanMembers};

/// The branch of a value.
pub(super) enum Belonging<'p> {
    /// The plan of the only branch, or of branches with the same plan.
    Certain(&'p Plan),
    /// The changes on which all possible branches agree.
    Open(Agreed<'p>),
}

/// The branches of a union, and of the unions inside it.
pub(super) struct Agreed<'p> {
    /// The branches that accept objects, except unions, with the changes in the members of these objects.
    branches: Vec<(&'p Branch, Option<&'p PlanMembers>)>,
}

impl<'p> Agreed<'p> {
    /// Compares branches, each with its plan, which is not a union.
    pub(super) fn on(leaves: &[(&'p Branch, &'p Plan)]) -> Self {
        let objects = leaves.iter().filter(|(branch, _)| !branch.objects.is_empty());
        let members = |plan: &'p Plan| match plan {
            Plan::Inside { object: Some(members), .. } => Some(&**members),
            _ => None,
        };
        Self { branches: objects.map(|(branch, plan)| (*branch, members(plan))).collect() }
    }

    /// For a key that the model was shown, returns the tool's key if it differs, and the changes in the value.
    pub(super) fn undo(&self, shown: &str) -> Option<(Option<&'p str>, &'p Plan)> {
        let mut found: Option<(Option<&str>, &Plan)> = None;
        for (_, members) in self.branches.iter().filter(|(branch, _)| has(branch, shown)) {
            let undo = members.and_then(|members| members.by_key.get(shown));
            let own = undo.and_then(|undo| undo.own_key.as_deref());
            let plan = undo.map_or(&Plan::Same, |undo| &undo.value);
            found = match found {
                None => Some((own, plan)),
                Some((other, _)) if other != own => return None,
                Some((_, other)) => Some((own, if other == plan { plan } else { &Plan::Same })),
            };
        }
        found
    }

    /// Returns the key that the model sees for a key of the tool, if the two differ.
    pub(super) fn shown_key(&self, own: &str) -> Option<&'p str> {
        let mut found = None;
        for (branch, members) in &self.branches {
            match members.and_then(|members| members.shown_key(own)) {
                Some(shown) if found.is_none_or(|known| known == shown) => found = Some(shown),
                None if !has(branch, own) => {}
                _ => return None,
            }
        }
        found
    }

    /// Returns the changes in the value of one of the tool's keys.
    pub(super) fn plan(&self, own: &str) -> Option<&'p Plan> {
        self.undo(self.shown_key(own).unwrap_or(own)).map(|(_, plan)| plan)
    }
}

/// Returns `true` if the model sees a key in a branch.
fn has(branch: &Branch, shown: &str) -> bool {
    branch.objects.iter().any(|keys| keys.by_key.contains_key(shown))
}
