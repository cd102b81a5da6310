//! Asks the throttle whether a call may run: pauses and rates, before its arguments are decoded.
//!
//! In: each call that has found its way. Out: its right to run, or the refusal. Invariants: a call that was let through is counted once, also if
//! its future is dropped; a call of a batch that reaches another tool than it seemed to is decided about anew; a container that is to be
//! expanded is never paused, because its refusals advise to expand it; a good call finds its counters by position and allocates nothing here.

use super::attempt::{Attempt, NO_ARGUMENTS};
use super::decode::Decoded;
use super::generation::Generation;
use super::member::{Member, batch_of};
use crate::failure::{Failure, Row};
use crate::input::Arguments;
use crate::throttle::{Batch, Refusal, Throttle, Ticket, Warning};
use crate::toolbox::{Entry, Item};

/// The way of a call that may run.
pub(super) enum Admitted {
    /// Its arguments are decoded where it runs, unless a hook wants to see them first.
    Plain,
    /// Calls of its tool are paused: it is decoded first, and compared with them.
    Compared,
    /// It was decoded already, to be told from the other calls of its batch.
    Decoded(Box<Decoded<'static>>),
}

impl Generation {
    /// Asks whether a tool may run.
    #[inline]
    pub(super) fn admit<'s>(
        &'s self,
        entry: &Entry,
        attempt: &mut Attempt<'s>,
        member: Option<Box<Member<'s>>>,
    ) -> Result<Admitted, Refusal> {
        let Some(throttle) = &self.throttle else { return Ok(Admitted::Plain) };
        if let Some(member) = member {
            return self.admit_member(entry, attempt, *member);
        }
        let subject = self.subject(Item::Tool(entry.position));
        // A call about which a hook is asked may never run.
        attempt.ticket = throttle.admit_unread(subject, entry.is_asked_about)?;
        Ok(if attempt.ticket.is_some() { Admitted::Plain } else { Admitted::Compared })
    }

    /// Takes up what was decided about a call of a batch, or decides now if it reaches another tool than it seemed to.
    #[cold]
    fn admit_member<'s>(
        &'s self,
        entry: &Entry,
        attempt: &mut Attempt<'s>,
        member: Member<'s>,
    ) -> Result<Admitted, Refusal> {
        let Some(throttle) = &self.throttle else { return Ok(Admitted::Plain) };
        let subject = self.subject(Item::Tool(entry.position));
        let decision = match member.decision {
            Some(decision) if decision.subject == subject => Some(decision),
            other => {
                drop(other);
                self.decide(entry, subject, member.batch, attempt.sent, true)
            }
        };
        let Some(decision) = decision else { return Ok(Admitted::Plain) };
        attempt.ticket = Some(self.take_up(entry, throttle, decision.admitted)?);
        Ok(decision.decoded.map_or(Admitted::Plain, Admitted::Decoded))
    }

    /// Starts a reserved call, unless a hook is asked about it first.
    pub(super) fn take_up<'s>(
        &self,
        entry: &Entry,
        throttle: &'s Throttle,
        reserved: Result<Ticket<'s>, Refusal>,
    ) -> Result<Ticket<'s>, Refusal> {
        match reserved {
            Ok(ticket) if entry.is_asked_about => Ok(ticket),
            reserved => throttle.take_up(self.subject(Item::Tool(entry.position)), reserved),
        }
    }

    /// Lets a call start that was admitted before a hook was asked about it.
    pub(super) fn start<'s>(&'s self, entry: &Entry, attempt: &mut Attempt<'s>) {
        let Some(throttle) = &self.throttle else { return };
        let subject = self.subject(Item::Tool(entry.position));
        attempt.ticket = attempt.ticket.take().and_then(|ticket| throttle.take_up(subject, Ok(ticket)).ok());
    }

    /// Lets a call pass that the host has decided on.
    pub(super) fn pass(&self, entry: &Entry, arguments: &Arguments<'_>, batch: Option<Batch>) -> Option<Ticket<'_>> {
        let throttle = self.throttle.as_ref()?;
        Some(throttle.pass(self.subject(Item::Tool(entry.position)), arguments, batch))
    }

    /// Asks whether a container may be expanded.
    pub(super) fn admit_container<'s>(
        &'s self,
        container: usize,
        member: Option<&Member<'s>>,
    ) -> Result<Option<Ticket<'s>>, Refusal> {
        if !self.visible.is_expanded(container) {
            self.reopen(container);
        }
        let Some(throttle) = &self.throttle else { return Ok(None) };
        let subject = self.subject(Item::Container(container));
        throttle.admit(subject, &NO_ARGUMENTS, batch_of(member)).map(Some)
    }

    /// Asks whether a call may be refused that reaches no tool: it counts for the item that its name means, or as an invented name, which may be
    /// worth a warning.
    pub(super) fn admit_failed<'s>(
        &'s self,
        failure: &Failure,
        attempt: &mut Attempt<'s>,
        member: Option<Box<Member<'s>>>,
    ) -> Result<Option<Warning>, Refusal> {
        let Some(throttle) = &self.throttle else { return Ok(None) };
        let Some(subject) = self.to_blame(attempt.name, failure) else {
            let tools = std::iter::once_with(|| self.available()).flatten();
            return throttle.unknown(attempt.name, tools, batch_of(member.as_deref()));
        };
        let batch = batch_of(member.as_deref());
        attempt.ticket = Some(match member.and_then(|member| member.decision) {
            Some(decision) if decision.subject == subject => throttle.take_up(subject, decision.admitted)?,
            other => {
                drop(other);
                throttle.admit(subject, attempt.sent, batch)?
            }
        });
        Ok(None)
    }

    /// The number of the tool or container whose failure it is; none if nothing has the name.
    fn to_blame(&self, name: &str, failure: &Failure) -> Option<usize> {
        let item = match failure.row() {
            Row::UnknownTool { .. } | Row::AmbiguousTool { .. } => None,
            // The model has not invented the name: the tool was there.
            Row::ToolRemoved { .. } => return self.numbers.gone(failure.tool()),
            // Of the container, so that the member is not paused when it can be called at last.
            Row::ContainerNotExpanded { container } => self.catalog().find(container),
            _ => self.catalog().find(name),
        };
        item.map(|item| self.subject(item))
    }

    /// Gives a run its whole budget of failures again.
    pub(super) fn begin_run(&self) {
        if let Some(throttle) = &self.throttle {
            throttle.begin_run();
        }
    }

    /// Forgets the refusals of a container, which say nothing of the members that it is about to show.
    pub(super) fn reopen(&self, container: usize) {
        if let Some(throttle) = &self.throttle {
            throttle.reopen(self.subject(Item::Container(container)));
        }
    }
}
