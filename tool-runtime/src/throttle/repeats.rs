//! The rules that recognize repeated calls: `identical_call` and `alternating_calls`.
//!
//! The arguments of a call are only compared with earlier ones if a recent call had an equal result. They are compared first as text, then
//! by value. At most sixteen calls are remembered, with arguments of up to 4 kB each; of longer arguments, only a hash is kept. Calls of
//! other, read-only tools do not interrupt a sequence of equal calls. The pause after such a sequence ends when another tool that is not
//! read-only succeeds.

use std::time::Duration;

use super::canonical;
use super::limits::Streak;
use super::messages::{Finding, Reason};
use super::recent_call::{CALLS, Call, CallIdentity, Last, Sighting, TEXT, number, part, place, places};
use crate::failure::ThrottleRule;
use crate::input::Arguments;
use crate::shape::Ref;

/// The last calls of a session.
#[derive(Debug)]
pub(super) struct Repeats {
    /// The remembered calls. An entry keeps its index until it is replaced.
    pub(super) sightings: Vec<Sighting>,
    /// The tools of the entries.
    pub(super) tools: [u32; CALLS],
    /// A part of the hash of each entry's tool and result, which most comparisons need alone.
    pub(super) parts: [u8; CALLS],
    /// The indices of the entries, least recent first.
    pub(super) by_age: [u8; CALLS],
    /// The number of decisions of the model so far. A single call or a batch is one decision.
    pub(super) decision: u64,
    pub(super) batch: Option<u64>,
    /// The last call of a tool that is not read-only.
    pub(super) calls: Last,
    /// The last successful call of such a tool.
    pub(super) changes: Last,
}

impl Default for Repeats {
    fn default() -> Self {
        Self {
            sightings: Vec::new(),
            tools: [u32::MAX; CALLS],
            parts: [0; CALLS],
            by_age: [0; CALLS],
            decision: 0,
            batch: None,
            calls: Last::NEVER,
            changes: Last::NEVER,
        }
    }
}

/// The comparison of a call and its result with the earlier calls.
struct Look {
    /// The index of an earlier call with the same arguments and the same result.
    same: Option<usize>,
    /// `true` if an earlier call of the same tool had the same result.
    is_near: bool,
}

/// The result of recording a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted {
    /// The index of the entry for the call.
    pub(super) at: usize,
    /// `true` if the same call returned the same result before.
    pub(super) is_known: bool,
    /// `true` if any call of the tool returned this result before.
    pub(super) is_near: bool,
}

/// The identity of a repeated call: its tool, and hashes of its arguments (as sent, and by value) and of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) tool: usize,
    pub(super) arguments: u64,
    pub(super) value: Option<u64>,
    pub(super) result: u64,
}

/// A finding and the calls that it concerns.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) finding: Finding,
    pub(super) call: Identity,
    pub(super) partner: Option<Identity>,
}

impl Repeats {
    /// Records a call.
    #[expect(clippy::inline_always, reason = "the call is then taken apart, and never stored as a whole")]
    #[inline(always)]
    pub(super) fn note(&mut self, call: Call<'_>, history: Duration) -> Noted {
        if call.batch.is_none() || call.batch != self.batch {
            self.decision += 1;
            self.batch = call.batch;
        }
        let look = self.look(call, history);
        let known = look.same.or_else(|| if look.is_near { self.find_value(call, history) } else { None });
        let at = match known {
            Some(at) => {
                self.seen_again(at, call.ended);
                at
            }
            None => self.remember(call),
        };
        if !call.is_read_only {
            self.calls.note(call.tool, self.decision);
            if !call.has_failed {
                self.changes.note(call.tool, self.decision);
            }
        }
        Noted { at, is_known: known.is_some(), is_near: look.is_near }
    }

    /// Counts another occurrence of a call, which ended at this time in nanoseconds.
    #[cold]
    fn seen_again(&mut self, at: usize, ended: u64) {
        self.youngest(at);
        let gap = self.decision - self.sightings[at].decision;
        let is_apart = gap > 1 && self.is_uninterrupted(at);
        let sighting = &mut self.sightings[at];
        sighting.rounds = if gap == 2 { sighting.rounds.saturating_add(1) } else { 1 };
        if is_apart || (gap < 2 && sighting.in_a_row > 0) {
            sighting.in_a_row = sighting.in_a_row.saturating_add(1);
            sighting.is_apart |= is_apart;
        } else {
            (sighting.in_a_row, sighting.is_apart) = (1, false);
        }
        (sighting.decision, sighting.seen) = (self.decision, ended);
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
    pub(super) fn has_tried(&mut self, tool: usize, told: CallIdentity, input: &Ref) -> bool {
        let of_tool = self.sightings.iter_mut().zip(&self.tools).filter(|(_, of)| **of == number(tool));
        let mut of_tool = of_tool.map(|(call, _)| call);
        of_tool.any(|call| {
            call.arguments.hash() == told.arguments || told.value.is_some() && call.value(input) == told.value
        })
    }

    fn with_result(&self, tool: usize, result: u64) -> impl Iterator<Item = &Sighting> {
        let of_tool = self.sightings.iter().zip(&self.tools).filter(move |(_, of)| **of == number(tool));
        of_tool.map(|(call, _)| call).filter(move |call| call.result == result)
    }

    /// Records that a call may have changed something. No rule counts the call itself.
    pub(super) fn note_change(&mut self, call: Call<'_>, is_neutral: bool) {
        if !call.is_read_only && !call.has_failed && !is_neutral {
            self.decision += 1;
            self.calls.note(call.tool, self.decision);
            self.changes.note(call.tool, self.decision);
        }
    }

    /// Returns `true` if all calls since the call in this entry were calls of other tools that are read-only.
    #[cold]
    fn is_uninterrupted(&self, at: usize) -> bool {
        let (tool, since) = (self.tools[at], self.sightings[at].decision);
        let of_tool = self.sightings.iter().zip(&self.tools).filter(|(_, of)| **of == tool);
        self.calls.of_others(tool as usize) <= since && of_tool.into_iter().all(|(other, _)| other.decision <= since)
    }

    /// Applies the rule `identical_call` to the call in this entry.
    #[expect(clippy::inline_always, reason = "nearly every call ends at the first condition")]
    #[inline(always)]
    pub(super) fn identical(&mut self, at: usize, streak: Option<&Streak>, input: &Ref) -> Option<Found> {
        let (streak, count) = (streak?, self.sightings[at].in_a_row);
        if !streak.throttles(count) && !streak.warns(count) {
            return None;
        }
        self.found_identical(at, streak, input)
    }

    #[cold]
    fn found_identical(&mut self, at: usize, streak: &Streak, input: &Ref) -> Option<Found> {
        let count = self.sightings[at].in_a_row;
        let is_apart = self.sightings[at].is_apart;
        let reason = Reason { is_apart, ..Reason::new(ThrottleRule::IdenticalCall, count) };
        let finding = Finding::of(reason, *streak)?;
        Some(Found { finding, call: self.identity(at, input), partner: None })
    }

    /// Applies the rule `alternating_calls` to the call in this entry and the call before it. `of` returns the limits of this rule for a
    /// tool, and the shape of its arguments.
    #[expect(clippy::inline_always, reason = "nearly every call ends at the first condition")]
    #[inline(always)]
    pub(super) fn alternating<'p>(
        &mut self,
        at: usize,
        of: impl Fn(usize) -> Option<(Streak, &'p Ref)>,
    ) -> Option<Found> {
        if self.sightings[at].rounds < 2 { None } else { self.found_alternating(at, of) }
    }

    #[cold]
    fn found_alternating<'p>(&mut self, at: usize, of: impl Fn(usize) -> Option<(Streak, &'p Ref)>) -> Option<Found> {
        let (tool, &Sighting { decision, rounds, .. }) = (self.tools[at] as usize, &self.sightings[at]);
        let is_partner = |(other, tool): (&Sighting, &u32)| {
            other.decision + 1 == decision && other.rounds >= rounds && of(*tool as usize).is_some()
        };
        let partner = self.sightings.iter().zip(&self.tools).position(is_partner)?;
        let partner_tool = self.tools[partner] as usize;
        let ((streak, input), (_, partner_input)) = (of(tool)?, of(partner_tool)?);
        let reason = Reason { partner: Some(partner_tool), ..Reason::new(ThrottleRule::AlternatingCalls, rounds) };
        let finding = Finding::of(reason, streak)?;
        let call = self.identity(at, input);
        Some(Found { finding, call, partner: Some(self.identity(partner, partner_input)) })
    }

    /// Forgets the calls of one tool.
    pub(super) fn forget(&mut self, tool: usize) {
        let (Self { decision, batch, calls, changes, .. }, tool) = (&*self, number(tool));
        let mut kept = Self { decision: *decision, batch: *batch, calls: *calls, changes: *changes, ..Self::default() };
        for at in 0..self.sightings.len() {
            if self.tools[at] != tool {
                let place = kept.sightings.len();
                (kept.tools[place], kept.parts[place]) = (self.tools[at], self.parts[at]);
                kept.sightings.push(std::mem::take(&mut self.sightings[at]));
            }
        }
        // The entries have new indices, but their order by age is unchanged.
        let moved = |at: u8| self.tools[..usize::from(at)].iter().filter(|other| **other != tool).count();
        let ages = self.by_age.iter().take(self.sightings.len()).copied();
        let ages = ages.filter(|&at| self.tools[usize::from(at)] != tool).map(|at| place(moved(at)));
        kept.by_age.iter_mut().zip(ages).for_each(|(age, at)| *age = at);
        *self = kept;
    }

    fn identity(&mut self, at: usize, input: &Ref) -> Identity {
        let (tool, sighting) = (self.tools[at] as usize, &mut self.sightings[at]);
        Identity { tool, arguments: sighting.arguments.hash(), value: sighting.value(input), result: sighting.result }
    }

    /// Compares a call with the earlier calls of the tool.
    #[expect(clippy::inline_always, reason = "the call is then taken apart, and never stored as a whole")]
    #[inline(always)]
    fn look(&self, call: Call<'_>, history: Duration) -> Look {
        let mut look = Look { same: None, is_near: false };
        // Usually, no earlier result is equal.
        let mut near = places(self.parts, part(call.tool, call.result));
        while near != 0 {
            let at = near.trailing_zeros() as usize / 8;
            near &= near - 1;
            let Some(sighting) = self.sightings.get(at) else { break };
            if self.tools[at] == number(call.tool) && sighting.is_near(call, history) {
                look.is_near = true;
                if look.same.is_none() && sighting.arguments.is(call.arguments) {
                    look.same = Some(at);
                }
            }
        }
        look
    }

    /// Finds an earlier call of the tool with the same result whose arguments have an equal value, although their texts differ.
    #[cold]
    fn find_value(&mut self, call: Call<'_>, history: Duration) -> Option<usize> {
        if call.arguments.len() > TEXT {
            return None;
        }
        let value = canonical::arguments(&Arguments::from(call.arguments), call.input)?;
        let of_tool = self.sightings.iter_mut().enumerate().filter(|&(at, _)| self.tools[at] == number(call.tool));
        let mut near = of_tool.filter(|(_, sighting)| sighting.is_near(call, history));
        near.find_map(|(at, sighting)| (sighting.value(call.input)? == value).then_some(at))
    }

    /// Creates an entry for a new call, and returns its index. If all entries are taken, the least recent one is replaced.
    #[expect(clippy::inline_always, reason = "the call is then taken apart, and never stored as a whole")]
    #[inline(always)]
    fn remember(&mut self, call: Call<'_>) -> usize {
        let at = if self.sightings.len() < CALLS { self.add() } else { self.take_oldest() };
        let index = usize::from(at);
        (self.tools[index], self.parts[index]) = (number(call.tool), part(call.tool, call.result));
        let sighting = &mut self.sightings[index];
        sighting.arguments.replace(call.arguments);
        (sighting.result, sighting.value) = (call.result, None);
        (sighting.decision, sighting.seen) = (self.decision, call.ended);
        (sighting.in_a_row, sighting.rounds, sighting.is_apart) = (1, 1, false);
        index
    }

    /// Adds an entry as the most recent one.
    #[cold]
    fn add(&mut self) -> u8 {
        let at = place(self.sightings.len());
        self.by_age[self.sightings.len()] = at;
        self.sightings.push(Sighting::default());
        at
    }

    /// Makes the least recent of all entries the most recent one.
    #[inline]
    fn take_oldest(&mut self) -> u8 {
        let oldest = self.by_age[0];
        // Moves each index one place down, without a call of a function.
        self.by_age = (u128::from_le_bytes(self.by_age) >> 8 | u128::from(oldest) << 120).to_le_bytes();
        oldest
    }

    /// Marks an entry as the most recent.
    fn youngest(&mut self, at: usize) {
        let ages = &mut self.by_age[..self.sightings.len()];
        if let Some(age) = ages.iter().position(|&other| usize::from(other) == at) {
            ages[age..].rotate_left(1);
        }
    }

    /// Returns the tool and the hash of the arguments of each call, least recent first.
    #[cfg(test)]
    pub(super) fn by_age(&self) -> Vec<(usize, u64)> {
        let places = self.by_age[..self.sightings.len()].iter().map(|&at| usize::from(at));
        places.map(|at| (self.tools[at] as usize, self.sightings[at].arguments.hash())).collect()
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
