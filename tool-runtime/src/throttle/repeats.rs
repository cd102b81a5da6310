//! The rules that recognize repeated calls: `identical_call` and `alternating_calls`.
//!
//! The arguments of a call are only compared with earlier ones if a recent call had an equal result. They are compared first as text, then
//! by value. At most sixteen calls are remembered, with arguments of up to 4 kB each; of longer arguments, only a hash is kept. Calls of
//! other, read-only tools do not interrupt a sequence of equal calls. The pause after such a sequence ends when another tool that is not
//! read-only succeeds.

use std::collections::VecDeque;
use std::time::Duration;

use super::canonical;
use super::limits::StreakLimits;
use super::messages::{Finding, Reason};
use super::recent_call::{CALLS, Call, CallIdentity, Identity, LastCall, RecentCall, TEXT};
use crate::failure::ThrottleRule;
use crate::input::Arguments;
use crate::shape::Ref;

/// The last calls of a session.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// The remembered calls, least recent first.
    pub(super) sightings: VecDeque<RecentCall>,
    /// The number of decisions of the model so far. A single call or a batch is one decision.
    pub(super) decision: u64,
    pub(super) batch: Option<u64>,
    /// The last call of a tool that is not read-only.
    pub(super) calls: LastCall,
    /// The last successful call of such a tool.
    pub(super) changes: LastCall,
}

/// The comparison of a call and its result with the earlier calls.
struct CallComparison {
    /// The index of an earlier call with the same arguments and the same result.
    same: Option<usize>,
    /// `true` if an earlier call of the same tool had the same result.
    is_near: bool,
}

/// The result of recording a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedCall {
    /// `true` if the same call returned the same result before.
    pub(super) is_known: bool,
    /// `true` if any call of the tool returned this result before.
    pub(super) is_near: bool,
}

/// A finding and the calls that it concerns.
#[derive(Debug)]
pub(super) struct FoundCall {
    pub(super) finding: Finding,
    pub(super) call: Identity,
    pub(super) partner: Option<Identity>,
}

impl Repeats {
    /// Records a call.
    #[inline]
    pub(super) fn note(&mut self, call: Call<'_>, history: Duration) -> RecordedCall {
        if call.batch.is_none() || call.batch != self.batch {
            self.decision += 1;
            self.batch = call.batch;
        }
        let compare_call = self.compare_call(call, history);
        let known =
            compare_call.same.or_else(|| if compare_call.is_near { self.find_value(call, history) } else { None });
        match known {
            Some(at) => self.seen_again(at, call.ended),
            None => self.remember(call),
        }
        if !call.is_read_only {
            self.calls.note(call.tool, self.decision);
            if !call.has_failed {
                self.changes.note(call.tool, self.decision);
            }
        }
        RecordedCall { is_known: known.is_some(), is_near: compare_call.is_near }
    }

    /// Counts another occurrence of a call, which ended at this time in nanoseconds.
    #[cold]
    fn seen_again(&mut self, at: usize, ended: u64) {
        let Some(mut sighting) = self.sightings.remove(at) else { return };
        let gap = self.decision - sighting.decision;
        let is_apart = gap > 1 && self.is_uninterrupted(&sighting);
        sighting.rounds = if gap == 2 { sighting.rounds.saturating_add(1) } else { 1 };
        if is_apart || (gap < 2 && sighting.in_a_row > 0) {
            sighting.in_a_row = sighting.in_a_row.saturating_add(1);
            sighting.is_apart |= is_apart;
        } else {
            (sighting.in_a_row, sighting.is_apart) = (1, false);
        }
        (sighting.decision, sighting.seen) = (self.decision, ended);
        self.sightings.push_back(sighting);
    }

    /// Returns the number of the current decision.
    pub(super) const fn decision(&self) -> u64 {
        self.decision
    }

    /// Returns the last decision in which another tool that is not read-only succeeded.
    pub(super) const fn changed(&self, tool: usize) -> u64 {
        self.changes.of_others(tool)
    }

    /// Returns the number of different arguments with which a tool had this result.
    pub(super) fn variants(&self, tool: usize, result: u64) -> usize {
        self.with_result(tool, result).count()
    }

    /// Returns `true` if a tool had this result, and nothing else happened, in at least this many decisions up to now.
    pub(super) fn is_stuck(&self, tool: usize, result: u64, decisions: u32) -> bool {
        let decisions = u64::from(decisions).min(CALLS as u64);
        (0..decisions).all(|back| {
            let decision = self.decision.checked_sub(back);
            decision.is_some_and(|decision| self.with_result(tool, result).any(|call| call.was_made_in(decision)))
        })
    }

    /// Returns `true` if a remembered call of a tool had these arguments.
    pub(super) fn has_tried(&mut self, tool: usize, identity: CallIdentity, input: &Ref) -> bool {
        self.sightings.iter_mut().filter(|call| call.tool == tool).any(|call| {
            call.arguments.hash() == identity.arguments
                || identity.value.is_some() && call.value(input) == identity.value
        })
    }

    fn with_result(&self, tool: usize, result: u64) -> impl Iterator<Item = &RecentCall> {
        self.sightings.iter().filter(move |call| call.tool == tool && call.result == result)
    }

    /// Records that a call may have changed something. No rule counts the call itself.
    pub(super) fn note_change(&mut self, call: Call<'_>, is_neutral: bool) {
        if !call.is_read_only && !call.has_failed && !is_neutral {
            self.decision += 1;
            self.calls.note(call.tool, self.decision);
            self.changes.note(call.tool, self.decision);
        }
    }

    /// Returns `true` if all calls since this one were calls of other tools that are read-only.
    fn is_uninterrupted(&self, call: &RecentCall) -> bool {
        let mut of_tool = self.sightings.iter().filter(|other| other.tool == call.tool);
        self.calls.of_others(call.tool) <= call.decision && of_tool.all(|other| other.decision <= call.decision)
    }

    /// Applies the rule `identical_call` to the last call.
    #[inline]
    pub(super) fn identical(&mut self, streak: Option<&StreakLimits>, input: &Ref) -> Option<FoundCall> {
        let (streak, call) = (streak?, self.sightings.back_mut()?);
        let count = call.in_a_row;
        if !streak.throttles(count) && !streak.warns(count) {
            return None;
        }
        let reason = Reason { is_apart: call.is_apart, ..Reason::new(ThrottleRule::IdenticalCall, count) };
        let finding = Finding::from_reason(reason, *streak)?;
        Some(FoundCall { finding, call: call.identity(input), partner: None })
    }

    /// Applies the rule `alternating_calls` to the last call and the call before it. `of` returns the limits of this rule for a tool, and the
    /// shape of its arguments.
    #[inline]
    pub(super) fn alternating<'p>(
        &mut self,
        of: impl Fn(usize) -> Option<(StreakLimits, &'p Ref)>,
    ) -> Option<FoundCall> {
        let &RecentCall { tool, decision, rounds, .. } = self.sightings.back()?;
        if rounds < 2 {
            return None;
        }
        let is_partner = |other: &&mut RecentCall| {
            other.decision + 1 == decision && other.rounds >= rounds && of(other.tool).is_some()
        };
        let partner = self.sightings.iter_mut().find(is_partner)?;
        let ((streak, input), (_, partner_input)) = (of(tool)?, of(partner.tool)?);
        let reason = Reason { partner: Some(partner.tool), ..Reason::new(ThrottleRule::AlternatingCalls, rounds) };
        let finding = Finding::from_reason(reason, streak)?;
        let partner = Some(partner.identity(partner_input));
        Some(FoundCall { finding, call: self.sightings.back_mut()?.identity(input), partner })
    }

    /// Forgets the calls of one tool.
    pub(super) fn forget(&mut self, tool: usize) {
        self.sightings.retain(|call| call.tool != tool);
    }

    /// Compares a call with the earlier calls of the tool.
    #[inline]
    fn compare_call(&self, call: Call<'_>, history: Duration) -> CallComparison {
        let mut compare_call = CallComparison { same: None, is_near: false };
        for (at, earlier) in self.sightings.iter().enumerate() {
            // Usually, no earlier result is equal.
            if earlier.result == call.result && earlier.is_near(call, history) {
                compare_call.is_near = true;
                if compare_call.same.is_none() && earlier.arguments.is(call.arguments) {
                    compare_call.same = Some(at);
                }
            }
        }
        compare_call
    }

    /// Finds an earlier call of the tool with the same result whose arguments have an equal value, although their texts differ.
    #[cold]
    fn find_value(&mut self, call: Call<'_>, history: Duration) -> Option<usize> {
        if call.arguments.len() > TEXT {
            return None;
        }
        let value = canonical::arguments(&Arguments::from(call.arguments), call.input)?;
        let mut earlier = self.sightings.iter_mut();
        earlier.position(|earlier| earlier.is_near(call, history) && earlier.value(call.input) == Some(value))
    }

    /// Remembers a new call as the most recent one. If there are too many, the least recent one is forgotten.
    fn remember(&mut self, call: Call<'_>) {
        let is_full = self.sightings.len() == CALLS;
        let mut sighting = if is_full { self.sightings.pop_front() } else { None }.unwrap_or_default();
        sighting.arguments.replace(call.arguments);
        let Call { tool, result, ended: seen, .. } = call;
        self.sightings.push_back(RecentCall {
            tool,
            result,
            decision: self.decision,
            seen,
            in_a_row: 1,
            rounds: 1,
            arguments: sighting.arguments,
            value: None,
            is_apart: false,
        });
    }

    /// Returns the tool and the hash of the arguments of each call, least recent first.
    #[cfg(test)]
    pub(super) fn by_age(&self) -> Vec<(usize, u64)> {
        self.sightings.iter().map(|call| (call.tool, call.arguments.hash())).collect()
    }

    /// Returns the number of remembered calls and the bytes of their texts.
    #[cfg(test)]
    pub(super) fn kept(&self) -> (usize, usize) {
        use super::recent_call::KeptArguments;

        let bytes = self.sightings.iter().map(|sighting| match &sighting.arguments {
            KeptArguments::Text(text) => text.capacity(),
            KeptArguments::Hash(_) => 0,
        });
        (self.sightings.len(), bytes.sum())
    }
}
