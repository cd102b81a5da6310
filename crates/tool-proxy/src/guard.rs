//! The decisions of a proxy about each message of both sides: [`Guard`].
//!
//! In: a frame of the client or the server. Out: the frames that follow from it. There is no I/O and no waiting here: a call is checked, repaired
//! and then deferred by its session, and completed when the server answers.
//!
//! Invariants: a message that is not about tools is forwarded unchanged; each request gets one answer; a call of a tool whose
//! definition is known reaches the server only if the schema of the tool accepts it, apart from unknown keys that resemble no absent key.

use std::sync::Arc;

use rmcp::model::RequestId;
use tokio::time::Instant;
use tool_runtime::BuildError;

use super::approve::can_ask;
use super::asked::{Asked, INVALID_REQUEST, Own, Question, Tables, refused_request};
use super::calls::Calls;
use super::fate::{Fate, Received, Sent, Side};
use super::frame::{Answer, Frame, Message, requests_of};
use super::handshake::{Handshake, announcing};
use super::listed::cursor;
use super::open::Answered;
use super::parts::cancelled;
use super::report::ProxyReport;
use super::settings::{Restart, Settings, Translation};
use super::writing::error;

/// The decisions about one connection.
pub(super) struct Guard {
    settings: Arc<Settings>,
    pub(super) calls: Calls,
    pub(super) open: Tables,
    pub(super) handshake: Handshake,
    /// The number of handshakes of the proxy itself.
    pub(super) handshakes: u64,
}

impl Guard {
    /// Fails if the settings contradict each other.
    pub(super) fn new(settings: Arc<Settings>) -> Result<Self, BuildError> {
        Ok(Self {
            calls: Calls::new(Arc::clone(&settings))?,
            settings,
            open: Tables::default(),
            handshake: Handshake::default(),
            handshakes: 0,
        })
    }

    pub(super) fn report(&self) -> &ProxyReport {
        self.calls.report()
    }

    pub(super) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings)
    }

    pub(super) fn message_limit(&self) -> usize {
        self.settings.message_limit
    }

    /// Returns the setting for the translation between revisions.
    pub(super) fn translation(&self) -> Translation {
        if self.settings.dry_run { Translation::Never } else { self.settings.translation }
    }

    pub(super) fn restart(&self) -> Option<Restart> {
        self.settings.restart.filter(|_| !self.settings.dry_run)
    }

    /// Returns `true` if a request of the client is not answered yet.
    pub(super) fn has_requests(&self) -> bool {
        self.open.asked.has_open()
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.calls.deadline()
    }

    /// Ends the waiting that has taken too long.
    pub(super) fn expire(&mut self, now: Instant, sent: &mut Sent) {
        self.calls.expire(now, &mut self.open, sent);
    }

    pub(super) fn log(&self, remark: &str) {
        (self.settings.log)(remark);
    }

    /// Decides about what the client has sent.
    pub(super) fn client(&mut self, received: Received, sent: &mut Sent) {
        match received {
            Received::Frame(frame) => self.client_frame(frame, sent),
            Received::Batch(line) => {
                self.bad_line("the client sent several messages in one line, which was refused");
                for id in requests_of(&line) {
                    sent.to_client.push(error(&id, INVALID_REQUEST, "Send each message on a line of its own."));
                }
            }
            Received::Unusable(line) => self.unusable(Side::Client, line, sent),
        }
    }

    fn client_frame(&mut self, frame: Frame, sent: &mut Sent) {
        let fate = match frame.message() {
            Message::Request { id, method, params } => {
                if let Some(refused) = self.open.asked.refusal(&id) {
                    sent.to_client.push(refused_request(&id, &refused));
                    Fate::Drop
                } else if method == "tools/call" {
                    self.calls.call(id, &frame, params, &mut self.open, sent)
                } else if method == "tools/list" && self.calls.answers_lists() {
                    self.calls.list(id, &frame, params, &mut self.open, sent);
                    Fate::Drop
                } else {
                    let asked = match method {
                        "tools/list" => Asked::List { cursor: cursor(params), changes: self.calls.changes() },
                        "initialize" => {
                            self.handshake.begin(params);
                            self.open.can_ask = can_ask(params);
                            Asked::Initialize
                        }
                        _ => Asked::Other,
                    };
                    self.open.asked.add(id, asked);
                    Fate::Forward
                }
            }
            Message::Notification { method, params } => match method {
                "tools/call" => {
                    self.bad_line("the client called a tool without an id, so the call was dropped");
                    Fate::Drop
                }
                "notifications/cancelled" => self.cancel(params, sent),
                "notifications/initialized" => {
                    self.handshake.end(&frame);
                    Fate::Forward
                }
                _ => Fate::Forward,
            },
            Message::Response { id, answer } => match self.open.questions.answer(&id) {
                Answered::Open(Question::Server) | Answered::Cancelled => Fate::Forward,
                Answered::Open(Question::Approval(call)) => {
                    self.calls.decided(call, Some(answer), &mut self.open, sent);
                    Fate::Drop
                }
                Answered::GivenUp => Fate::Drop,
                Answered::Nothing => self.stray(Side::Client),
            },
            Message::Error => Fate::Forward,
        };
        fate.apply(frame, &mut sent.to_server);
    }

    /// Decides about what the server has sent.
    pub(super) fn server(&mut self, received: Received, sent: &mut Sent) {
        match received {
            Received::Frame(frame) => self.server_frame(frame, sent),
            Received::Batch(_) => {
                self.bad_line("the server sent several messages in one line, which was dropped");
            }
            Received::Unusable(line) => self.unusable(Side::Server, line, sent),
        }
    }

    fn server_frame(&mut self, frame: Frame, sent: &mut Sent) {
        let fate = match frame.message() {
            Message::Request { id, .. } => {
                if let Some(refused) = self.open.questions.refusal(&id) {
                    sent.to_server.push(refused_request(&id, &refused));
                    Fate::Drop
                } else {
                    self.open.questions.add(id, Question::Server);
                    Fate::Forward
                }
            }
            Message::Notification { method, params } => {
                match method {
                    "notifications/tools/list_changed" => self.calls.list_changed(),
                    "notifications/cancelled" => {
                        // A server cannot cancel a question of the proxy.
                        if let Some(id) = cancelled(params)
                            && let Some(question @ Question::Approval(_)) = self.open.questions.cancel(&id)
                        {
                            let _ = self.open.questions.answer(&id);
                            self.open.questions.add(id, question);
                            return;
                        }
                    }
                    _ => {}
                }
                Fate::Forward
            }
            Message::Response { id, answer } => self.answered(&id, &frame, answer, sent),
            Message::Error => Fate::Forward,
        };
        fate.apply(frame, &mut sent.to_client);
    }

    /// Uses the answer to a request of the proxy, or the error in its place.
    pub(super) fn own_answer(&mut self, own: Own, answer: Option<Answer<'_>>, sent: &mut Sent) {
        match own {
            Own::List => self.calls.own_page(answer, &mut self.open, sent),
            Own::Initialize => self.handshake.agree_again(answer),
        }
    }

    pub(super) fn bad_line(&mut self, remark: &str) {
        self.calls.report_mut().bad_lines += 1;
        self.log(remark);
    }

    /// Counts an answer to a request that is not open.
    pub(super) fn count_stray(&mut self, side: Side) {
        self.calls.report_mut().stray_answers += 1;
        self.log(&format!("the {} answered a request that is not open", side.name()));
    }

    fn stray(&mut self, side: Side) -> Fate {
        self.count_stray(side);
        Fate::Drop
    }

    /// Decides about the cancellation of a request of the client.
    fn cancel(&mut self, params: &str, sent: &mut Sent) -> Fate {
        let Some(id) = cancelled(params) else { return Fate::Forward };
        match self.open.asked.cancel(&id) {
            Some(Asked::Call(call)) => {
                self.calls.cancel(call);
                Fate::Forward
            }
            Some(Asked::Approving(pending)) => {
                let _ = self.open.asked.answer(&id);
                self.calls.cancel_pending(pending, &mut self.open, sent);
                Fate::Drop
            }
            Some(Asked::Waiting) => {
                let _ = self.open.asked.answer(&id);
                self.calls.drop_waiting(&id);
                Fate::Drop
            }
            // A client cannot cancel a request of the proxy.
            Some(own @ Asked::Own(_)) => {
                let _ = self.open.asked.answer(&id);
                self.open.asked.add(id, own);
                Fate::Drop
            }
            Some(Asked::List { .. } | Asked::Initialize | Asked::Other) | None => Fate::Forward,
        }
    }

    /// Decides about an answer of the server.
    fn answered(&mut self, id: &RequestId, frame: &Frame, answer: Answer<'_>, sent: &mut Sent) -> Fate {
        match self.open.asked.answer(id) {
            Answered::Nothing => self.stray(Side::Server),
            Answered::Open(Asked::Own(own)) => {
                self.own_answer(own, Some(answer), sent);
                Fate::Drop
            }
            Answered::Open(Asked::Initialize) => {
                let announces = self.calls.answers_lists();
                self.handshake.agree(answer, announces);
                let changed = announces.then(|| announcing(frame, answer)).flatten();
                changed.map_or(Fate::Forward, Fate::Replace)
            }
            Answered::Open(waiting @ (Asked::Waiting | Asked::Approving(_))) => {
                // The server does not know the call yet, so this is not its answer.
                self.open.asked.add(id.clone(), waiting);
                self.stray(Side::Server)
            }
            Answered::Open(Asked::Call(call)) => self.calls.answered(id, call, frame, answer),
            Answered::Open(Asked::List { cursor, changes }) => {
                self.calls.page(id, (cursor.as_deref(), changes), frame, answer)
            }
            Answered::GivenUp => Fate::Drop,
            Answered::Open(Asked::Other) | Answered::Cancelled => Fate::Forward,
        }
    }
}
