//! The decisions of a proxy about each message of both sides: [`Guard`].
//!
//! In: a frame of the client or the server. Out: the frames that follow from it. Apart from the file of
//! remembered definitions, there is no I/O and no waiting here: a call is checked, repaired
//! and then deferred by its session, and completed when the server answers. `calls.rs` decides about calls, `approval.rs` about those that the
//! user has to approve, and `tool_lists.rs` about lists of tools.
//!
//! Invariants: a message that is not about tools is forwarded unchanged; each request gets one answer; a call of a tool whose
//! definition is known reaches the server only if the schema of the tool accepts it, apart from unknown keys that resemble no absent key.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;
use tool_report::CallEndKind;
use tool_runtime::{BuildError, ToolError};

use crate::action::{Action, Output};
use crate::approval_tokens::ApprovalTokens;
use crate::checker::Checker;
use crate::frame::{Answer, Frame, Message};
use crate::handshake::{Handshake, announcing};
use crate::list_cache::ListCache;
use crate::members::{can_show, cancelled, member, parsed};
use crate::own_messages::{INTERNAL, cancellation, error};
use crate::pending_request::{PendingRequest, Question};
use crate::request_table::{Answered, RequestTable};
use crate::settings::Settings;
use crate::sync::locked;

/// The name under which the definitions of a server without a command are remembered.
const STREAMS: &str = "server";

/// The decisions about one connection.
pub(super) struct Guard {
    pub(super) settings: Arc<Settings>,
    pub(super) checker: Checker,
    pub(super) handshake: Handshake,
    /// `true` if the client can ask its user.
    pub(super) can_ask: bool,
    /// The open requests of the client, and those of the proxy to the server.
    pub(super) requests: RequestTable<PendingRequest>,
    /// The open requests of the server, and those of the proxy to the client.
    pub(super) questions: RequestTable<Question>,
    /// The number of requests of the proxy itself.
    pub(super) own_requests: u64,
    pub(super) list: ListCache,
    /// The calls that wait for the list.
    pub(super) waiting_calls: VecDeque<RequestId>,
    /// The requests of the client for the list that the proxy answers.
    pub(super) waiting_lists: Vec<RequestId>,
    /// The time for which calls and requests wait for the list.
    pub(super) list_patience: Duration,
    /// The name under which the definitions of the server are remembered; `None` if there are several servers, because the router knows theirs.
    pub(super) pin_name: Option<String>,
    /// The decisions of the user about definitions that this connection knows.
    pub(super) pin_decisions: u64,
    /// The approvals that a repeated call may bring back.
    pub(super) approval_states: ApprovalTokens,
    pub(super) out: Output,
}

impl Guard {
    /// Fails if the settings contradict each other.
    pub(super) fn new(settings: Arc<Settings>) -> Result<Self, BuildError> {
        Ok(Self {
            checker: Checker::new(Arc::clone(&settings))?,
            list_patience: settings.list_time_limit,
            handshake: Handshake::default(),
            can_ask: false,
            requests: RequestTable::default(),
            questions: RequestTable::default(),
            own_requests: 0,
            list: ListCache::default(),
            waiting_calls: VecDeque::new(),
            waiting_lists: Vec::new(),
            pin_name: Some(STREAMS.to_owned()),
            pin_decisions: settings.pins.as_ref().map_or(0, |(pins, _)| pins.decisions()),
            approval_states: ApprovalTokens::default(),
            out: Output::default(),
            settings,
        })
    }

    pub(super) fn log(&self, remark: &str) {
        (self.settings.log)(remark);
    }

    /// Counts a line that was dropped.
    pub(super) fn bad_line(&mut self, remark: &str) {
        locked(&self.settings.report).bad_lines += 1;
        self.log(remark);
    }

    /// Counts an answer to a request that is not open.
    pub(super) fn count_stray(&mut self, side: &str) {
        locked(&self.settings.report).stray_answers += 1;
        self.log(&format!("the {side} answered a request that is not open"));
    }

    /// Drops an answer to a request that is not open. A line that could not be used is counted already.
    fn stray(&mut self, side: &str, frame: &Frame) -> Action {
        if !frame.is_lost() {
            self.count_stray(side);
        }
        Action::Drop
    }

    /// Sends an answer to the client, in place of the message that the server would have got.
    pub(super) fn reply(&mut self, answer: Frame) -> Action {
        self.out.to_client.push(answer);
        Action::Drop
    }

    /// Returns `true` if the proxy acts. In a dry run, it only says what it would do.
    pub(super) fn does(&self, remark: impl FnOnce() -> String) -> bool {
        let is_dry = self.settings.dry_run;
        if is_dry {
            self.log(&remark());
        }
        !is_dry
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.requests.deadline().into_iter().chain(self.list.deadline()).min()
    }

    /// Lets calls pass unchecked if the server has not listed its tools in time; the list is still used if it comes. Ends the requests that
    /// have not been answered in time.
    pub(super) fn expire(&mut self, now: Instant) {
        if self.list.expire(now) {
            let limit = self.settings.list_time_limit;
            self.log(&format!("the server has not listed its tools within {limit:?}"));
            self.checker.learn_nothing();
            self.release_calls();
        }
        while let Some(id) = self.requests.expired(now) {
            self.expire_request(&id);
        }
    }

    /// Decides about what the client has sent.
    pub(super) fn client(&mut self, frame: Frame) {
        let action = match frame.message() {
            Message::Request { id, method, params } => self.request(id, method, params, &frame),
            Message::Notification { method, params } => match method {
                "tools/call" => {
                    self.bad_line("the client called a tool without an id, so the call was dropped");
                    Action::Drop
                }
                "notifications/cancelled" => self.cancel(params),
                "notifications/initialized" => {
                    self.handshake.end(&frame);
                    Action::Forward
                }
                _ => Action::Forward,
            },
            Message::Response { id, answer } => match self.questions.answer(&id) {
                Answered::Open(Question::Server) | Answered::Cancelled => Action::Forward,
                Answered::Open(Question::Approval(call)) => {
                    self.decided(call, answer);
                    Action::Drop
                }
                Answered::GivenUp => Action::Drop,
                Answered::Nothing => self.stray("client", &frame),
            },
            Message::Error => Action::Forward,
        };
        self.out.to_server.extend(action.apply(frame));
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, frame: &Frame) -> Action {
        if let Some(rejected) = self.requests.rejection(&id) {
            return self.reply(rejected.answer(&id));
        }
        if self.settings.pins.is_some() && matches!(method, "tools/call" | "tools/list") {
            self.note_decisions();
        }
        let pending = match method {
            "tools/call" => return self.call(id, frame, params),
            "tools/list" if self.answers_lists() => return self.list(id, frame, params),
            "tools/list" => PendingRequest::List { cursor: parsed(params, "cursor"), changes: self.list.changes },
            "initialize" => {
                self.handshake.begin(params);
                self.can_ask = member(params, "capabilities").is_some_and(can_show);
                PendingRequest::Initialize
            }
            _ => PendingRequest::Other,
        };
        self.requests.add(id, pending);
        Action::Forward
    }

    /// Decides about the cancellation of a request of the client.
    fn cancel(&mut self, params: &str) -> Action {
        let Some(id) = cancelled(params) else { return Action::Forward };
        match self.requests.get(&id) {
            // A client cannot cancel a request of the proxy.
            Some(PendingRequest::OwnList) => return Action::Drop,
            Some(PendingRequest::Call(_)) | None => {}
            Some(pending) if pending.is_sent() => {}
            Some(_) => {
                match self.requests.take(&id) {
                    Some(PendingRequest::Approving(pending)) => self.cancel_pending(*pending),
                    _ => self.forget_waiting(&id),
                }
                return Action::Drop;
            }
        }
        let is_list = matches!(self.requests.get(&id), Some(PendingRequest::List { .. }));
        if is_list && !self.settings.shows_all() {
            // Its answer may still come, with tools that the client may not see.
            self.requests.give_up(&id);
        } else if let Some(PendingRequest::Call(call)) = self.requests.cancel(&id) {
            self.checker.cancel(call.running, CallEndKind::Cancelled);
        }
        Action::Forward
    }

    /// Decides about what the server has sent.
    pub(super) fn server(&mut self, frame: Frame) {
        let action = match frame.message() {
            Message::Request { id, .. } => {
                if let Some(rejected) = self.questions.rejection(&id) {
                    self.out.to_server.push(rejected.answer(&id));
                    Action::Drop
                } else {
                    self.questions.add(id, Question::Server);
                    Action::Forward
                }
            }
            Message::Notification { method, params } => match method {
                "notifications/tools/list_changed" => {
                    self.list.changes += 1;
                    Action::Forward
                }
                "notifications/cancelled" => match cancelled(params) {
                    // A server cannot cancel a question of the proxy.
                    Some(id) if matches!(self.questions.get(&id), Some(Question::Approval(_))) => Action::Drop,
                    id => {
                        id.and_then(|id| self.questions.cancel(&id));
                        Action::Forward
                    }
                },
                _ => Action::Forward,
            },
            Message::Response { id, answer } => self.answered(&id, &frame, answer),
            Message::Error => Action::Forward,
        };
        self.out.to_client.extend(action.apply(frame));
    }

    /// Decides about an answer of the server.
    fn answered(&mut self, id: &RequestId, frame: &Frame, answer: Answer<'_>) -> Action {
        // If the server does not know a call yet, this is not its answer.
        match self.requests.answer_if(id, PendingRequest::is_sent) {
            Answered::Nothing => self.stray("server", frame),
            Answered::Open(PendingRequest::Call(call)) => self.call_answered(id, call, frame, answer),
            Answered::Open(PendingRequest::List { cursor, changes }) => {
                let pinned = self.pinned(frame, answer);
                let (frame, answer) = pinned.as_ref().and_then(with_answer).unwrap_or((frame, answer));
                self.page(id, (cursor.as_deref(), changes), frame, answer)
            }
            Answered::Open(PendingRequest::OwnList) => {
                let pinned = self.pinned(frame, answer);
                self.own_page(pinned.as_ref().and_then(with_answer).map_or(answer, |(_, answer)| answer));
                Action::Drop
            }
            Answered::Open(PendingRequest::Initialize) => {
                let announces = self.answers_lists() || self.settings.pins.is_some() && !self.settings.dry_run;
                self.handshake.agree(answer, announces);
                let changed = announces.then(|| announcing(frame, answer)).flatten();
                changed.map_or(Action::Forward, Action::Replace)
            }
            Answered::GivenUp => Action::Drop,
            Answered::Open(_) | Answered::Cancelled => Action::Forward,
        }
    }

    /// Answers every open request after the end of the server.
    pub(super) fn end(&mut self, reason: &str) {
        self.list.forget();
        self.waiting_calls.clear();
        self.waiting_lists.clear();
        for (id, pending) in self.requests.end() {
            let answer = match pending {
                PendingRequest::OwnList => continue,
                PendingRequest::Call(call) => {
                    let text = "The MCP server stopped during the call, which may or may not have taken effect.";
                    self.fail(&id, call, CallEndKind::Lost, ToolError::unavailable(text))
                }
                PendingRequest::Waiting { .. } | PendingRequest::Approving(_) => {
                    if let PendingRequest::Approving(pending) = pending {
                        self.checker.cancel(pending.running, CallEndKind::Lost);
                    }
                    error(&id, INTERNAL, &format!("The server has ended before it got the call: {reason}."))
                }
                PendingRequest::List { .. } | PendingRequest::Initialize | PendingRequest::Other => {
                    error(&id, INTERNAL, &format!("The server has ended: {reason}."))
                }
            };
            self.out.to_client.push(answer);
        }
    }

    /// Answers every open request after the end of a server that is started again, and takes back the questions of that server.
    pub(super) fn lose_server(&mut self, reason: &str) {
        self.end(reason);
        let cancelled = |id| cancellation(&id, "The server has ended.");
        self.out.to_client.extend(self.questions.give_up_all().into_iter().map(cancelled));
    }
}

/// Returns a response with its answer.
fn with_answer(frame: &Frame) -> Option<(&Frame, Answer<'_>)> {
    if let Message::Response { answer, .. } = frame.message() { Some((frame, answer)) } else { None }
}
