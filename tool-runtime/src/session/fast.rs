//! A shorter way for calls whose tool returns a result at once: no record of the call, no future, no ticket of the throttle.
//!
//! In: a call. Out: its outcome, or the call as it has to continue in the stages (`call.rs`). Invariant: the outcome, the events and the
//! counts are those of the stages, which `fast/tests.rs` compares. Only `call.rs` uses this file; without the file, every
//! call takes the stages. It saves about 110 ns (`docs/decisions/0166-one-function-for-a-call.md`).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::Outcome;
use super::attempt::Attempt;
use super::inspect_result::{inspect_result, is_doubtful};
use super::run_interruptible::{Interruption, guarded};
use super::session_with_toolbox::SessionView;
use crate::context::{CallContext, CallId};
use crate::event::EventKind;
use crate::input::Arguments;
use crate::throttle::{Throttle, Ticket, Warning};
use crate::tool::{AnswerOrFuture, Payload};
use crate::toolbox::{Entry, Item};

/// A call after the attempt to answer it without stages.
pub(super) enum Fast<'a> {
    Answered(Outcome),
    /// The tool was called, but has not returned a result.
    Started(Started<'a>),
    /// Nothing has happened. The call takes the stages.
    NotTaken,
}

/// A call whose tool was called.
pub(super) struct Started<'a> {
    entry: &'a Entry,
    cx: Option<&'a CallContext>,
    /// The time of the start, as [`start_unasked`] returned it.
    began: u64,
    invocation: Result<AnswerOrFuture<'a>, Interruption>,
}

impl<'a> Started<'a> {
    /// Hands the call over to the stages, which do not call the tool a second time.
    pub(super) fn continue_in_stages(self, view: &'a SessionView, call: &mut Attempt<'a>) {
        call.reach(self.entry);
        call.cx = self.cx;
        call.ticket = unasked_ticket(view, self.entry, self.began);
        call.invocation = Some(self.invocation);
    }
}

/// Answers a call if its tool needs no other stages than resolve, admit, invoke, settle and inspect, and returns a result at once.
#[inline]
pub(super) fn answer<'a>(
    view: &'a SessionView,
    call_id: &str,
    name: &str,
    arguments: &'a Arguments<'_>,
    is_member: bool,
    cx: &'a mut Option<Box<CallContext>>,
) -> Fast<'a> {
    if is_member {
        return Fast::NotTaken;
    }
    let Some(entry) = view.find_at_hand(name) else { return Fast::NotTaken };
    if !entry.is_plain() || view.shared.durability.take_all_stages() {
        return Fast::NotTaken;
    }
    let Some(began) = start_unasked(view) else { return Fast::NotTaken };
    view.visible.used(&entry.owners);
    let own_cx = if entry.ignores_context {
        None
    } else {
        // Created in place, which is cheaper than moving it.
        let cx = cx.insert(Box::new(CallContext::unnamed(entry.position, Some(Arc::clone(&view.scope)))));
        cx.name(call_id);
        Some(&**cx)
    };
    let cx = own_cx.unwrap_or(CallContext::ignored());
    let mut id = CallId::EMPTY;
    id.write(call_id);
    // A text is moved on its own, because a processor cannot load 16 bytes that were just stored as two parts.
    let mut text = None;
    let mut invocation = Err(Interruption::Cancelled);
    let run = || match entry.tool.call(arguments.as_borrowed(), cx) {
        AnswerOrFuture::Ready(Ok(Payload::Text(answer))) => text = Some(answer),
        other => invocation = Ok(other),
    };
    if let Err(panic) = guarded(run) {
        invocation = Err(panic);
    }
    let payload = match text {
        Some(text) => Payload::Text(text),
        None => match invocation {
            Ok(AnswerOrFuture::Ready(Ok(payload))) if !matches!(payload, Payload::Parts(_)) => payload,
            invocation => {
                return Fast::Started(Started { entry, cx: own_cx, began, invocation });
            }
        },
    };
    cx.end_progress();
    let warning = count_success(view, entry, call_id, arguments, began, &payload);
    if warning.is_some() || is_doubtful(view, entry, arguments, &payload) {
        return Fast::Answered(succeed_with_warnings(view, entry, id, arguments, payload, warning));
    }
    Fast::Answered(Outcome::new(id, &entry.name, Ok(payload), None))
}

/// Starts a call if the throttle need not be asked about it. Returns the time of the start in nanoseconds, or 0 without a throttle.
#[inline]
fn start_unasked(view: &SessionView) -> Option<u64> {
    view.throttle.as_ref().map_or(Some(0), Throttle::start_unasked)
}

/// Returns the ticket of a call that [`start_unasked`] has started.
#[cold]
fn unasked_ticket<'a>(view: &'a SessionView, entry: &Entry, began: u64) -> Option<Ticket<'a>> {
    let throttle = view.throttle.as_ref()?;
    Some(throttle.unasked_ticket(view.subject(Item::Tool(entry.position)), began))
}

/// Reports and counts a result, as the stage `settle` does.
#[expect(clippy::inline_always, reason = "few instructions, for nearly every call")]
#[inline(always)]
fn count_success(
    view: &SessionView,
    entry: &Entry,
    call_id: &str,
    arguments: &Arguments<'_>,
    began: u64,
    payload: &Payload,
) -> Option<Box<Warning>> {
    view.shared.rejected.succeeded(&entry.name);
    if view.is_observed() {
        view.observe(call_id, || EventKind::Executed { tool: &entry.name, payload });
    }
    let throttle = view.throttle.as_ref()?;
    let tool = view.subject(Item::Tool(entry.position));
    throttle.succeeded(tool, began, arguments, payload.as_str())
}

/// Creates the outcome of a counted call that may have warnings.
#[cold]
#[inline(never)]
fn succeed_with_warnings(
    view: &SessionView,
    entry: &Entry,
    call_id: CallId,
    arguments: &Arguments<'_>,
    payload: Payload,
    warning: Option<Box<Warning>>,
) -> Outcome {
    let mut outcome = Outcome::new(call_id, &entry.name, Ok(payload), None);
    if let Some(warning) = warning {
        view.warn(&mut outcome, *warning);
    }
    inspect_result(view, entry, arguments, &mut outcome);
    outcome
}
