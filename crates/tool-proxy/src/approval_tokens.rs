//! The states that a client brings back with a repeated call: [`ApprovalTokens`].
//!
//! Invariant: a state counts once, for a limited time, and only for the call that it was kept for.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use tokio::time::Instant;

use crate::own_messages::random_digits;

/// The beginning of a state of the proxy.
const PREFIX: &str = "toolbox-proxy-";
/// The number of hexadecimal digits of a number in a state.
const DIGITS: usize = 32;
/// The maximum number of states that are kept. The oldest one is dropped for a further one, so its call needs another approval.
const MOST: usize = 10_000;
/// The time for which a state counts.
pub(super) const VALID: Duration = Duration::from_secs(600);

/// The states that clients may bring back.
#[derive(Default)]
pub(super) struct ApprovalTokens {
    kept: HashMap<String, Kept>,
    /// The numbers of the states with the times at which they end, the oldest first. Used states are among them.
    order: VecDeque<(Instant, String)>,
    /// Hashes calls with keys that nobody knows.
    hasher: RandomState,
}

/// A state that a client may bring back.
#[derive(Clone, Copy, PartialEq)]
struct Kept {
    /// The hash of the call.
    call: u64,
    /// `true` if the user has approved the call already.
    is_approved: bool,
    until: Instant,
}

impl ApprovalTokens {
    /// Returns a number for a call. Calls with other arguments have other numbers.
    pub(super) fn hash(&self, name: &str, arguments: &str) -> u64 {
        self.hasher.hash_one((name, arguments))
    }

    /// Keeps a state, and returns its text. `None` if there are no random numbers.
    pub(super) fn keep(&mut self, call: u64, is_approved: bool, now: Instant) -> Option<String> {
        while self.order.front().is_some_and(|(until, _)| *until <= now || self.order.len() >= MOST) {
            self.order.pop_front().map(|(_, number)| self.kept.remove(&number));
        }
        let (number, until) = (random_digits()?, now + VALID);
        self.kept.insert(number.clone(), Kept { call, is_approved, until });
        let state = format!("{PREFIX}{number}");
        self.order.push_back((until, number));
        Some(state)
    }

    /// Uses a state that a client has brought back for a call. Returns `true` if the user has approved the call already, and the state of
    /// the server. `None` if the state is not one of the proxy, was used, has expired or belongs to another call.
    pub(super) fn redeem<'s>(&mut self, state: &'s str, call: u64, now: Instant) -> Option<(bool, Option<&'s str>)> {
        let (number, rest) = state.strip_prefix(PREFIX)?.split_at_checked(DIGITS)?;
        let kept = self.kept.remove(number)?;
        let theirs = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) };
        (kept.call == call && now < kept.until).then_some((kept.is_approved, theirs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_counts_once_and_only_for_its_call() {
        let (mut states, now) = (ApprovalTokens::default(), Instant::now());
        let state = states.keep(1, false, now).unwrap();
        assert_eq!(states.redeem(&state, 1, now), Some((false, None)));
        assert_eq!(states.redeem(&state, 1, now), None);
        let state = states.keep(1, false, now).unwrap();
        assert_eq!((states.redeem(&state, 2, now), states.redeem(&state, 1, now)), (None, None));
        let state = states.keep(1, true, now).unwrap();
        assert_eq!(states.redeem(&format!("{state}:a:b"), 1, now), Some((true, Some("a:b"))));
        let state = states.keep(1, true, now).unwrap();
        assert_eq!(states.redeem(&state, 1, now + VALID), None);
        for state in
            ["", "x", PREFIX, "toolbox-proxy-1", &format!("{PREFIX}{}", "é".repeat(16)), &format!("{PREFIX}{:032x}", 1)]
        {
            assert_eq!(states.redeem(state, 1, now), None, "{state}");
        }
        let state = states.keep(1, true, now).unwrap();
        assert_eq!(states.redeem(&format!("{state}0"), 1, now), None);
    }

    #[test]
    fn states_are_kept_in_bounded_memory() {
        let (mut states, now) = (ApprovalTokens::default(), Instant::now());
        let first = states.keep(1, false, now).unwrap();
        (0..MOST * 2).for_each(|_| drop(states.keep(1, false, now)));
        assert_eq!((states.kept.len(), states.order.len()), (MOST, MOST));
        assert_eq!(states.redeem(&first, 1, now), None);
        states.keep(1, false, now + VALID);
        assert_eq!((states.kept.len(), states.order.len()), (1, 1));
    }
}
