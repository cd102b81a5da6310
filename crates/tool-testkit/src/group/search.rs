//! The search for the calls that a group needs: [`search`].
//!
//! The calls are visited in order. Each call is either skipped, or claimed by a leaf that may come next. A state of the search consists of
//! the next call and the progress of all leaves, and each state is visited once. Before a state is continued, a relaxed problem is solved:
//! for each member, the earliest end is computed as if it were alone, and a [`Pairing`] gives each leaf calls after the earliest end of the
//! members before it. If no such pairing exists, the state is abandoned. If the pairing respects all orders, it is the result of the
//! search. So a group that is not nested needs only one state. Alternatives are chosen before calls are claimed, because the relaxed
//! problem rules out most combinations.
//!
//! Invariants: if there is a match, it is found, unless the budget is used up. The work is at most [`MOST_STEPS`] plus the work for one
//! state. If that is not enough, the result is [`Found::Undecided`].

use std::collections::HashSet;
use std::ops::Range;

use super::plan::{Node, Part, Plan, Progress};
use super::tree::Others;
use crate::pairing::Pairing;

/// The maximum number of steps of all searches for one expectation. A step compares a leaf with a call.
pub(super) const MOST_STEPS: usize = 10_000_000;

/// The result of a search.
pub(super) enum Found {
    /// The calls that the group claims.
    Met(Vec<usize>),
    Unmet,
    /// The budget was used up.
    Undecided,
}

/// A state of the search: the next call, the progress of all leaves, and the claimed calls.
struct State {
    next: usize,
    progress: Progress,
    claimed: Vec<usize>,
}

/// Searches for the calls that the plan needs. `calls` is the number of calls that were made. The steps are subtracted from the budget.
pub(super) fn search(plan: &Plan, calls: usize, others: Others, budget: &mut usize) -> Found {
    let (mut seen, mut is_first) = (HashSet::new(), true);
    let mut open = vec![State { next: 0, progress: plan.begin(), claimed: Vec::new() }];
    while let Some(state) = open.pop() {
        if !seen.insert((state.next, state.progress.clone())) {
            continue;
        }
        if *budget == 0 && !is_first {
            return Found::Undecided;
        }
        is_first = false;
        let mut relaxed = Relaxed::new(plan, &state, calls);
        let claimed = relaxed.calls_of_slots(others);
        *budget = budget.saturating_sub(relaxed.steps);
        let Some(claimed) = claimed else { continue };
        let before = open.len();
        match relaxed.choice {
            Some(choice) => open.extend(state.choices(choice)),
            None if relaxed.is_ordered(&claimed) => {
                return Found::Met(state.claimed.into_iter().chain(claimed).collect());
            }
            None => {
                if state.next == 0
                    && let Some(claimed) = state.greedy(plan, calls, others)
                {
                    return Found::Met(claimed);
                }
                state.branch(plan, others, &mut open);
            }
        }
        *budget = budget.saturating_sub((open.len() - before) * plan.leaves.len());
    }
    Found::Unmet
}

impl State {
    /// Returns a state for each alternative of a choice, in reverse order.
    fn choices(&self, (choice, alternatives): (usize, usize)) -> impl Iterator<Item = Self> {
        (0..alternatives).rev().map(move |alternative| {
            let mut progress = self.progress.clone();
            progress.chosen[choice] = Some(alternative);
            Self { next: self.next, progress, claimed: self.claimed.clone() }
        })
    }

    /// Assigns each call to the first leaf that accepts it, and returns the assigned calls if they meet the plan together. If many calls
    /// match, this finds a result quickly.
    fn greedy(&self, plan: &Plan, calls: usize, others: Others) -> Option<Vec<usize>> {
        let (mut progress, mut claimed) = (self.progress.clone(), self.claimed.clone());
        for call in self.next..calls {
            let mut leaves = Vec::new();
            plan.open(&plan.root, &progress, &mut leaves);
            match leaves.iter().find(|leaf| plan.leaves[**leaf].from(call).first() == Some(&call)) {
                Some(leaf) => {
                    progress.left[*leaf] -= 1;
                    claimed.push(call);
                }
                None if leaves.is_empty() && others == Others::After => break,
                None if others == Others::Allowed => {}
                None => return None,
            }
        }
        (plan.root.size(&progress).1 == 0).then_some(claimed)
    }

    /// Adds the states that follow this one, in which the next call that an open leaf can claim is skipped or claimed.
    fn branch(&self, plan: &Plan, others: Others, open: &mut Vec<Self>) {
        let Self { next, progress, claimed } = self;
        let mut leaves = Vec::new();
        plan.open(&plan.root, progress, &mut leaves);
        let Some(&call) = leaves.iter().filter_map(|leaf| plan.leaves[*leaf].from(*next).first()).min() else { return };
        if others == Others::Allowed {
            open.push(Self { next: call + 1, progress: progress.clone(), claimed: claimed.clone() });
        } else if call > *next {
            return;
        }
        for leaf in leaves.into_iter().rev().filter(|leaf| plan.leaves[*leaf].from(call).first() == Some(&call)) {
            let (mut progress, claimed) = (progress.clone(), claimed.iter().copied().chain([call]).collect());
            progress.left[leaf] -= 1;
            open.push(Self { next: call + 1, progress, claimed });
        }
    }
}

/// The relaxed problem of a state.
struct Relaxed<'p> {
    plan: &'p Plan,
    state: &'p State,
    /// The number of calls that were made.
    calls: usize,
    /// One slot for each call that is needed whatever alternatives are chosen, from left to right: the calls that match.
    slots: Vec<&'p [usize]>,
    /// For each pair of consecutive members of an ordered group, the slots of the first member and the slots of the second.
    orders: Vec<(Range<usize>, Range<usize>)>,
    /// The first choice that is not made yet, and the number of its alternatives. The calls that these need do not become slots.
    choice: Option<(usize, usize)>,
    steps: usize,
}

impl<'p> Relaxed<'p> {
    fn new(plan: &'p Plan, state: &'p State, calls: usize) -> Self {
        let steps = 1 + plan.leaves.len();
        Self { plan, state, calls, slots: Vec::new(), orders: Vec::new(), choice: None, steps }
    }

    /// Returns a call for each slot, or `None` if the state cannot lead to a match.
    fn calls_of_slots(&mut self, others: Others) -> Option<Vec<usize>> {
        let (plan, next, calls) = (self.plan, self.state.next, self.calls);
        let (least, most) = plan.root.size(&self.state.progress);
        if others == Others::Never && !(least..=most).contains(&(calls - next)) {
            return None;
        }
        let limit = if others == Others::After { calls.min(next.saturating_add(most)) } else { calls };
        self.end(&plan.root, next).filter(|end| *end <= limit)?;
        self.paired(0, limit)
    }

    /// Returns the earliest end of a node that begins at a call, or `None` if the node cannot be met. Only members without an order compete
    /// for calls here. The calls that the node needs are added as slots.
    fn end(&mut self, node: &'p Node, begin: usize) -> Option<usize> {
        let (leaves, progress, first) = (&self.plan.leaves, &self.state.progress, self.slots.len());
        match &node.part {
            Part::Leaf(leaf) => {
                let (fits, count) = (leaves[*leaf].from(begin), progress.left[*leaf]);
                let end = if count == 0 { begin } else { fits.get(count - 1)? + 1 };
                self.slots.extend(std::iter::repeat_n(fits, count));
                Some(end)
            }
            Part::InOrder(members) => {
                let (mut end, mut before) = (begin, first..first);
                for member in members {
                    let first = self.slots.len();
                    end = self.end(member, end)?;
                    let slots = first..self.slots.len();
                    if !slots.is_empty() {
                        self.orders.push((before, slots.clone()));
                        before = slots;
                    }
                }
                Some(end)
            }
            Part::AnyOrder(members) => {
                let mut end = begin;
                for member in members {
                    end = end.max(self.end(member, begin)?);
                }
                self.paired_end(first, end)
            }
            Part::AnyOf(choice, alternatives) => {
                if let Some(chosen) = progress.chosen[*choice] {
                    return self.end(&alternatives[chosen], begin);
                }
                let open = self.choice.unwrap_or((*choice, alternatives.len()));
                let orders = self.orders.len();
                let mut earliest: Option<usize> = None;
                for alternative in alternatives {
                    earliest = earliest.into_iter().chain(self.end(alternative, begin)).min();
                    // Another alternative may be chosen, so the slots of this one do not count, and neither do the choices inside it.
                    self.slots.truncate(first);
                    self.orders.truncate(orders);
                    self.choice = Some(open);
                }
                earliest
            }
        }
    }

    /// Returns the earliest end, not before `end`, such that each slot from `first` on can have a different call before it.
    fn paired_end(&mut self, first: usize, end: usize) -> Option<usize> {
        if self.slots.len() - first < 2 || self.paired(first, end).is_some() {
            return Some(end);
        }
        self.paired(first, self.calls)?;
        let (mut unmet, mut met) = (end, self.calls);
        while met - unmet > 1 {
            let middle = unmet.midpoint(met);
            if self.paired(first, middle).is_some() { met = middle } else { unmet = middle }
        }
        Some(met)
    }

    /// Returns a different call before the limit for each slot from `first` on, or `None` if that is not possible.
    fn paired(&mut self, first: usize, limit: usize) -> Option<Vec<usize>> {
        let until = |slot: &&[usize]| slot[..slot.partition_point(|fit| *fit < limit)].to_vec();
        let fits: Vec<Vec<usize>> = self.slots[first..].iter().map(until).collect();
        let pairing = Pairing::of(&fits, self.calls);
        self.steps += pairing.steps() + fits.iter().map(Vec::len).sum::<usize>();
        pairing.calls()
    }

    /// Returns `true` if the calls of the slots respect all orders.
    fn is_ordered(&self, claimed: &[usize]) -> bool {
        let is_ordered = |(before, after): &(Range<usize>, Range<usize>)| {
            claimed[before.clone()].iter().max() < claimed[after.clone()].iter().min()
        };
        self.orders.iter().all(is_ordered)
    }
}
