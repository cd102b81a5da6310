//! The calls of a connection.
//!
//! Invariant: a call that waits for the list has not reached the server, and waits once.

use std::borrow::Cow;

use rmcp::model::RequestId;
use tokio::time::Instant;
use tool_report::CallEndKind;
use tool_runtime::ToolError;

use crate::action::Action;
use crate::call::Call;
use crate::checker::{Added, Checked, Running};
use crate::frame::{Answer, Frame, Message};
use crate::guard::Guard;
use crate::handshake::changed;
use crate::members::parsed;
use crate::outcome::{call_outcome, with_text};
use crate::own_messages::{INTERNAL, INVALID_PARAMS, answered, cancellation, error, rejection};
use crate::pending_request::{Forwarded, PendingRequest};
use crate::private::bounded;
use crate::private::json::well_formed;
use crate::redact::Shown;
use crate::truncate::{Truncated, truncate};

/// The largest number of bytes of all calls that are not answered yet. Their arguments are kept until they are answered.
pub(super) const MOST_BYTES: usize = 256 * 1_024 * 1_024;

/// The parts of a result that most clients cannot parse.
const HALVES: &str = "halves of surrogate pairs in the result";

/// The largest number of bytes that a remark of a dry run shows of a text.
const SHOWN: usize = 1_000;

impl Guard {
    /// Decides about a call, or lets it wait for the list of tools.
    pub(super) fn call(&mut self, id: RequestId, frame: &Frame, params: &str) -> Action {
        let Some(call) = Call::of(params) else {
            return self.reply(error(&id, INVALID_PARAMS, "The parameters of a call are an object with a `name`."));
        };
        self.checker.note_revision(!call.has_result_type());
        let bytes = frame.line().len();
        if self.requests.bytes() + bytes > MOST_BYTES {
            return self.reply(error(&id, INTERNAL, "Too many calls are not answered yet."));
        }
        if self.has_list() {
            return self.decide(id, frame, &call);
        }
        self.waiting_calls.push_back(id.clone());
        let waiting = PendingRequest::Waiting { frame: frame.clone(), changes: self.list.changes };
        self.requests.add_until(id, waiting, bytes, None);
        self.begin_list(call.protocol());
        Action::Drop
    }

    /// Checks a call, and forwards or answers it.
    pub(super) fn decide(&mut self, id: RequestId, frame: &Frame, call: &Call<'_>) -> Action {
        if let Some(text) = self.misnamed() {
            let rejected = error(&id, INTERNAL, text);
            return self.reply(rejected);
        }
        let (has_result_type, bytes) = (call.has_result_type(), frame.line().len());
        match self.checker.check(&id, call, frame) {
            Checked::Passed(running, repaired) => {
                let repaired = repaired.map(Frame::from).filter(|repaired| {
                    self.does(|| {
                        let shown = |call: &Call<'_>| shown(&self.checker.shown(call, running.is_unclear()));
                        let repaired = Call::of(repaired.params()).map(|call| format!(" to {}", shown(&call)));
                        format!("would repair {}{}", self.named_as_shown(&id, call), repaired.unwrap_or_default())
                    })
                });
                if self.checker.needs_approval(&running)
                    && self.does(|| format!("would ask about {}", named(&id, running.tool())))
                {
                    let is_repaired = repaired.is_some();
                    let frame = repaired.unwrap_or_else(|| frame.clone());
                    if has_result_type {
                        return self.ask_by_result(id, (frame, bytes), (running, is_repaired));
                    }
                    return self.ask(id, (frame, bytes), running);
                }
                self.forward(id, bytes, running, (has_result_type, None));
                repaired.map_or(Action::Forward, Action::Replace)
            }
            Checked::Answered(texts) => {
                if self.checker.has_news() {
                    // Sent before the answer, so that the client knows about the new list when its model reads the answer.
                    self.out.to_client.push(changed());
                }
                self.reply(answered(&id, &texts, false, has_result_type))
            }
            Checked::Rejected(_, texts) => {
                let remark =
                    || format!("would reject {}{}", self.named_as_shown(&id, call), self.quoted(&texts.join(" ")));
                if self.does(remark) {
                    return self.reply(rejection(&id, &texts, has_result_type));
                }
                let running = self.checker.pass(call);
                self.forward(id, bytes, running, (has_result_type, None));
                Action::Forward
            }
        }
    }

    /// Returns the error about names in the settings, in place of every list and call.
    pub(super) fn misnamed(&self) -> Option<&str> {
        self.checker.misnamed.as_deref().filter(|_| !self.settings.dry_run)
    }

    /// Notes a call that the server gets. `approved` is the number of a call that the user has approved in protocol version 2026-07-28.
    pub(super) fn forward(
        &mut self,
        id: RequestId,
        bytes: usize,
        running: Running,
        (has_result_type, approved): (bool, Option<u64>),
    ) {
        let until = self.settings.time_limit_of(running.tool()).map(|limit| Instant::now() + limit);
        let call = PendingRequest::Call(Forwarded { running, has_result_type, approved });
        self.requests.add_until(id, call, bytes, until);
    }

    /// Decides about the server's answer to a call.
    pub(super) fn call_answered(
        &mut self,
        id: &RequestId,
        call: Forwarded,
        frame: &Frame,
        answer: Answer<'_>,
    ) -> Action {
        if let Answer::Error(error) = answer
            && (frame.is_lost() || frame.is_unsent())
        {
            let reason: String = parsed(error, "message").unwrap_or_default();
            let (end, failure) = if frame.is_lost() {
                (CallEndKind::Lost, ToolError::new(format!("{reason} The call may have taken effect.")))
            } else {
                (CallEndKind::Error, ToolError::unavailable(format!("{reason} The call was not run.")))
            };
            return Action::Replace(self.fail(id, call, end, failure));
        }
        let Forwarded { running, has_result_type, approved } = call;
        if let Some(asked) = approved.and_then(|approved| self.asked_by_server(approved, frame, answer)) {
            self.checker.cancel(running, CallEndKind::Question);
            return Action::Replace(asked);
        }
        let name = if self.settings.dry_run { named(id, running.tool()) } else { String::new() };
        let fixed = match well_formed(frame.line()) {
            Cow::Owned(fixed) => Some(fixed).filter(|_| self.does(|| format!("would replace {HALVES} of {name}"))),
            Cow::Borrowed(_) => None,
        };
        let fixed = fixed.map(Frame::from);
        let (frame, answer) = match fixed.as_ref().map(|fixed| (fixed, fixed.message())) {
            Some((fixed, Message::Response { answer, .. })) => (fixed, answer),
            _ => (frame, answer),
        };
        let limit = self.settings.result_bytes_of(running.tool());
        let truncated = limit.and_then(|limit| truncate(frame, answer, limit, self.checker.store()));
        if let Some(Truncated { bytes, .. }) = &truncated {
            self.settings.count(running.tool(), |tool| tool.bytes_cut += *bytes as u64);
        }
        let keeps = if self.settings.keep_results.is_some() { " and keep it" } else { "" };
        let shorter = truncated
            .filter(|cut| self.does(|| format!("would cut the result of {name} by {} bytes{keeps}", cut.bytes)))
            .map(|cut| cut.frame);
        let outcome_of_call = call_outcome(answer, self.settings.record_results.is_some());
        let added = self.checker.end(running, outcome_of_call, frame.line().len());
        let remark = fixed.as_ref().map(|_| format!("U+FFFD stands for {HALVES}."));
        let text = match added {
            Added::Nothing => remark,
            Added::Text(text) => Some([text].into_iter().chain(remark).collect::<Vec<_>>().join("\n")),
            Added::ThrottledCall(texts) if self.does(|| format!("would explain the answer to {name}")) => {
                return Action::Replace(rejection(id, &texts, has_result_type));
            }
            Added::ThrottledCall(_) => return Action::Forward,
        };
        let text = text.filter(|text| self.does(|| format!("would add to the result of {name}{}", self.quoted(text))));
        let extended = text.and_then(|text| with_text(shorter.as_ref().unwrap_or(frame), &text));
        extended.or(shorter).or(fixed).map_or(Action::Forward, Action::Replace)
    }

    /// Ends a call without an answer of the server. Returns the answer for the client.
    pub(super) fn fail(&mut self, id: &RequestId, call: Forwarded, result: CallEndKind, failure: ToolError) -> Frame {
        rejection(id, &self.checker.fail(call.running, result, failure), call.has_result_type)
    }

    /// Ends a request whose time has passed.
    pub(super) fn expire_request(&mut self, id: &RequestId) {
        if !self.does(|| format!("would end {} because of its time limit", named(id, None))) {
            return;
        }
        if self.requests.get(id).is_some_and(|pending| !pending.is_sent()) {
            match self.requests.take(id) {
                Some(PendingRequest::Approving(pending)) => self.undecided(id, *pending),
                _ => self.fail_list(id),
            }
            return;
        }
        let Some(PendingRequest::Call(call)) = self.requests.give_up(id) else { return };
        self.out.to_server.push(cancellation(id, "The time limit of the call has passed."));
        let limit = self.settings.time_limit_of(call.running.tool()).unwrap_or_default();
        let text = format!("The MCP server has not answered within {limit:?}. The call may have taken effect.");
        let failed = self.fail(id, call, CallEndKind::Timeout, ToolError::timeout(text));
        self.out.to_client.push(failed);
    }

    /// Returns a call as a remark names it, without redacted values.
    fn named_as_shown(&self, id: &RequestId, call: &Call<'_>) -> String {
        named(id, Some(&self.checker.shown(call, false).name))
    }

    /// Returns a text for the model as a remark shows it. The text can quote any argument, so it is left out if some are redacted.
    fn quoted(&self, text: &str) -> String {
        let is_shown = self.settings.redacted.is_empty();
        if is_shown { format!(": {}", bounded::text(text, SHOWN)) } else { String::new() }
    }
}

/// Returns a call as a remark of a dry run names it.
fn named(id: &RequestId, tool: Option<&str>) -> String {
    let id = id.to_string();
    let (id, tool) = (bounded::name(&id), tool.map(|tool| format!(" of {}", bounded::name(tool))));
    format!("call {id}{}", tool.unwrap_or_default())
}

/// Returns the name and the arguments of a call as a remark of a dry run shows them.
fn shown(call: &Shown<'_>) -> String {
    format!("{} {}", bounded::name(&call.name), bounded::text(&call.arguments, SHOWN))
}
