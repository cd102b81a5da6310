//! Finishes the rewrite: writes the definitions, and distinguishes the branches of unions.

use std::sync::Arc;

use super::super::distinguish_branches::{Alternative, Keys, MOST_BRANCHES, alternatives};
use super::super::inverse_plan::{Branch, Plan, PlanMembers, Undo};
use super::location::Location;
use super::{DowngradeReason, Rewriter, Unsettled};
use crate::json::build::{member, object};
use crate::json::{Json, Member, Node};

/// A schema as the model sees it.
pub(in super::super) struct Settled {
    pub(in super::super) schema: Json<'static>,
    /// The changes that are undone at the root, and in each definition; `None` if there are none.
    pub(in super::super) plans: Option<(Plan, Vec<Plan>)>,
    /// The reasons why the form cannot express the schema.
    pub(in super::super) reasons: Vec<DowngradeReason>,
}

/// The values that a branch accepts, with definitions resolved.
#[derive(Default)]
struct Found {
    objects: Vec<Arc<Keys>>,
    has_arrays: bool,
    is_unknown: bool,
}

impl Rewriter<'_> {
    /// Writes the schema of the arguments.
    pub(in super::super) fn settle(mut self, root: &Json<'static>) -> Settled {
        let (mut schema, plan) = self.schema(root);
        let (mut written, mut plans) = (Vec::new(), Vec::new());
        while let Some(definition) = self.definitions.all.get(plans.len()) {
            let place = self.document.place(definition.place);
            self.location = Location::of_definition(&definition.name, &place.pointer);
            self.is_in_circle = place.is_recursive;
            let name = definition.name.clone();
            let (schema, plan) = self.schema(place.schema);
            written.push(member(name, schema));
            plans.push(plan);
        }
        if self.is_changed && self.is_copied && self.renames_below && plans.iter().any(|plan| *plan != Plan::Same) {
            let words = "a keyword that is not rewritten refers to a schema whose keys are renamed";
            self.reasons.push(DowngradeReason::of_tool(words));
        }
        let plans = self.is_changed.then(|| self.told_apart_by(&written, plan, plans));
        if !written.is_empty()
            && let Node::Object(members) = &mut schema.node
        {
            members.push(member("$defs", object(written)));
        }
        Settled { schema, plans, reasons: self.reasons }
    }

    fn told_apart_by(&mut self, written: &[Member<'static>], root: Plan, definitions: Vec<Plan>) -> (Plan, Vec<Plan>) {
        let definition = |reference: &str| self.definitions.by_pointer.get(reference).copied();
        let known: Vec<_> = written.iter().map(|entry| alternatives(&entry.value, &definition)).collect();
        let unions = std::mem::take(&mut self.branches);
        let unions: Vec<(Unsettled, Vec<Found>)> = unions
            .into_iter()
            .map(|mut union| {
                let branches = std::mem::take(&mut union.branches);
                (union, branches.iter().map(|branch| found(branch, &known)).collect())
            })
            .collect();
        let root = self.distinguish_branches(root, &unions);
        (root, definitions.into_iter().map(|plan| self.distinguish_branches(plan, &unions)).collect())
    }

    /// Returns the plan with the branches of its unions distinguished. The recursion is bounded by the nesting of the
    /// schemas.
    fn distinguish_branches(&mut self, plan: Plan, unions: &[(Unsettled, Vec<Found>)]) -> Plan {
        match plan {
            Plan::Same | Plan::Definition(_) | Plan::Union(_) => plan,
            Plan::Entries(value) => Plan::Entries(Box::new(self.distinguish_branches(*value, unions))),
            Plan::Inside { object, items } => Plan::Inside {
                object: object.map(|members| Box::new(self.closed_members(*members, unions))),
                items: items.map(|items| Box::new(self.distinguish_branches(*items, unions))),
            },
            Plan::Open(number, branches) => {
                let (union, found) = &unions[number];
                let mut closed = Vec::new();
                for (branch, found) in branches.into_iter().zip(found) {
                    let plan = self.distinguish_branches(branch.plan, unions);
                    closed.push(Branch { objects: found.objects.clone(), has_arrays: found.has_arrays, plan });
                }
                if !is_certain(&closed, found) {
                    let words = "its branches cannot be distinguished in the form that a model is shown";
                    self.reasons
                        .push(DowngradeReason::new(union.pointer.as_str(), format!("{}: {words}", union.place)));
                }
                Plan::Union(closed)
            }
        }
    }

    fn closed_members(&mut self, members: PlanMembers, unions: &[(Unsettled, Vec<Found>)]) -> PlanMembers {
        let close =
            |rewriter: &mut Self, undo: Undo| Undo { value: rewriter.distinguish_branches(undo.value, unions), ..undo };
        // The reasons have the same order in every run.
        let mut by_key: Vec<_> = members.by_key.into_iter().collect();
        by_key.sort_unstable_by(|(key, _), (other, _)| key.cmp(other));
        PlanMembers {
            by_key: by_key.into_iter().map(|(key, undo)| (key, close(self, undo))).collect(),
            renamed: members.renamed,
            rest: members.rest.map(|rest| self.distinguish_branches(rest, unions)),
        }
    }
}

/// Resolves the definitions of a branch.
fn found(branch: &[Alternative], definitions: &[Vec<Alternative>]) -> Found {
    let mut found = Found::default();
    let mut waiting: Vec<&Alternative> = branch.iter().collect();
    let mut seen = vec![false; definitions.len()];
    while let Some(alternative) = waiting.pop() {
        match alternative {
            Alternative::Scalar => {}
            Alternative::Array => found.has_arrays = true,
            Alternative::Object(keys) => found.objects.push(Arc::clone(keys)),
            Alternative::Any => found.is_unknown = true,
            Alternative::Definition(index) => {
                if !std::mem::replace(&mut seen[*index], true) {
                    waiting.extend(&definitions[*index]);
                }
            }
        }
    }
    found
}

/// Returns `true` if there is only one way to convert each value of the union back.
fn is_certain(branches: &[Branch], found: &[Found]) -> bool {
    if found.iter().any(|found| found.is_unknown)
        || found.iter().map(|found| found.objects.len()).sum::<usize>() > MOST_BRANCHES
    {
        return false;
    }
    branches.iter().enumerate().all(|(position, one)| {
        branches[..position].iter().all(|other| {
            let same_objects = one.plan.agrees_on_objects(&other.plan);
            let same_arrays = one.plan.agrees_on_arrays(&other.plan);
            let objects =
                same_objects || one.objects.iter().all(|own| other.objects.iter().all(|theirs| own.excludes(theirs)));
            objects && (same_arrays || !(one.has_arrays && other.has_arrays))
        })
    })
}
