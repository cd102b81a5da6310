//! Asks the throttle whether a call may run: pauses and rates, before its arguments are decoded unless a pause depends on them.
//!
//! In: a call whose tool is known. Out: permission to run, or the rejection. Invariants: an admitted call is counted once, even if its future
//! is dropped. If a call of a batch reaches another tool than expected, the throttle decides again. Expanding a container is never paused,
//! because the rejections of its members ask the model to expand it. The counters of a call are found by position, and an accepted call
//! allocates nothing here.

use super::admit_batch::decide;
use super::attempt::{Attempt, End, Member, NO_ARGUMENTS, batch_of};
use super::decoded::DecodedFirst;
use super::session_with_toolbox::SessionView;
use crate::failure::{Failure, Row};
use crate::input::Arguments;
use crate::throttle::{Batch, Check, Throttle, ThrottledCall, Ticket, Warning};
use crate::toolbox::{Entry, Item};

impl SessionView {
    /// Asks the throttle whether a tool may run. This is a stage.
    pub(super) fn admit<'s>(&'s self, entry: &Entry, call: &mut Attempt<'s>) -> Result<DecodedFirst, End<'s>> {
        let Some(throttle) = &self.throttle else { return Ok(None) };
        if let Some(member) = call.member.take() {
            return self.admit_member(entry, throttle, call, *member).map_err(End::Throttled);
        }
        let subject = self.subject(Item::Tool(entry.position));
        // If a hook is asked, the call is only reserved, because the hook may prevent it from running.
        throttle.admit_unread(subject, self.is_asked_about(entry), &mut call.ticket).map_err(End::Throttled)?;
        if call.ticket.is_some() { Ok(None) } else { self.compare(entry, throttle, call).map_err(End::Throttled) }
    }

    /// Asks the throttle about a call whose tool is paused only for some arguments: those of paused calls, or those that are rejected. Two
    /// calls are equal if the same arguments would run after repairs and with defaults, however the calls were spelled.
    #[cold]
    fn compare<'s>(
        &'s self,
        entry: &Entry,
        throttle: &'s Throttle,
        call: &mut Attempt<'s>,
    ) -> Result<DecodedFirst, ThrottledCall> {
        let decoded = self.decode_and_repair(entry, call.sent);
        let identity = decoded.checked_identity(entry, call.sent);
        let subject = self.subject(Item::Tool(entry.position));
        call.ticket = Some(self.start_reserved(entry, throttle, throttle.reserve(subject, None, identity))?);
        Ok(Some(Box::new(decoded.into_owned())))
    }

    /// Applies the decision that was made about a call at the beginning of its batch. If the call reaches another tool than expected,
    /// decides now.
    #[cold]
    fn admit_member<'s>(
        &'s self,
        entry: &Entry,
        throttle: &'s Throttle,
        call: &mut Attempt<'s>,
        member: Member<'s>,
    ) -> Result<DecodedFirst, ThrottledCall> {
        let subject = self.subject(Item::Tool(entry.position));
        let decision = match member.decision {
            Some(decision) if decision.subject == subject => Some(decision),
            other => {
                drop(other);
                decide(self, entry, subject, member.batch, call.sent, true)
            }
        };
        let Some(decision) = decision else { return Ok(None) };
        call.ticket = Some(self.start_reserved(entry, throttle, decision.admitted)?);
        Ok(decision.decoded)
    }

    /// Starts a reserved call, unless a hook has to be asked about it first.
    pub(super) fn start_reserved<'s>(
        &self,
        entry: &Entry,
        throttle: &'s Throttle,
        reserved: Result<Ticket<'s>, ThrottledCall>,
    ) -> Result<Ticket<'s>, ThrottledCall> {
        match reserved {
            Ok(ticket) if self.is_asked_about(entry) => Ok(ticket),
            reserved => throttle.start_reserved(self.subject(Item::Tool(entry.position)), reserved),
        }
    }

    /// Turns the reservation of a call into a start, so that the throttle counts the call. This happens after the hooks have decided, whatever
    /// they decided, unless the call is deferred.
    pub(super) fn start<'s>(&'s self, entry: &Entry, call: &mut Attempt<'s>) {
        let Some(throttle) = &self.throttle else { return };
        let subject = self.subject(Item::Tool(entry.position));
        call.ticket = call.ticket.take().and_then(|ticket| throttle.start_reserved(subject, Ok(ticket)).ok());
    }

    /// Admits a call that the host has approved.
    pub(super) fn pass(&self, entry: &Entry, arguments: &Arguments<'_>, batch: Option<Batch>) -> Option<Ticket<'_>> {
        let throttle = self.throttle.as_ref()?;
        Some(throttle.admit_approved(self.subject(Item::Tool(entry.position)), arguments, batch))
    }

    /// Asks the throttle whether a container may be expanded.
    pub(super) fn admit_container<'s>(
        &'s self,
        container: usize,
        member: Option<&Member<'s>>,
    ) -> Result<Option<Ticket<'s>>, ThrottledCall> {
        if !self.visible.is_expanded(container) {
            self.reopen(container);
        }
        let Some(throttle) = &self.throttle else { return Ok(None) };
        let subject = self.subject(Item::Container(container));
        throttle.admit(subject, &NO_ARGUMENTS, batch_of(member)).map(Some)
    }

    /// Counts a call that reaches no tool. If its name refers to an item, the call is counted for this item. Otherwise, it is counted as a
    /// call of an invented name, and may get a warning.
    pub(super) fn admit_failed<'s>(
        &'s self,
        failure: &Failure,
        call: &mut Attempt<'s>,
    ) -> Result<Option<Warning>, ThrottledCall> {
        let Some(throttle) = &self.throttle else { return Ok(None) };
        let member = call.member.take();
        let batch = batch_of(member.as_deref());
        let Some(subject) = self.responsible_item(&call.name, failure) else {
            let tools = std::iter::once_with(|| self.available()).flatten();
            return throttle.count_unknown_name(&call.name, tools, batch);
        };
        call.ticket = Some(match member.and_then(|member| member.decision) {
            Some(decision) if decision.subject == subject => throttle.start_reserved(subject, decision.admitted)?,
            other => {
                drop(other);
                // No arguments make this call valid.
                throttle.admit_checked(subject, call.sent, Check::Rejected, batch)?
            }
        });
        Ok(None)
    }

    /// Returns the number of the tool or container for which the failed call counts; `None` if the name is invented.
    fn responsible_item(&self, name: &str, failure: &Failure) -> Option<usize> {
        let item = match failure.row() {
            Row::UnknownTool { .. } | Row::AmbiguousTool { .. } => None,
            // The model did not invent the name, because an earlier toolbox had the tool.
            Row::ToolRemoved { .. } => return self.numbers.removed(failure.tool_name()),
            // The call counts for the container, so that the member is not already paused when the container is expanded.
            Row::ContainerNotExpanded { container } => self.catalog().find(container),
            _ => self.catalog().find(name),
        };
        item.map(|item| self.subject(item))
    }

    /// Restores the full failure budget for a new run.
    pub(super) fn begin_run(&self) {
        if let Some(throttle) = &self.throttle {
            throttle.begin_run();
        }
    }

    /// Forgets the rejections of a container, because they are unrelated to the members that it is about to show.
    pub(super) fn reopen(&self, container: usize) {
        if let Some(throttle) = &self.throttle {
            throttle.close_breaker(self.subject(Item::Container(container)));
        }
    }
}
