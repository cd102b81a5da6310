//! A group together with the calls that match each of its members, [`MatchingCalls`], and the state of a search for the calls of the group,
//! [`Progress`].
//!
//! Invariant: leaves are numbered from left to right, so the leaves of each node are a range.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::call_group::{CallGroup, Kind, Mode, own};
use crate::actual_call::ActualCall;

/// A group as a tree of nodes, and the calls that match each leaf.
pub(super) struct MatchingCalls {
    pub(super) root: Node,
    pub(super) leaves: Vec<Leaf>,
    /// The number of `any_of` groups in the tree, each of which needs a choice between its alternatives.
    choices: usize,
}

/// A member that needs `count` calls of one function, or one call of any of several functions.
pub(super) struct Leaf {
    count: usize,
    /// The indices of the matching calls, in order.
    fits: Vec<usize>,
}

/// A leaf, or a group of nodes.
pub(super) struct Node {
    pub(super) part: Part,
    leaves: Range<usize>,
    /// A number that identifies the structure of the node and its matching calls: nodes with the same number are interchangeable.
    class: usize,
}

pub(super) enum Part {
    Leaf(usize),
    InOrder(Vec<Node>),
    AnyOrder(Vec<Node>),
    /// The number of the choice, and the alternatives.
    AnyOf(usize, Vec<Node>),
}

/// A leaf to which the next call can belong.
pub(super) struct Open {
    pub(super) leaf: usize,
    /// The alternatives that are chosen with this call.
    pub(super) choices: Vec<(usize, usize)>,
}

/// The state of a search.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    /// The number of calls that each leaf still needs.
    pub(super) left: Vec<usize>,
    /// The chosen alternative of each choice; `None` if it is not made yet.
    pub(super) chosen: Vec<Option<usize>>,
}

impl Leaf {
    /// Returns the matching calls from index `call` on.
    pub(super) fn from(&self, call: usize) -> &[usize] {
        &self.fits[self.fits.partition_point(|fit| *fit < call)..]
    }
}

impl MatchingCalls {
    pub(super) fn of(mode: Mode, members: &[CallGroup], calls: &[ActualCall]) -> Self {
        let mut builder = Builder { made: calls, leaves: Vec::new(), choices: 0, classes: HashMap::new() };
        let root = builder.group(mode, members);
        Self { root, leaves: builder.leaves, choices: builder.choices }
    }

    /// Returns the progress before the first call.
    pub(super) fn begin(&self) -> Progress {
        Progress { left: self.leaves.iter().map(|leaf| leaf.count).collect(), chosen: vec![None; self.choices] }
    }

    /// Collects the leaves to which the next call can belong, each with the choices between alternatives that this call makes.
    pub(super) fn open(
        &self,
        node: &Node,
        progress: &Progress,
        choices: &mut Vec<(usize, usize)>,
        found: &mut Vec<Open>,
    ) {
        match &node.part {
            Part::Leaf(leaf) if progress.left[*leaf] > 0 => {
                found.push(Open { leaf: *leaf, choices: choices.clone() });
            }
            Part::Leaf(_) => {}
            Part::InOrder(members) => {
                if let Some(member) = members.iter().find(|member| member.size(progress).1 > 0) {
                    self.open(member, progress, choices, found);
                }
            }
            Part::AnyOrder(members) => {
                // Among interchangeable members, the leftmost is begun first. Any other order gives the same result.
                let mut waiting = HashSet::new();
                for member in members {
                    let is_begun = member.leaves.clone().any(|leaf| progress.left[leaf] < self.leaves[leaf].count);
                    if is_begun || waiting.insert(member.class) {
                        self.open(member, progress, choices, found);
                    }
                }
            }
            Part::AnyOf(choice, alternatives) => {
                for (index, alternative) in alternatives.iter().enumerate() {
                    match progress.chosen[*choice] {
                        Some(chosen) if chosen != index => {}
                        Some(_) => self.open(alternative, progress, choices, found),
                        None => {
                            choices.push((*choice, index));
                            self.open(alternative, progress, choices, found);
                            choices.pop();
                        }
                    }
                }
            }
        }
    }
}

impl Node {
    /// Returns the minimum and the maximum number of calls that the node still needs.
    pub(super) fn size(&self, progress: &Progress) -> (usize, usize) {
        match &self.part {
            Part::Leaf(leaf) => (progress.left[*leaf], progress.left[*leaf]),
            Part::InOrder(members) | Part::AnyOrder(members) => {
                let sizes = members.iter().map(|member| member.size(progress));
                sizes
                    .fold((0, 0), |(least, most), (less, more)| (least.saturating_add(less), most.saturating_add(more)))
            }
            Part::AnyOf(choice, alternatives) => {
                if let Some(chosen) = progress.chosen[*choice] {
                    return alternatives[chosen].size(progress);
                }
                let sizes = alternatives.iter().map(|alternative| alternative.size(progress));
                sizes.reduce(|(least, most), (less, more)| (least.min(less), most.max(more))).unwrap_or_default()
            }
        }
    }

    /// Returns `false` if the calls from index `call` on are certainly too few for the node.
    pub(super) fn is_possible(&self, group: &MatchingCalls, progress: &Progress, call: usize) -> bool {
        match &self.part {
            Part::Leaf(leaf) => group.leaves[*leaf].from(call).len() >= progress.left[*leaf],
            Part::InOrder(members) | Part::AnyOrder(members) => {
                members.iter().all(|member| member.is_possible(group, progress, call))
            }
            Part::AnyOf(choice, alternatives) => match progress.chosen[*choice] {
                Some(chosen) => alternatives[chosen].is_possible(group, progress, call),
                None => alternatives.iter().any(|alternative| alternative.is_possible(group, progress, call)),
            },
        }
    }
}

/// The properties that interchangeable nodes have in common.
#[derive(PartialEq, Eq, Hash)]
enum Class {
    Leaf(usize, Vec<usize>),
    Group(Mode, Vec<usize>),
}

struct Builder<'m> {
    made: &'m [ActualCall],
    leaves: Vec<Leaf>,
    choices: usize,
    classes: HashMap<Class, usize>,
}

impl Builder<'_> {
    fn node(&mut self, group: &CallGroup) -> Node {
        match &group.kind {
            Kind::Members(mode, members) => self.group(*mode, members),
            Kind::Calls(calls) => {
                let fits = (0..self.made.len()).filter(|index| calls.fits(&self.made[*index])).collect();
                self.leaf(own(calls), fits)
            }
        }
    }

    fn leaf(&mut self, count: usize, fits: Vec<usize>) -> Node {
        let leaf = self.leaves.len();
        let class = self.class(Class::Leaf(count, fits.clone()));
        self.leaves.push(Leaf { count, fits });
        Node { part: Part::Leaf(leaf), leaves: leaf..leaf + 1, class }
    }

    fn group(&mut self, mode: Mode, members: &[CallGroup]) -> Node {
        let leaf = self.leaves.len();
        let nodes: Vec<Node> = members.iter().map(|member| self.node(member)).collect();
        let are_calls = nodes.iter().all(|node| matches!(node.part, Part::Leaf(_)));
        if mode == Mode::AnyOf && are_calls && self.leaves[leaf..].iter().all(|leaf| leaf.count == 1) {
            // For alternatives that each need a single call, no choice is needed: they become one leaf that any of these calls matches.
            let mut fits: Vec<usize> = self.leaves.drain(leaf..).flat_map(|leaf| leaf.fits).collect();
            fits.sort_unstable();
            fits.dedup();
            return self.leaf(1, fits);
        }
        let class = self.class(Class::Group(mode, nodes.iter().map(|node| node.class).collect()));
        let part = match mode {
            Mode::InOrder => Part::InOrder(nodes),
            Mode::AnyOrder => Part::AnyOrder(nodes),
            Mode::AnyOf | Mode::OnlyThese => {
                self.choices += 1;
                Part::AnyOf(self.choices - 1, nodes)
            }
        };
        Node { part, leaves: leaf..self.leaves.len(), class }
    }

    fn class(&mut self, class: Class) -> usize {
        let next = self.classes.len();
        *self.classes.entry(class).or_insert(next)
    }
}
