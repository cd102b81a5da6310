//! Finds the changes that all branches of a union have in common. They apply to an object even if its branch is not certain.
//!
//! Invariant: a key is renamed only if every branch that has the key renames it in the same way. A refusal therefore names keys that the
//! model was shown, whichever branch the model meant.

use super::plan::{Branch, Members, Plan};

/// The branches of a union.
#[derive(Clone, Copy)]
pub(super) struct Agreed<'p, F> {
    branches: &'p [Branch],
    /// Replaces a plan that refers to a definition by the plan of that definition.
    behind: F,
}

impl<'p, F: Fn(&'p Plan) -> &'p Plan> Agreed<'p, F> {
    pub(super) const fn on(branches: &'p [Branch], behind: F) -> Self {
        Self { branches, behind }
    }

    /// For a key that the model was shown, returns the tool's key if it differs, and the changes in the value.
    pub(super) fn undo(&self, shown: &str) -> Option<(Option<&'p str>, &'p Plan)> {
        let mut found: Option<(Option<&str>, &Plan)> = None;
        for branch in self.branches.iter().filter(|branch| has(branch, shown)) {
            let undo = self.members(branch).and_then(|members| members.by_key.get(shown));
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
        for branch in self.branches {
            match self.members(branch).and_then(|members| members.shown_key(own)) {
                Some(shown) if found.is_none_or(|known| known == shown) => found = Some(shown),
                None if !has(branch, own) => {}
                _ => return None,
            }
        }
        found
    }

    /// Returns the changes in the value of one of the tool's keys.
    pub(super) fn plan(&self, own: &str) -> &'p Plan {
        let shown = self.shown_key(own).unwrap_or(own);
        self.undo(shown).map_or(&Plan::Same, |(_, plan)| plan)
    }

    fn members(&self, branch: &'p Branch) -> Option<&'p Members> {
        match (self.behind)(&branch.plan) {
            Plan::Inside { object: Some(members), .. } => Some(members),
            _ => None,
        }
    }
}

/// Returns `true` if the model sees a key in a branch.
fn has(branch: &Branch, shown: &str) -> bool {
    branch.objects.iter().any(|keys| keys.by_key.contains_key(shown))
}
