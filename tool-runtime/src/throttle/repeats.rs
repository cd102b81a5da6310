//! The rules that know a call again: `identical_call` and `alternating_calls`.
//!
//! In: each call with the hash of its result. Out: a warning or a pause when it came back too often. What always holds: only a call
//! whose result equals a recent one has its arguments compared; arguments that are not the same text are compared by their value; at
//! most sixteen calls are remembered, the texts of three for one tool, at most 4 kB each.

use std::time::Duration;

use super::canonical;
use super::limits::Streak;
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
#[derive(Debug, Default)]
pub(super) struct Repeats {
    sightings: Vec<Sighting>,
    /// Counts decisions of the model: a call, or a batch.
    decision: u64,
    batch: Option<u64>,
    order: u64,
}

/// A call and its result.
#[derive(Debug)]
struct Sighting {
    tool: usize,
    arguments: u64,
    result: u64,
    text: Option<String>,
    value: Option<u64>,
    decision: u64,
    order: u64,
    seen: Duration,
    /// How often in a row.
    in_a_row: u32,
    /// How often as every second call.
    rounds: u32,
}

/// What is known of the earlier calls when another one has its result.
struct Look {
    /// The place of the same call.
    same: Option<usize>,
    /// Whether a call of the same tool had this result.
    is_near: bool,
    /// The place of the call that was seen longest ago.
    oldest: usize,
    /// How many texts of the same tool are kept, and the place of the oldest.
    texts: usize,
    oldest_text: usize,
}

/// A call that has its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) tool: usize,
    pub(super) input: &'a Ref,
    /// The hash of the arguments as they were sent.
    pub(super) arguments: u64,
    pub(super) text: Option<&'a str>,
    pub(super) result: u64,
    pub(super) batch: Option<u64>,
    /// When it began, and when it had its result.
    pub(super) began: Duration,
    pub(super) ended: Duration,
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
    /// Remembers a call; gives its place.
    pub(super) fn note(&mut self, call: &Call<'_>, history: Duration) -> usize {
        if call.batch.is_none() || call.batch != self.batch {
            self.decision += 1;
            self.batch = call.batch;
        }
        self.order += 1;
        let look = self.look(call, history);
        let known = look.same.or_else(|| if look.is_near { self.find_value(call, history) } else { None });
        let at = known.unwrap_or_else(|| self.remember(call, &look));
        let sighting = &mut self.sightings[at];
        match self.decision - sighting.decision {
            0 | 1 if sighting.in_a_row > 0 => {
                sighting.in_a_row = sighting.in_a_row.saturating_add(1);
                sighting.rounds = 1;
            }
            2 => (sighting.in_a_row, sighting.rounds) = (1, sighting.rounds.saturating_add(1)),
            _ => (sighting.in_a_row, sighting.rounds) = (1, 1),
        }
        (sighting.decision, sighting.order, sighting.seen) = (self.decision, self.order, call.ended);
        at
    }

    /// Whether the call at this place came back too often, unchanged.
    pub(super) fn identical(&mut self, at: usize, streak: Option<Streak>, input: &Ref) -> Option<Found> {
        let reason = Reason { rule: ThrottleRule::IdenticalCall, count: self.sightings[at].in_a_row, partner: None };
        let finding = Finding::of(reason, streak?)?;
        Some(Found { finding, call: self.sightings[at].identity(input), partner: None })
    }

    /// Whether the call at this place and the one before it came back in turn too often. `of` gives the rule and the shape of a tool.
    pub(super) fn alternating<'p>(
        &mut self,
        at: usize,
        of: impl Fn(usize) -> Option<(Streak, &'p Ref)>,
    ) -> Option<Found> {
        let Sighting { tool, decision, rounds, .. } = self.sightings[at];
        if rounds < 2 {
            return None;
        }
        let partner = self
            .sightings
            .iter()
            .position(|other| other.decision + 1 == decision && other.rounds >= rounds && of(other.tool).is_some())?;
        let partner_tool = self.sightings[partner].tool;
        let ((streak, input), (_, partner_input)) = (of(tool)?, of(partner_tool)?);
        let reason = Reason { rule: ThrottleRule::AlternatingCalls, count: rounds, partner: Some(partner_tool) };
        let finding = Finding::of(reason, streak)?;
        let call = self.sightings[at].identity(input);
        Some(Found { finding, call, partner: Some(self.sightings[partner].identity(partner_input)) })
    }

    /// Forgets the calls of one tool.
    pub(super) fn forget(&mut self, tool: usize) {
        self.sightings.retain(|sighting| sighting.tool != tool);
    }

    /// All that has to be known of the calls so far, in one walk.
    fn look(&self, call: &Call<'_>, history: Duration) -> Look {
        let mut look = Look { same: None, is_near: false, oldest: 0, texts: 0, oldest_text: 0 };
        let (mut order, mut text_order) = (u64::MAX, u64::MAX);
        for (at, sighting) in self.sightings.iter().enumerate() {
            if sighting.order < order {
                (look.oldest, order) = (at, sighting.order);
            }
            if sighting.tool != call.tool {
                continue;
            }
            if sighting.is_near(call, history) {
                look.is_near = true;
                if look.same.is_none() && sighting.arguments == call.arguments {
                    look.same = Some(at);
                }
            }
            if sighting.text.is_some() {
                look.texts += 1;
                if sighting.order < text_order {
                    (look.oldest_text, text_order) = (at, sighting.order);
                }
            }
        }
        look
    }

    /// The same result, and arguments that are written otherwise: only now it matters what they mean.
    #[cold]
    fn find_value(&mut self, call: &Call<'_>, history: Duration) -> Option<usize> {
        let value = canonical::arguments(&Arguments::from(call.text?), call.input)?;
        let near = self.sightings.iter_mut().enumerate().filter(|(_, sighting)| sighting.is_near(call, history));
        near.into_iter().find_map(|(at, sighting)| (sighting.value(call.input)? == value).then_some(at))
    }

    /// A place for a call that is new: that of the one which was seen longest ago.
    fn remember(&mut self, call: &Call<'_>, look: &Look) -> usize {
        if look.texts >= TEXTS {
            // The tool has all its texts.
            self.sightings[look.oldest_text].text = None;
        }
        let at = if self.sightings.len() == CALLS {
            look.oldest
        } else {
            self.sightings.push(Sighting::default());
            self.sightings.len() - 1
        };
        let sighting = &mut self.sightings[at];
        // The text of the old one gives its memory to the new one.
        let text = call.text.map(|text| {
            let mut kept = sighting.text.take().unwrap_or_default();
            kept.clear();
            // Exactly, so that no text takes more than its bound.
            kept.reserve_exact(text.len());
            kept.push_str(text);
            kept
        });
        let Call { tool, arguments, result, .. } = *call;
        *sighting = Sighting { tool, arguments, result, text, ..Sighting::default() };
        at
    }

    /// How many calls and how many bytes of text are kept.
    #[cfg(test)]
    pub(super) fn kept(&self) -> (usize, usize) {
        let bytes = self.sightings.iter().filter_map(|kept| Some(kept.text.as_ref()?.capacity())).sum();
        (self.sightings.len(), bytes)
    }
}

impl Default for Sighting {
    fn default() -> Self {
        Self {
            tool: usize::MAX,
            arguments: 0,
            result: 0,
            text: None,
            value: None,
            decision: 0,
            order: 0,
            seen: Duration::ZERO,
            in_a_row: 0,
            rounds: 0,
        }
    }
}

impl Sighting {
    /// Whether it is of the same tool, with the same result, and not too long ago.
    fn is_near(&self, call: &Call<'_>, history: Duration) -> bool {
        self.result == call.result && self.tool == call.tool && call.began.saturating_sub(self.seen) <= history
    }

    fn value(&mut self, input: &Ref) -> Option<u64> {
        if self.value.is_none() {
            self.value = canonical::arguments(&Arguments::from(self.text.as_deref()?), input);
        }
        self.value
    }

    fn identity(&mut self, input: &Ref) -> Identity {
        Identity { tool: self.tool, arguments: self.arguments, value: self.value(input), result: self.result }
    }
}
