//! The rules that know a call again: `identical_call` and `alternating_calls`.
//!
//! In: each call with the hash of its result. Out: a warning or a pause when it came back too often. What always holds: only a call
//! whose result equals a recent one has its arguments compared; arguments that are not the same text are compared by their value; at
//! most sixteen calls are remembered, the texts of three for one tool, at most 4 kB each. A row of equal calls goes on through calls of
//! other tools that are read-only; its pause ends where another tool that is not read-only succeeds.

use std::time::Duration;

use super::canonical;
use super::limits::Streak;
use super::rates::nanoseconds;
use super::words::{Finding, Reason};
use crate::failure::ThrottleRule;
use crate::input::Arguments;
use crate::shape::Ref;

/// How many calls are remembered.
pub(super) const CALLS: usize = 16;
/// How many texts of one tool are kept, and how long each may be.
pub(super) const TEXTS: usize = 3;
pub(super) const TEXT: usize = 4_096;

/// The last calls of a session.
#[derive(Debug)]
pub(super) struct Repeats {
    /// Each at its place until another takes it.
    sightings: Vec<Sighting>,
    /// The tool at each place, beside each other because a look at most of them ends there.
    tools: [u32; CALLS],
    /// The places, the one that was seen longest ago first.
    by_age: [u8; CALLS],
    /// Counts decisions of the model: a call, or a batch.
    decision: u64,
    batch: Option<u64>,
    /// The calls of tools that are not read-only, and those of them that succeeded.
    calls: Last,
    changes: Last,
}

/// The decision in which something happened last, by the tool that did it and by all others.
#[derive(Clone, Copy, Debug)]
struct Last {
    tool: usize,
    decision: u64,
    others: u64,
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
struct Sighting {
    arguments: u64,
    result: u64,
    text: Option<String>,
    value: Option<u64>,
    decision: u64,
    /// In nanoseconds.
    seen: u64,
    /// How often in a row, and whether calls of read-only tools came between.
    in_a_row: u32,
    is_apart: bool,
    /// How often as every second call.
    rounds: u32,
}

/// What is known of the earlier calls when another one has its result.
struct Look {
    /// The place of the same call.
    same: Option<usize>,
    /// Whether a call of the same tool had this result.
    is_near: bool,
    /// How many texts of the same tool are kept.
    texts: usize,
}

/// A call that has its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) tool: usize,
    pub(super) input: &'a Ref,
    /// Whether its tool changes nothing.
    pub(super) is_read_only: bool,
    pub(super) has_failed: bool,
    /// The hash of the arguments as the tool got them.
    pub(super) arguments: u64,
    pub(super) text: Option<&'a str>,
    pub(super) result: u64,
    pub(super) batch: Option<u64>,
    /// When it began and when it had its result, in nanoseconds.
    pub(super) began: u64,
    pub(super) ended: u64,
}

impl Call<'_> {
    pub(super) const fn ended(&self) -> Duration {
        Duration::from_nanos(self.ended)
    }
}

/// What is known of a call that was noted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted {
    /// Its place.
    pub(super) at: usize,
    /// Whether the same call gave the same result before.
    pub(super) is_known: bool,
    /// Whether any call of the tool gave this result before.
    pub(super) is_near: bool,
}

/// How a call is known again: by its text, or by its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) tool: usize,
    pub(super) arguments: u64,
    pub(super) value: Option<u64>,
    pub(super) result: u64,
}

/// What was found, and the calls that it is about.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) finding: Finding,
    pub(super) call: Identity,
    pub(super) partner: Option<Identity>,
}

impl Repeats {
    /// Remembers a call.
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
                self.youngest(at);
                at
            }
            None => self.remember(call, &look),
        };
        let gap = self.decision - self.sightings[at].decision;
        let is_apart = gap > 1 && known.is_some() && self.is_uninterrupted(at);
        let sighting = &mut self.sightings[at];
        sighting.rounds = if gap == 2 { sighting.rounds.saturating_add(1) } else { 1 };
        if is_apart || (gap < 2 && sighting.in_a_row > 0) {
            sighting.in_a_row = sighting.in_a_row.saturating_add(1);
            sighting.is_apart |= is_apart;
        } else {
            (sighting.in_a_row, sighting.is_apart) = (1, false);
        }
        (sighting.decision, sighting.seen) = (self.decision, call.ended);
        if !call.is_read_only {
            self.calls.note(call.tool, self.decision);
            if !call.has_failed {
                self.changes.note(call.tool, self.decision);
            }
        }
        Noted { at, is_known: known.is_some(), is_near: look.is_near }
    }

    /// The decision that the last call belonged to.
    pub(super) const fn decision(&self) -> u64 {
        self.decision
    }

    /// The last decision in which another tool, which is not read-only, has succeeded.
    pub(super) const fn changed(&self, tool: usize) -> u64 {
        self.changes.of_others(tool)
    }

    /// A call ended that no rule counts: all that matters is whether it may have changed something.
    pub(super) fn note_change(&mut self, call: &Call<'_>, is_neutral: bool) {
        if !call.is_read_only && !call.has_failed && !is_neutral {
            self.decision += 1;
            self.calls.note(call.tool, self.decision);
            self.changes.note(call.tool, self.decision);
        }
    }

    /// Whether nothing but calls of other, read-only tools came after the call at this place.
    #[cold]
    fn is_uninterrupted(&self, at: usize) -> bool {
        let (tool, since) = (self.tools[at], self.sightings[at].decision);
        let of_tool = self.sightings.iter().zip(&self.tools).filter(|(_, of)| **of == tool);
        self.calls.of_others(tool as usize) <= since && of_tool.into_iter().all(|(other, _)| other.decision <= since)
    }

    /// Whether the call at this place came back too often, unchanged.
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

    /// Whether the call at this place and the one before it came back in turn too often. `of` gives the rule and the shape of a tool.
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
                kept.tools[kept.sightings.len()] = self.tools[at];
                kept.sightings.push(std::mem::take(&mut self.sightings[at]));
            }
        }
        // The places have moved together; who was seen before whom has not changed.
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

    /// The places of a tool, a bit each; without a branch for each, so that all are compared in a few instructions.
    #[inline]
    fn places_of(&self, tool: usize) -> u32 {
        let tool = number(tool);
        self.tools.iter().enumerate().fold(0, |places, (at, &other)| places | u32::from(other == tool) << at)
    }

    /// All that has to be known of the earlier calls of the tool, in one walk.
    #[inline]
    fn look(&self, call: &Call<'_>, history: Duration) -> Look {
        let mut look = Look { same: None, is_near: false, texts: 0 };
        let mut places = self.places_of(call.tool);
        while let Some(sighting) = self.sightings.get(places.trailing_zeros() as usize) {
            let at = places.trailing_zeros() as usize;
            places &= places - 1;
            if sighting.is_near(call, history) {
                look.is_near = true;
                if look.same.is_none() && sighting.arguments == call.arguments {
                    look.same = Some(at);
                }
            }
            look.texts += usize::from(sighting.text.is_some());
        }
        look
    }

    /// The same result, and arguments that are written otherwise: only now it matters what they mean.
    #[cold]
    fn find_value(&mut self, call: &Call<'_>, history: Duration) -> Option<usize> {
        let value = canonical::arguments(&Arguments::from(call.text?), call.input)?;
        let of_tool = self.sightings.iter_mut().enumerate().filter(|&(at, _)| self.tools[at] == number(call.tool));
        let mut near = of_tool.filter(|(_, sighting)| sighting.is_near(call, history));
        near.find_map(|(at, sighting)| (sighting.value(call.input)? == value).then_some(at))
    }

    /// A place for a call that is new: that of the one which was seen longest ago.
    fn remember(&mut self, call: &Call<'_>, look: &Look) -> usize {
        if look.texts >= TEXTS {
            self.drop_oldest_text(call.tool);
        }
        if self.sightings.len() < CALLS {
            self.by_age[self.sightings.len()] = place(self.sightings.len());
            self.sightings.push(Sighting::default());
        } else {
            let oldest = self.by_age[0];
            self.by_age.copy_within(1.., 0);
            self.by_age[CALLS - 1] = oldest;
        }
        let at = usize::from(self.by_age[self.sightings.len() - 1]);
        self.tools[at] = number(call.tool);
        let sighting = &mut self.sightings[at];
        match (&mut sighting.text, call.text) {
            // The text of the old one gives its memory to the new one.
            (Some(kept), Some(text)) => {
                kept.clear();
                // Exactly, so that no text takes more than its bound.
                kept.reserve_exact(text.len());
                kept.push_str(text);
            }
            (kept, text) => *kept = text.map(str::to_owned),
        }
        (sighting.arguments, sighting.result, sighting.value) = (call.arguments, call.result, None);
        (sighting.decision, sighting.in_a_row, sighting.rounds, sighting.is_apart) = (0, 0, 0, false);
        at
    }

    /// The tool has all its texts.
    #[cold]
    fn drop_oldest_text(&mut self, tool: usize) {
        for &at in &self.by_age[..self.sightings.len()] {
            let at = usize::from(at);
            if self.tools[at] == number(tool) && self.sightings[at].text.take().is_some() {
                break;
            }
        }
    }

    /// The call at this place was seen again.
    fn youngest(&mut self, at: usize) {
        let ages = &mut self.by_age[..self.sightings.len()];
        if let Some(age) = ages.iter().position(|&other| usize::from(other) == at) {
            ages[age..].rotate_left(1);
        }
    }

    /// The tool and the arguments of each call, the one that was seen longest ago first.
    #[cfg(test)]
    pub(super) fn by_age(&self) -> Vec<(usize, u64)> {
        let places = self.by_age[..self.sightings.len()].iter().map(|&at| usize::from(at));
        places.map(|at| (self.tools[at] as usize, self.sightings[at].arguments)).collect()
    }

    /// How many calls and how many bytes of text are kept.
    #[cfg(test)]
    pub(super) fn kept(&self) -> (usize, usize) {
        let bytes = self.sightings.iter().filter_map(|kept| Some(kept.text.as_ref()?.capacity())).sum();
        (self.sightings.len(), bytes)
    }
}

/// A tool as it is kept; nobody has as many.
fn number(tool: usize) -> u32 {
    u32::try_from(tool).unwrap_or(u32::MAX)
}

#[allow(clippy::cast_possible_truncation)] // There are sixteen.
const fn place(at: usize) -> u8 {
    at as u8
}

impl Sighting {
    /// Whether an earlier call of the same tool had the same result, and not too long ago.
    fn is_near(&self, call: &Call<'_>, history: Duration) -> bool {
        self.result == call.result && call.began.saturating_sub(self.seen) <= nanoseconds(history)
    }

    fn value(&mut self, input: &Ref) -> Option<u64> {
        if self.value.is_none() {
            self.value = canonical::arguments(&Arguments::from(self.text.as_deref()?), input);
        }
        self.value
    }
}
