//! The search for the calls that a group needs: [`search`].
//!
//! The calls are visited in order. Each call is claimed by a member that may come next, or skipped. If that does not lead to a match, the
//! next possibility is tried. Invariants: if there is a match, it is found, unless the budget is used up; then the result is
//! [`SearchResult::Undecided`]. Each combination of a call and the progress of all members is visited once.

use std::collections::HashSet;

use super::call_group::Others;
use super::matching_calls::{MatchingCalls, Open, Progress};

/// The maximum number of steps of all searches for one expectation. A step compares a member with a call.
pub(super) const MOST_STEPS: usize = 10_000_000;

/// The result of a search.
pub(super) enum SearchResult {
    /// The calls that the group claims.
    Met(Vec<usize>),
    Unmet,
    /// The budget was used up.
    Undecided,
}

/// A state of the search: the next call, the progress of all members, and the claimed calls.
struct SearchState {
    next: usize,
    progress: Progress,
    claimed: Vec<usize>,
}

/// Searches for the calls that the group needs. `calls` is the number of calls that were made. The steps are subtracted from the budget.
pub(super) fn search(group: &MatchingCalls, calls: usize, others: Others, budget: &mut usize) -> SearchResult {
    let mut seen = HashSet::new();
    let mut states = vec![SearchState { next: 0, progress: group.begin(), claimed: Vec::new() }];
    while let Some(state) = states.pop() {
        let SearchState { next, progress, .. } = &state;
        let (least, most) = group.root.size(progress);
        let is_met = most == 0 && (others != Others::Never || *next == calls);
        if is_met {
            return SearchResult::Met(state.claimed);
        }
        let left = calls - next;
        if left < least || others == Others::Never && left > most || !group.root.is_possible(group, progress, *next) {
            continue;
        }
        if !seen.insert((*next, progress.clone())) {
            continue;
        }
        if *budget == 0 {
            return SearchResult::Undecided;
        }
        *budget = budget.saturating_sub(group.leaves.len());
        state.branch(group, others, &mut states);
    }
    SearchResult::Unmet
}

impl SearchState {
    /// Adds the states that follow this one. The last one, which is tried first, claims a call for the first member.
    fn branch(&self, group: &MatchingCalls, others: Others, states: &mut Vec<Self>) {
        let Self { next, progress, claimed } = self;
        let mut open = Vec::new();
        group.open(&group.root, progress, &mut Vec::new(), &mut open);
        let Some(&call) = open.iter().filter_map(|open| group.leaves[open.leaf].from(*next).first()).min() else {
            return;
        };
        if others == Others::Allowed {
            states.push(Self { next: call + 1, progress: progress.clone(), claimed: claimed.clone() });
        } else if call > *next {
            return;
        }
        for Open { leaf, choices } in open.into_iter().rev() {
            if group.leaves[leaf].from(call).first() == Some(&call) {
                let (mut progress, claimed) = (progress.clone(), claimed.iter().copied().chain([call]).collect());
                progress.left[leaf] -= 1;
                for (choice, alternative) in choices {
                    progress.chosen[choice] = Some(alternative);
                }
                states.push(Self { next: call + 1, progress, claimed });
            }
        }
    }
}
