//! Finds the branch of a union to which a value belongs.
//!
//! In: a value in the form that the model saw ([`Inverse::chosen`]), or in the form that the tool accepts ([`Inverse::meant`]). Out: the plan
//! of its branch, or the changes on which its possible branches agree. A union inside of a union is not a branch, but its branches are.
//! Invariant: the work is linear in the number of branches and in the size of the value.

use std::collections::HashSet;

use super::common_branch_changes::{Agreed, Belonging};
use super::distinguish_branches::Keys;
use super::inverse::Inverse;
use super::inverse_plan::{Branch, Plan};
use crate::fast_hash::RandomHashState;
use crate::json::{Json, Node};

/// A branch and its plan, which is neither a union nor a reference to a definition.
type Leaf<'p> = (&'p Branch, &'p Plan);

impl Inverse {
    /// Finds the branch that matches a value in the form that the model saw.
    pub(super) fn chosen<'p>(&'p self, union: &'p [Branch], json: &Json<'_>) -> Belonging<'p> {
        let leaves = self.leaves(union);
        match &json.node {
            Node::Array(_) => {
                let arrays = || leaves.iter().filter(|(branch, _)| branch.has_arrays).map(|(_, plan)| *plan);
                let plan = arrays().find(|plan| !matches!(plan, Plan::Same)).or_else(|| arrays().next());
                plan.map_or_else(|| Belonging::Open(Agreed::on(&leaves)), Belonging::Certain)
            }
            Node::Object(members) => of_object(&leaves, members.is_empty(), |_, keys, is| is(keys, json)),
            _ => Belonging::Open(Agreed::on(&leaves)),
        }
    }

    /// Finds the branch that describes `own`, a value in the form that the tool accepts.
    pub(super) fn meant<'p>(&'p self, union: &'p [Branch], own: &Json<'_>) -> Belonging<'p> {
        let leaves = self.leaves(union);
        match &own.node {
            Node::Array(_) => {
                let is_array = |(branch, plan): &&Leaf<'_>| branch.has_arrays && !matches!(plan, Plan::Entries(_));
                // An array in place of a map contains entries that could not be converted back.
                let array = leaves.iter().find(is_array).map(|(_, plan)| *plan);
                let plan = array.or_else(|| map_of(&leaves));
                plan.map_or_else(|| Belonging::Open(Agreed::on(&leaves)), Belonging::Certain)
            }
            Node::Object(members) => {
                let written: Vec<_> = leaves.iter().map(|(_, plan)| self.outline(plan, members)).collect();
                of_object(&leaves, members.is_empty(), |index, keys, is| is(keys, &written[index]))
            }
            _ => Belonging::Open(Agreed::on(&leaves)),
        }
    }

    /// Returns the branches of a union, and of the unions inside it, that accept objects or arrays.
    pub(super) fn leaves<'p>(&'p self, union: &'p [Branch]) -> Vec<Leaf<'p>> {
        let (mut open, mut leaves) = (vec![union], Vec::new());
        // A union may contain itself.
        let mut seen = HashSet::with_hasher(RandomHashState::default());
        while let Some(union) = open.pop() {
            if !seen.insert(union.as_ptr()) {
                continue;
            }
            for branch in union.iter().filter(|branch| branch.has_arrays || !branch.objects.is_empty()) {
                match self.behind(&branch.plan) {
                    Plan::Union(inner) => open.push(inner),
                    plan => leaves.push((branch, plan)),
                }
            }
        }
        leaves
    }
}

/// Finds the branch to which an object belongs. `passes` compares the object, as the model sees it in the branch at an index, with keys.
fn of_object<'p>(
    leaves: &[Leaf<'p>],
    is_empty: bool,
    passes: impl Fn(usize, &Keys, fn(&Keys, &Json<'_>) -> bool) -> bool,
) -> Belonging<'p> {
    let of = |is: fn(&Keys, &Json<'_>) -> bool| {
        let passing = leaves
            .iter()
            .enumerate()
            .filter(|(index, (branch, _))| branch.objects.iter().any(|keys| passes(*index, keys, is)));
        passing.map(|(_, leaf)| *leaf).collect::<Vec<_>>()
    };
    // Indistinguishable branches have equal plans, so the first one is taken.
    if let [(_, plan), ..] = of(Keys::fits)[..] {
        return Belonging::Certain(plan);
    }
    let map = map_of(leaves);
    if let (true, Some(map)) = (is_empty, map) {
        return Belonging::Certain(map);
    }
    // If a key is missing or has another form, the branch is still certain if only one branch has all the other keys.
    let known = of(Keys::knows);
    if let Some(only) = only(&known) {
        return Belonging::Certain(only);
    }
    // Even if an object has issues, its tag names the branch.
    let named = of(Keys::is_named_by);
    if let Some(only) = only(&named) {
        return Belonging::Certain(only);
    }
    // The model may have sent a map in place of the requested entries. Its keys may equal those of an object with other values, so this comes
    // before the comparison of keys alone.
    if let (true, true, Some(map)) = (known.is_empty(), named.is_empty(), map) {
        return Belonging::Certain(map);
    }
    // Even if values have issues, the branch is certain if only one has all keys.
    if let Some(only) = only(&of(Keys::has_all)) {
        return Belonging::Certain(only);
    }
    Belonging::Open(Agreed::on(leaves))
}

/// Returns the plan that all these branches have; `None` if there is no branch.
fn only<'p>(leaves: &[Leaf<'p>]) -> Option<&'p Plan> {
    let [(_, first), others @ ..] = leaves else { return None };
    let is_same =
        |plan: &Plan| std::ptr::eq(plan, *first) || (matches!(plan, Plan::Same) && matches!(first, Plan::Same));
    others.iter().all(|(_, plan)| is_same(plan)).then_some(*first)
}

/// Returns the plan of the branch that accepts maps, which the model sees as arrays of entries.
fn map_of<'p>(leaves: &[Leaf<'p>]) -> Option<&'p Plan> {
    leaves.iter().map(|(_, plan)| *plan).find(|plan| matches!(plan, Plan::Entries(_)))
}
