//! The rules that recognize repeated calls: `identical_call` and `alternating_calls`.
//!
//! The arguments of a call are only compared with earlier ones if a recent call had an equal result. They are compared first as text, then
//! by value. At most sixteen calls are remembered. For each tool, the texts of the arguments are kept for at most three calls, up to 4 kB
//! each. Calls of other, read-only tools do not interrupt a sequence of equal calls. The pause after such a sequence ends when another tool
//! that is not read-only succeeds.

use std::time::Duration;

use super::canonical;
use super::limits::Streak;
use super::rates::nanoseconds;
use super::words::{Finding, Reason};
use crate::failure::ThrottleRule;
use crate::input::Arguments;
use crate::shape::Ref;

/// The maximum number of remembered calls.
pub(super) const CALLS: usize = 16;
/// The maximum number of argument texts that are kept per tool.
pub(super) const TEXTS: usize = 3;
/// The maximum length of an argument text that is kept, in bytes.
pub(super) const TEXT: usize = 4_096;

/// The last calls of a session.
#[derive(Debug)]
pub(super) struct Repeats {
    /// The remembered calls. An entry keeps its index until it is replaced.
    pub(super) sightings: Vec<Sighting>,
    /// The tools of the entries. They are in a separate array, because most comparisons need only the tool and a part of the result.
    pub(super) tools: [u32; CALLS],
    /// The lowest 16 bits of the hash of each entry's result.
    pub(super) results: [u16; CALLS],
    /// The entries with a text, as a bit set.
    pub(super) texts: u32,
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

/// The last occurrence of an event: the tool that caused it, its decision, and the last decision in which another tool caused the event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub(super) tool: usize,
    pub(super) decision: u64,
    pub(super) others: u64,
}

impl Last {
    const NEVER: Self = Self { tool: usize::MAX, decision: 0, others: 0 };

    #[inline]
    fn note(&mut self, tool: usize, decision: u64) {
        if tool != self.tool {
            (self.tool, self.others) = (tool, self.decision);
        }
        self.decision = decision;
    }

    const fn of_others(&self, tool: usize) -> u64 {
        if tool == self.tool { self.others } else { self.decision }
    }
}

impl Default for Repeats {
    fn default() -> Self {
        Self {
            sightings: Vec::new(),
            tools: [u32::MAX; CALLS],
            results: [0; CALLS],
            texts: 0,
            by_age: [0; CALLS],
            decision: 0,
            batch: None,
            calls: Last::NEVER,
            changes: Last::NEVER,
        }
    }
}

/// A call and its result.
#[derive(Debug, Default)]
pub(super) struct Sighting {
    pub(super) arguments: u64,
    pub(super) result: u64,
    pub(super) text: Option<String>,
    pub(super) value: Option<u64>,
    pub(super) decision: u64,
    /// The time at which the call last ended, in nanoseconds.
    pub(super) seen: u64,
    /// The number of occurrences in a row.
    pub(super) in_a_row: u32,
    /// `true` if other calls came between these occurrences, all of them of read-only tools.
    pub(super) is_apart: bool,
    /// The number of rounds: occurrences in a row, each exactly two decisions after the previous occurrence.
    pub(super) rounds: u32,
}

/// The comparison of a call and its result with the earlier calls.
struct Look {
    /// The index of an earlier call with the same arguments and the same result.
    same: Option<usize>,
    /// `true` if an earlier call of the same tool had the same result.
    is_near: bool,
    /// The entries of the same tool that have a text, as a bit set.
    texts: u32,
}

/// A finished call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) tool: usize,
    pub(super) input: &'a Ref,
    /// `true` if the tool changes nothing.
    pub(super) is_read_only: bool,
    pub(super) has_failed: bool,
    /// The hash of the arguments that the tool received.
    pub(super) arguments: u64,
    pub(super) text: Option<&'a str>,
    pub(super) result: u64,
    pub(super) batch: Option<u64>,
    /// The time at which the call started, in nanoseconds.
    pub(super) began: u64,
    /// The time at which the call ended, in nanoseconds.
    pub(super) ended: u64,
}

impl Call<'_> {
    pub(super) const fn ended(&self) -> Duration {
        Duration::from_nanos(self.ended)
    }
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
    #[inline]
    pub(super) fn note(&mut self, call: &Call<'_>, history: Duration) -> Noted {
        if call.batch.is_none() || call.batch != self.batch {
            self.decision += 1;
            self.batch = call.batch;
        }
        let look = self.look(call, history);
        let known = look.same.or_else(|| if look.is_near { self.find_value(call, history) } else { None });
        let at = match known {
            Some(at) => {
                self.seen_again(at, call);
                at
            }
            None => self.remember(call, &look),
        };
        if !call.is_read_only {
            self.calls.note(call.tool, self.decision);
            if !call.has_failed {
                self.changes.note(call.tool, self.decision);
            }
        }
        Noted { at, is_known: known.is_some(), is_near: look.is_near }
    }

    /// Counts another occurrence of a call.
    fn seen_again(&mut self, at: usize, call: &Call<'_>) {
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
        (sighting.decision, sighting.seen) = (self.decision, call.ended);
    }

    /// Returns the number of the current decision.
    pub(super) const fn decision(&self) -> u64 {
        self.decision
    }

    /// Returns the last decision in which another tool that is not read-only succeeded.
    pub(super) const fn changed(&self, tool: usize) -> u64 {
        self.changes.of_others(tool)
    }

    /// Records that a call may have changed something. No rule counts the call itself.
    pub(super) fn note_change(&mut self, call: &Call<'_>, is_neutral: bool) {
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
    #[inline]
    pub(super) fn identical(&mut self, at: usize, streak: Option<&Streak>, input: &Ref) -> Option<Found> {
        let (streak, count) = (streak?, self.sightings[at].in_a_row);
        if !streak.refuses(count) && !streak.warns(count) {
            return None;
        }
        let is_apart = self.sightings[at].is_apart;
        let reason = Reason { is_apart, ..Reason::new(ThrottleRule::IdenticalCall, count) };
        let finding = Finding::of(reason, *streak)?;
        Some(Found { finding, call: self.identity(at, input), partner: None })
    }

    /// Applies the rule `alternating_calls` to the call in this entry and the call before it. `of` returns the limits of this rule for a
    /// tool, and the shape of its arguments.
    #[inline]
    pub(super) fn alternating<'p>(
        &mut self,
        at: usize,
        of: impl Fn(usize) -> Option<(Streak, &'p Ref)>,
    ) -> Option<Found> {
        let (tool, &Sighting { decision, rounds, .. }) = (self.tools[at] as usize, &self.sightings[at]);
        if rounds < 2 {
            return None;
        }
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
                (kept.tools[place], kept.results[place]) = (self.tools[at], self.results[at]);
                kept.texts |= (self.texts >> at & 1) << place;
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
        Identity { tool, arguments: sighting.arguments, value: sighting.value(input), result: sighting.result }
    }

    /// Compares a call with the earlier calls of the tool.
    #[inline]
    fn look(&self, call: &Call<'_>, history: Duration) -> Look {
        let of_tool = places(&self.tools, number(call.tool));
        let mut look = Look { same: None, is_near: false, texts: of_tool & self.texts };
        // Usually, no earlier result is equal.
        let mut near = of_tool & places_of_part(&self.results, part(call.result));
        while let Some(sighting) = self.sightings.get(near.trailing_zeros() as usize) {
            let at = near.trailing_zeros() as usize;
            near &= near - 1;
            if sighting.is_near(call, history) {
                look.is_near = true;
                if look.same.is_none() && sighting.arguments == call.arguments {
                    look.same = Some(at);
                }
            }
        }
        look
    }

    /// Finds an earlier call of the tool with the same result whose arguments have an equal value, although their texts differ.
    #[cold]
    fn find_value(&mut self, call: &Call<'_>, history: Duration) -> Option<usize> {
        let value = canonical::arguments(&Arguments::from(call.text?), call.input)?;
        let of_tool = self.sightings.iter_mut().enumerate().filter(|&(at, _)| self.tools[at] == number(call.tool));
        let mut near = of_tool.filter(|(_, sighting)| sighting.is_near(call, history));
        near.find_map(|(at, sighting)| (sighting.value(call.input)? == value).then_some(at))
    }

    /// Creates an entry for a new call, and returns its index. If all entries are taken, the least recent one is replaced.
    fn remember(&mut self, call: &Call<'_>, look: &Look) -> usize {
        // All bits but the lowest `TEXTS - 1` are left.
        let is_full = (1..TEXTS).fold(look.texts, |texts, _| texts & texts.wrapping_sub(1)) != 0;
        let dropped = if is_full { self.drop_oldest_text(look.texts) } else { None };
        if self.sightings.len() < CALLS {
            self.by_age[self.sightings.len()] = place(self.sightings.len());
            self.sightings.push(Sighting::default());
        } else {
            let oldest = self.by_age[0];
            // Moves each index one place down, without a call of a function.
            self.by_age = (u128::from_le_bytes(self.by_age) >> 8).to_le_bytes();
            self.by_age[CALLS - 1] = oldest;
        }
        let at = usize::from(self.by_age[self.sightings.len() - 1]);
        (self.tools[at], self.results[at]) = (number(call.tool), part(call.result));
        self.texts = self.texts & !(1 << at) | u32::from(call.text.is_some()) << at;
        let sighting = &mut self.sightings[at];
        // The allocation of an old text is reused.
        if dropped.is_some() {
            sighting.text = dropped;
        }
        if let Some(text) = call.text {
            let kept = sighting.text.get_or_insert_default();
            kept.clear();
            // The exact capacity is reserved, so that no text takes more memory than its limit.
            kept.reserve_exact(text.len());
            kept.push_str(text);
        } else {
            sighting.text = None;
        }
        (sighting.arguments, sighting.result, sighting.value) = (call.arguments, call.result, None);
        (sighting.decision, sighting.seen) = (self.decision, call.ended);
        (sighting.in_a_row, sighting.rounds, sighting.is_apart) = (1, 1, false);
        at
    }

    /// Removes and returns the oldest of the texts of a tool that already has the maximum number of texts. The search begins with the most
    /// recent entries, because these have the texts.
    fn drop_oldest_text(&mut self, texts: u32) -> Option<String> {
        let by_age = self.by_age[..self.sightings.len()].iter().rev();
        let oldest = *by_age.filter(|&&at| texts >> at & 1 == 1).nth(TEXTS - 1)?;
        self.texts &= !(1 << oldest);
        let sighting = &mut self.sightings[usize::from(oldest)];
        // In a restored session, the value represents a text that was not saved, so both are dropped together.
        sighting.value = None;
        sighting.text.take()
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
        places.map(|at| (self.tools[at] as usize, self.sightings[at].arguments)).collect()
    }

    /// Returns the number of remembered calls and the bytes of their texts.
    #[cfg(test)]
    pub(super) fn kept(&self) -> (usize, usize) {
        let bytes = self.sightings.iter().filter_map(|kept| Some(kept.text.as_ref()?.capacity())).sum();
        (self.sightings.len(), bytes)
    }
}

/// Returns the places of a value as a bit set. The loop has no branches, so that all places are compared in a few instructions.
#[inline]
fn places(values: &[u32; CALLS], value: u32) -> u32 {
    values.iter().enumerate().fold(0, |places, (at, &other)| places | u32::from(other == value) << at)
}

/// Like [`places`], for parts of hashes. Smaller values take fewer instructions.
#[inline]
fn places_of_part(values: &[u16; CALLS], value: u16) -> u32 {
    values.iter().enumerate().fold(0_u16, |places, (at, &other)| places | u16::from(other == value) << at).into()
}

/// Returns the part of a hash that is compared first.
#[allow(clippy::cast_possible_truncation)] // The whole hash is compared later.
pub(super) const fn part(hash: u64) -> u16 {
    hash as u16
}

/// Converts the number of a tool to the stored type. A number that is too large is saturated, but no real toolbox has that many tools.
pub(super) fn number(tool: usize) -> u32 {
    u32::try_from(tool).unwrap_or(u32::MAX)
}

#[allow(clippy::cast_possible_truncation)] // There are only sixteen entries.
const fn place(at: usize) -> u8 {
    at as u8
}

impl Sighting {
    /// Returns `true` if this earlier call had the same result as `call` and is recent enough.
    fn is_near(&self, call: &Call<'_>, history: Duration) -> bool {
        self.result == call.result && call.began.saturating_sub(self.seen) <= nanoseconds(history)
    }

    /// Returns a hash of the arguments by value.
    pub(super) fn value(&mut self, input: &Ref) -> Option<u64> {
        if self.value.is_none() {
            self.value = canonical::arguments(&Arguments::from(self.text.as_deref()?), input);
        }
        self.value
    }
}
