//! The throttle on the way of a call: whether it may run, and what its answer tells the rules.
//!
//! In: each call that has found its way, and its outcome. Out: the outcome, with a warning beside it, or the refusal. What always holds: a
//! call that was let through is reported once, also where its future is dropped; a call of a batch that reaches another tool than it
//! seemed to is decided about anew; a container that is to be expanded is never paused, because expanding it is what its refusals advise;
//! a good call finds its counters by position and allocates nothing here.

use super::member::{Member, batch_of};
use super::{Outcome, Session};
use crate::event::Decision;
use crate::failure::{Failure, Row};
use crate::input::Arguments;
use crate::repair::Repair;
use crate::shape::Ref;
use crate::throttle::{Batch, Exit, Refusal, Ticket, Told, Warning};
use crate::toolbox::{Entry, Item};

/// A call that reached no tool.
pub(super) struct Stopped {
    /// The name that the answer is about.
    pub(super) name: String,
    pub(super) failure: Failure,
    pub(super) ledger: Vec<Repair>,
}

/// A call that may run; without a throttle there is nothing to settle.
pub(super) type Admitted<'s> = Option<Ticket<'s>>;

impl Session {
    /// Asks whether a tool may run.
    #[inline]
    pub(super) fn admit<'s>(
        &'s self,
        entry: &Entry,
        arguments: &Arguments<'_>,
        member: Option<Box<Member<'s>>>,
    ) -> Result<Admitted<'s>, Refusal> {
        let Some(throttle) = &self.0.throttle else { return Ok(None) };
        let subject = self.catalog().subject(Item::Tool(entry.position));
        let told = |input: &_| self.told(entry, arguments, input);
        match member {
            None => throttle.admit_as(subject, None, told).map(Some),
            Some(member) => self.admit_member(subject, *member, told),
        }
    }

    /// Takes up what was decided about a call of a batch, or decides now where it reaches something else.
    #[cold]
    fn admit_member<'s>(
        &'s self,
        subject: usize,
        member: Member<'s>,
        told: impl FnOnce(&Ref) -> Told,
    ) -> Result<Admitted<'s>, Refusal> {
        let Some(throttle) = &self.0.throttle else { return Ok(None) };
        match member.decision {
            Some(decision) if decision.subject == subject => throttle.take_up(subject, decision.admitted),
            other => {
                drop(other);
                throttle.admit_as(subject, Some(member.batch), told)
            }
        }
        .map(Some)
    }

    /// Asks whether a tool might run, which counts for nothing.
    pub(super) fn ask_throttle(
        &self,
        entry: &Entry,
        arguments: &Arguments<'_>,
        member: &mut Option<Box<Member<'_>>>,
    ) -> Result<(), Refusal> {
        let Some(throttle) = &self.0.throttle else { return Ok(()) };
        let subject = self.catalog().subject(Item::Tool(entry.position));
        match member.as_ref().and_then(|member| member.decided(subject)) {
            Some(true) => Ok(()),
            Some(false) => self.admit(entry, arguments, member.take()).map(drop),
            None => throttle.ask(subject, arguments, batch_of(member.as_deref())),
        }
    }

    /// Lets a call pass that the host has decided on.
    pub(super) fn pass(&self, entry: &Entry, arguments: &Arguments<'_>, batch: Option<Batch>) -> Admitted<'_> {
        let throttle = self.0.throttle.as_ref()?;
        Some(throttle.pass(self.catalog().subject(Item::Tool(entry.position)), arguments, batch))
    }

    /// Counts a call of which the host has decided that it does not run.
    pub(super) fn count_decided(&self, entry: &Entry, arguments: &Arguments<'_>, batch: Option<Batch>, exit: Exit<'_>) {
        if let Some(ticket) = self.pass(entry, arguments, batch) {
            // Nothing is said of what the host decided.
            let _ = ticket.report(arguments, exit);
        }
    }

    #[inline]
    fn admit_item(&self, item: Item, arguments: &Arguments<'_>, batch: Option<Batch>) -> Result<Admitted<'_>, Refusal> {
        let Some(throttle) = &self.0.throttle else { return Ok(None) };
        throttle.admit(self.catalog().subject(item), arguments, batch).map(Some)
    }

    /// Tells the rules how a call ended, and its outcome what they say.
    #[inline]
    pub(super) fn count(&self, admitted: Admitted<'_>, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        let Some(ticket) = admitted else { return };
        let exit = match outcome.result() {
            Ok(payload) => Exit::Succeeded { result: payload.as_str(), repairs: outcome.repairs().len() },
            Err(failure) => Exit::of(failure),
        };
        let warning = match outcome.arguments() {
            None => ticket.report(arguments, exit),
            // Known again by what ran.
            Some(ran) => ticket.report_repaired(&ran.into(), arguments.to_text().len(), exit),
        };
        if let Some(warning) = warning {
            self.warn(outcome, warning);
        }
    }

    /// Expands a container that was called without arguments, or whose arguments a policy lets pass.
    pub(super) fn expand(&self, call_id: &str, index: usize, ledger: Vec<Repair>, batch: Option<Batch>) -> Outcome {
        if !self.0.visible.is_expanded(index) {
            self.reopen(index);
        }
        let nothing = "".into();
        match self.admit_item(Item::Container(index), &nothing, batch) {
            Ok(admitted) => {
                self.make_visible(call_id, index);
                let mut outcome = self.expansion(call_id, index, ledger);
                self.count(admitted, &nothing, &mut outcome);
                outcome
            }
            Err(refusal) => {
                let name = &self.catalog().containers[index].spec.name;
                self.throttled(call_id, name, refusal, ledger)
            }
        }
    }

    /// The budget of failures is whole again.
    pub(super) fn begin_run(&self) {
        if let Some(throttle) = &self.0.throttle {
            throttle.begin_run();
        }
    }

    /// What a container was refused before says nothing of the members that it is about to show.
    pub(super) fn reopen(&self, container: usize) {
        if let Some(throttle) = &self.0.throttle {
            throttle.reopen(self.catalog().subject(Item::Container(container)));
        }
    }

    /// Answers a call that reached no tool; it counts for what its name means, or as an invented name.
    pub(super) fn stop(
        &self,
        call_id: &str,
        stopped: Stopped,
        arguments: &Arguments<'_>,
        member: Option<Box<Member<'_>>>,
    ) -> Outcome {
        let Stopped { name, failure, ledger } = stopped;
        let Some(item) = self.to_blame(&name, &failure) else {
            return self.stop_unknown(call_id, &name, failure, ledger, batch_of(member.as_deref()));
        };
        let admitted = match member {
            None => self.admit_item(item, arguments, None),
            Some(member) => {
                let told = |input: &_| Told::of(arguments, input);
                self.admit_member(self.catalog().subject(item), *member, told)
            }
        };
        match admitted {
            Ok(admitted) => {
                let mut outcome = self.refuse(call_id, &name, failure, ledger);
                self.count(admitted, arguments, &mut outcome);
                outcome
            }
            Err(refusal) => self.throttled(call_id, &name, refusal, ledger),
        }
    }

    /// Whose failure it is; nobody's where the name is nobody's.
    fn to_blame(&self, name: &str, failure: &Failure) -> Option<Item> {
        match failure.row() {
            Row::UnknownTool { .. } | Row::AmbiguousTool { .. } => None,
            // Of the container, so that the member is not paused when it can be called at last.
            Row::ContainerNotExpanded { container } => self.catalog().find(container),
            _ => self.catalog().find(name),
        }
    }

    fn stop_unknown(
        &self,
        call_id: &str,
        name: &str,
        failure: Failure,
        ledger: Vec<Repair>,
        batch: Option<Batch>,
    ) -> Outcome {
        let tools = std::iter::once_with(|| self.available()).flatten();
        match self.0.throttle.as_ref().map(|throttle| throttle.unknown(name, tools, batch)) {
            Some(Err(refusal)) => self.throttled(call_id, name, refusal, ledger),
            Some(Ok(Some(warning))) => {
                let mut outcome = self.refuse(call_id, name, failure, ledger);
                self.warn(&mut outcome, warning);
                outcome
            }
            Some(Ok(None)) | None => self.refuse(call_id, name, failure, ledger),
        }
    }

    /// The answer to a call that does not run because of those before it.
    #[cold]
    pub(super) fn throttled(&self, call_id: &str, tool: &str, refusal: Refusal, ledger: Vec<Repair>) -> Outcome {
        let Refusal { rule, retry_after, .. } = refusal;
        self.observe(call_id, || Decision::Throttled { tool, rule, retry_after });
        self.refuse(call_id, tool, Failure::from(refusal), ledger)
    }

    #[cold]
    fn warn(&self, outcome: &mut Outcome, warning: Warning) {
        let (call_id, tool) = (outcome.call_id(), outcome.tool());
        self.observe(call_id, || Decision::Warned { tool, warning: &warning.text });
        outcome.warn(warning.text);
    }
}
