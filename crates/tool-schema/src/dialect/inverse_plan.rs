//! [`Plan`]: the changes to undo in a value that was sent in a rewritten form.
//!
//! The tree mirrors the schema. Several plans may lead to the same definition. [`Plan::Same`] means that nothing was
//! rewritten.

use std::collections::HashMap;
use std::sync::Arc;

use super::distinguish_branches::Keys;
use crate::fast_hash::RandomHashState;

/// The changes that are undone at one location.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Plan {
    /// No changes, neither here nor in inner values.
    #[default]
    Same,
    /// The changes in the members of an object, and in the items of an array.
    Inside { object: Option<Box<PlanMembers>>, items: Option<Box<Plan>> },
    /// An array of entries that is converted into an object.
    Entries(Box<Plan>),
    /// A union with one plan for each branch.
    Union(Vec<Branch>),
    /// A union whose branches are not distinguished yet; `settle` replaces every such plan.
    Open(usize, Vec<Branch>),
    /// The changes that are undone in a definition.
    Definition(usize),
}

/// The changes that are undone in the members of an object.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PlanMembers {
    /// The changes, keyed by the key that the model saw.
    pub(super) by_key: HashMap<Box<str>, Undo, RandomHashState>,
    /// The key that the model saw, keyed by the tool's own key; only for renamed keys.
    pub(super) renamed: HashMap<Box<str>, Box<str>, RandomHashState>,
    /// The changes in the values of all other keys.
    pub(super) rest: Option<Plan>,
}

/// The change that is undone in one member.
#[derive(Debug, PartialEq)]
pub(super) struct Undo {
    /// The tool's own key for the member, if the model sees another one.
    pub(super) own_key: Option<Box<str>>,
    /// `true` if `null` was added to represent an absent key.
    pub(super) null_is_absent: bool,
    pub(super) value: Plan,
}

/// One branch of a union: the facts that distinguish it from the others, and the changes that are undone in it.
#[derive(Debug, PartialEq)]
pub(super) struct Branch {
    /// The keys of each kind of object that the branch accepts.
    pub(super) objects: Vec<Arc<Keys>>,
    pub(super) has_arrays: bool,
    pub(super) plan: Plan,
}

impl Plan {
    /// Creates a plan for an object's members and an array's items.
    pub(super) fn inside(members: PlanMembers, items: Self) -> Self {
        let object = (!members.is_empty()).then(|| Box::new(members));
        let items = (items != Self::Same).then(|| Box::new(items));
        if object.is_none() && items.is_none() { Self::Same } else { Self::Inside { object, items } }
    }
}

impl PlanMembers {
    pub(super) fn is_empty(&self) -> bool {
        self.by_key.is_empty() && self.rest.is_none()
    }

    /// Returns the key that the model sees for a key of the tool, if the two differ.
    pub(super) fn shown_key(&self, own: &str) -> Option<&str> {
        self.renamed.get(own).map(|shown| &**shown)
    }

    /// Returns the changes that are undone in the value of a key of the tool.
    pub(super) fn of_own_key(&self, own: &str) -> Option<&Plan> {
        let undo = match self.shown_key(own) {
            Some(shown) => self.by_key.get(shown),
            None => self.by_key.get(own).filter(|undo| undo.own_key.is_none()),
        };
        undo.map(|undo| &undo.value).or(self.rest.as_ref())
    }
}

impl Plan {
    /// Returns `true` if both plans certainly undo the same changes in every object.
    pub(super) fn agrees_on_objects(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Inside { object: None, .. }, Self::Same) | (Self::Same, Self::Inside { object: None, .. }) => true,
            (Self::Inside { object, .. }, Self::Inside { object: theirs, .. }) => object == theirs,
            _ => self == other,
        }
    }

    /// Returns `true` if both plans certainly undo the same changes in every array.
    pub(super) fn agrees_on_arrays(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Inside { items: None, .. }, Self::Same) | (Self::Same, Self::Inside { items: None, .. }) => true,
            (Self::Inside { items, .. }, Self::Inside { items: theirs, .. }) => items == theirs,
            _ => self == other,
        }
    }
}
