//! The calls of a connection, and the list of tools that their checks need: [`Calls`].
//!
//! In: a call, or an answer of the server. Out: the frames that follow from it. Invariant: a call that waits for the list has not reached the
//! server, and waits once.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;
use tool_runtime::{BuildError, ToolError};

use super::asked::{Asked, Forwarded, INTERNAL, INVALID_PARAMS, Tables};
use super::call::Call;
use super::checker::{Added, Checked, Checker, Running};
use super::cut::{Cut, cut};
use super::deadlines::Deadlines;
use super::dry;
use super::fate::{Fate, Sent};
use super::frame::{Answer, Frame, Message};
use super::handshake::changed;
use super::lister::{Lister, Listing};
use super::open::Open;
use super::outcome::{told, with_text};
use super::report::ProxyReport;
use super::settings::Settings;
use super::states::States;
use super::writing::{answered, cancellation, error, refusal};
use crate::private::json::well_formed;
use tool_report::EndKind;

/// The largest number of bytes of all calls that are not answered yet. Their arguments are kept until they are answered.
pub(super) const MOST_BYTES: usize = 256 * 1_024 * 1_024;

/// The parts of a result that most clients cannot parse.
const HALVES: &str = "halves of surrogate pairs in the result";

/// The calls of one connection.
pub(super) struct Calls {
    pub(super) settings: Arc<Settings>,
    pub(super) checker: Checker,
    pub(super) lister: Lister,
    /// The calls that wait for the list.
    pub(super) waiting: VecDeque<(RequestId, Frame)>,
    /// The requests of the client for the list that the proxy answers.
    pub(super) listings: Vec<Listing>,
    /// The time for which calls and requests wait for the list.
    pub(super) list_patience: Duration,
    pub(super) deadlines: Deadlines,
    /// The approvals that a repeated call may bring back.
    pub(super) states: States,
    /// The bytes of all calls that are not answered yet.
    pub(super) bytes: usize,
    /// The number of requests of the proxy itself.
    pub(super) requests: u64,
}

impl Calls {
    /// Fails if the settings contradict each other.
    pub(super) fn new(settings: Arc<Settings>) -> Result<Self, BuildError> {
        let checker = Checker::new(Arc::clone(&settings))?;
        Ok(Self {
            list_patience: settings.list_time_limit,
            settings,
            checker,
            lister: Lister::default(),
            waiting: VecDeque::new(),
            listings: Vec::new(),
            deadlines: Deadlines::default(),
            states: States::default(),
            bytes: 0,
            requests: 0,
        })
    }

    pub(super) fn report(&self) -> &ProxyReport {
        &self.checker.report
    }

    pub(super) fn report_mut(&mut self) -> &mut ProxyReport {
        &mut self.checker.report
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let listing = self.listings.first().map(|listing| listing.deadline);
        self.lister.deadline().into_iter().chain(listing).chain(self.deadlines.first()).min()
    }

    /// Lets calls pass unchecked if the server has not listed its tools in time; the list is still used if it comes. Ends the requests for the
    /// list, and the calls, that have not been answered in time.
    pub(super) fn expire(&mut self, now: Instant, open: &mut Tables, sent: &mut Sent) {
        if self.lister.expire(now) {
            let limit = self.settings.list_time_limit;
            (self.settings.log)(&format!("the server has not listed its tools within {limit:?}"));
            self.learn_nothing();
            self.release(open, sent);
        }
        self.expire_lists(now, open, sent);
        while let Some(id) = self.deadlines.expired(now) {
            if !self.does(|| format!("would end {} because of its time limit", dry::named(&id, None))) {
                continue;
            }
            let call = match open.asked.give_up(&id) {
                Some(Asked::Call(call)) => call,
                Some(Asked::Approving(pending)) => {
                    // The server does not know the call, so no answer follows.
                    let _ = open.asked.answer(&id);
                    self.undecided(&id, pending, open, sent);
                    continue;
                }
                _ => continue,
            };
            sent.to_server.push(cancellation(&id, "The time limit of the call has passed."));
            let limit = self.settings.time_limit_of(call.running.tool()).unwrap_or_default();
            let text = format!("The MCP server has not answered within {limit:?}. The call may have taken effect.");
            sent.to_client.push(self.fail(&id, call, EndKind::Timeout, ToolError::timeout(text)));
        }
    }

    /// Decides about a call, or lets it wait for the list of tools.
    pub(super) fn call(
        &mut self,
        id: RequestId,
        frame: &Frame,
        params: &str,
        open: &mut Tables,
        sent: &mut Sent,
    ) -> Fate {
        let Some(call) = Call::of(params) else {
            sent.to_client.push(error(&id, INVALID_PARAMS, "The parameters of a call are an object with a `name`."));
            return Fate::Drop;
        };
        self.checker.note_revision(!call.has_result_type());
        let bytes = frame.line().len();
        if self.bytes + bytes > MOST_BYTES {
            sent.to_client.push(error(&id, INTERNAL, "Too many calls are not answered yet."));
            return Fate::Drop;
        }
        if self.lister.is_valid(self.settings.clock.now()) || self.lister.is_late() {
            return self.decide(id, frame, &call, open, sent);
        }
        open.asked.add(id.clone(), Asked::Waiting);
        self.bytes += bytes;
        self.waiting.push_back((id, frame.clone()));
        self.begin_list_for(&call, open, sent);
        Fate::Drop
    }

    /// Checks a call, and forwards or answers it.
    pub(super) fn decide(
        &mut self,
        id: RequestId,
        frame: &Frame,
        call: &Call<'_>,
        open: &mut Tables,
        sent: &mut Sent,
    ) -> Fate {
        if let Some(text) = self.misnamed() {
            sent.to_client.push(error(&id, INTERNAL, text));
            return Fate::Drop;
        }
        let (has_result_type, bytes) = (call.has_result_type(), frame.line().len());
        match self.checker.check(&id, call, frame) {
            Checked::Passed(running, repaired) => {
                let repaired = repaired.map(Frame::from);
                let is_unclear = running.is_unclear();
                let repaired =
                    repaired.filter(|repaired| self.does(|| self.would_repair(&id, call, repaired, is_unclear)));
                if self.checker.needs_approval(&running)
                    && self.does(|| format!("would ask about {}", dry::named(&id, running.tool())))
                {
                    let is_repaired = repaired.is_some();
                    let frame = repaired.unwrap_or_else(|| frame.clone());
                    if has_result_type {
                        self.ask_by_result(id, (frame, bytes), (running, is_repaired), open, sent);
                    } else {
                        self.ask(id, (frame, bytes), running, open, sent);
                    }
                    return Fate::Drop;
                }
                self.forward(id, bytes, running, has_result_type, &mut open.asked);
                repaired.map_or(Fate::Forward, Fate::Replace)
            }
            Checked::Answered(texts) => {
                if self.checker.has_news() {
                    // Sent before the answer, so that the client knows about the new list when its model reads the answer.
                    sent.to_client.push(changed());
                }
                sent.to_client.push(answered(&id, &texts, false, has_result_type));
                Fate::Drop
            }
            Checked::Refused(_, texts) => {
                if !self.does(|| dry::refused(&id, &self.checker.shown(call, false), &texts, &self.settings.redacted)) {
                    self.forward(id, bytes, self.checker.pass(call), has_result_type, &mut open.asked);
                    return Fate::Forward;
                }
                sent.to_client.push(refusal(&id, &texts, has_result_type));
                Fate::Drop
            }
        }
    }

    /// Returns the error about names in the settings, in place of every list and call.
    pub(super) fn misnamed(&self) -> Option<&str> {
        self.checker.misnamed.as_deref().filter(|_| !self.settings.dry_run)
    }

    /// Notes a call that the server gets.
    pub(super) fn forward(
        &mut self,
        id: RequestId,
        bytes: usize,
        running: Running,
        has_result_type: bool,
        asked: &mut Open<Asked>,
    ) {
        self.bytes += bytes;
        let limit = self.settings.time_limit_of(running.tool());
        let deadline = limit.map(|limit| self.deadlines.add(Instant::now() + limit, id.clone()));
        asked.add(id, Asked::Call(Forwarded { running, bytes, deadline, has_result_type, approved: None }));
    }

    /// Returns `true` if the proxy acts. In a dry run, it only says what it would do.
    pub(super) fn does(&self, remark: impl FnOnce() -> String) -> bool {
        let is_dry = self.settings.dry_run;
        if is_dry {
            (self.settings.log)(&remark());
        }
        !is_dry
    }

    /// Returns the remark about a call that would be repaired.
    fn would_repair(&self, id: &RequestId, call: &Call<'_>, repaired: &Frame, is_unclear: bool) -> String {
        let repaired = Call::of(repaired.params());
        let repaired = repaired.as_ref().map(|call| self.checker.shown(call, is_unclear));
        dry::repaired(id, &self.checker.shown(call, is_unclear), repaired.as_ref())
    }

    /// Decides about the server's answer to a call.
    pub(super) fn answered(&mut self, id: &RequestId, call: Forwarded, frame: &Frame, answer: Answer<'_>) -> Fate {
        let Forwarded { running, bytes, deadline, has_result_type, approved } = call;
        self.bytes -= bytes;
        self.deadlines.remove(deadline);
        if let Some(asked) = approved.and_then(|approved| self.asked_by_server(approved, frame, answer)) {
            self.checker.cancel(running, EndKind::Question);
            return Fate::Replace(asked);
        }
        let name = if self.settings.dry_run { dry::named(id, running.tool()) } else { String::new() };
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
        let cut = limit.and_then(|limit| cut(frame, answer, limit, self.checker.store()));
        if let Some(cut) = &cut {
            self.checker.count_cut(running.tool(), cut.bytes);
        }
        let keeps = if self.settings.keep_results.is_some() { " and keep it" } else { "" };
        let cut = cut.filter(|Cut { bytes, .. }| {
            self.does(|| format!("would cut the result of {name} by {bytes} bytes{keeps}"))
        });
        let cut = cut.map(|cut| cut.frame);
        let unchanged = |cut: Option<Frame>| cut.or_else(|| fixed.clone()).map_or(Fate::Forward, Fate::Replace);
        let remark = fixed.as_ref().map(|_| format!("U+FFFD stands for {HALVES}."));
        let added = match (
            self.checker.end(running, told(answer, self.settings.record_results.is_some()), frame.line().len()),
            remark,
        ) {
            (Added::Nothing, Some(remark)) => Added::Text(remark),
            (Added::Text(text), Some(remark)) => Added::Text(format!("{text}\n{remark}")),
            (added, _) => added,
        };
        match added {
            Added::Nothing => unchanged(cut),
            Added::Text(text)
                if !self.does(|| {
                    format!("would add to the result of {name}{}", dry::quoted(&text, &self.settings.redacted))
                }) =>
            {
                Fate::Forward
            }
            Added::Text(text) => match with_text(cut.as_ref().unwrap_or(frame), &text) {
                Some(changed) => Fate::Replace(changed),
                None => unchanged(cut),
            },
            Added::Refusal(_) if !self.does(|| format!("would explain the answer to {name}")) => Fate::Forward,
            Added::Refusal(texts) => Fate::Replace(refusal(id, &texts, has_result_type)),
        }
    }

    /// Ends a call without an answer of the server. Returns the answer for the client.
    pub(super) fn fail(&mut self, id: &RequestId, call: Forwarded, result: EndKind, failure: ToolError) -> Frame {
        let Forwarded { running, bytes, deadline, has_result_type, .. } = call;
        self.bytes -= bytes;
        self.deadlines.remove(deadline);
        refusal(id, &self.checker.fail(running, result, failure), has_result_type)
    }

    /// Ends a call that the client has cancelled.
    pub(super) fn cancel(&mut self, call: Forwarded) {
        self.bytes -= call.bytes;
        self.deadlines.remove(call.deadline);
        self.checker.cancel(call.running, EndKind::Cancelled);
    }
}
