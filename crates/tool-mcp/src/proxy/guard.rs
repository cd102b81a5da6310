//! The decisions of a proxy about each line of both sides: [`Guard`].
//!
//! In: a line of the client or the server. Out: the lines that follow from it. There is no I/O and no waiting here: a call is checked, repaired
//! and then deferred by its session, and completed when the server answers.
//!
//! Invariants: a line that is not about tools is forwarded unchanged; each request gets one answer; a call of a tool whose
//! definition is known reaches the server only if the schema of the tool accepts it.

use std::collections::VecDeque;
use std::sync::Arc;

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;
use tool_runtime::clock::Clock;
use tool_runtime::{BuildError, ToolError};

use super::call::{Call, error, list_request, refusal};
use super::checker::{Added, Checked, Checker, Running, Settings};
use super::fate::{Broken, Fate, Sent, Side};
use super::listed::{Listed, cursor};
use super::lister::{Lister, Step};
use super::message::{Answer, Message, NoMessage, batch, object};
use super::open::{Answered, Open, Refused};
use super::outcome::{told, with_text};
use super::report::ProxyReport;

/// Codes of errors of JSON-RPC.
const INVALID_REQUEST: i32 = -32_600;
const INVALID_PARAMS: i32 = -32_602;
const INTERNAL: i32 = -32_603;

const NOT_VALID: &str = "The message is not valid.";

/// The largest number of bytes of all calls that are not answered yet. Their arguments are kept until they are answered.
const MOST_BYTES: usize = 256 * 1_024 * 1_024;

/// A request of the client that the server has to answer.
enum Asked {
    Call {
        running: Running,
        bytes: usize,
        has_result_type: bool,
    },
    /// A page of the list of tools.
    List {
        cursor: Option<String>,
        changes: u64,
    },
    /// A page of the list of tools, requested by the proxy itself.
    OwnList,
    /// A call that waits for the list. The server does not know it yet.
    Waiting,
    Other,
}

/// The decisions about one connection.
pub(super) struct Guard {
    settings: Arc<Settings>,
    checker: Checker,
    lister: Lister,
    /// The requests of the client.
    asked: Open<Asked>,
    /// The requests of the server.
    asked_by_server: Open<()>,
    /// The calls that wait for the list, with their lines.
    waiting: VecDeque<(RequestId, String)>,
    /// The bytes of all calls that are not answered yet.
    bytes: usize,
    /// The number of requests of the proxy itself.
    requests: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled<'l> {
    #[serde(borrow)]
    request_id: &'l RawValue,
}

impl Guard {
    /// Fails if the settings contradict each other.
    pub(super) fn new(settings: Settings) -> Result<Self, BuildError> {
        let settings = Arc::new(settings);
        Ok(Self {
            checker: Checker::new(Arc::clone(&settings))?,
            settings,
            lister: Lister::default(),
            asked: Open::default(),
            asked_by_server: Open::default(),
            waiting: VecDeque::new(),
            bytes: 0,
            requests: 0,
        })
    }

    pub(super) fn report(&self) -> &ProxyReport {
        &self.checker.report
    }

    pub(super) fn message_limit(&self) -> usize {
        self.settings.message_limit
    }

    /// Returns `true` if a request of the client is not answered yet.
    pub(super) fn has_requests(&self) -> bool {
        self.asked.has_open()
    }

    fn log(&self, remark: &str) {
        (self.settings.log)(remark);
    }

    /// Decides about a line of the client.
    pub(super) fn client_line(&mut self, line: Vec<u8>) -> Sent {
        let mut sent = Sent::default();
        let line = match String::from_utf8(line) {
            Ok(line) => line,
            Err(error) => return self.broken(Side::Client, Broken::of(error.as_bytes()), NOT_VALID),
        };
        let fate = match Message::of(&line) {
            Ok(Message::Request { id, method, params }) => {
                if let Some(refused) = self.asked.refusal(&id) {
                    sent.to_client.push(refused_request(&id, &refused));
                    Fate::Drop
                } else if method == "tools/call" {
                    self.call(id, &line, params, &mut sent)
                } else {
                    let is_list = method == "tools/list";
                    let list = || Asked::List { cursor: cursor(params), changes: self.lister.changes() };
                    let asked = if is_list { list() } else { Asked::Other };
                    self.asked.add(id, asked);
                    Fate::Forward
                }
            }
            Ok(Message::Notification { method, params }) => match &*method {
                "tools/call" => {
                    self.bad_line("the client called a tool without an id, so the call was dropped");
                    Fate::Drop
                }
                "notifications/cancelled" => self.cancel(params),
                _ => Fate::Forward,
            },
            Ok(Message::Response { id, .. }) => match self.asked_by_server.answer(&id) {
                Answered::Open(()) | Answered::Cancelled => Fate::Forward,
                Answered::Nothing => self.stray(Side::Client),
            },
            Ok(Message::Error) => Fate::Forward,
            Err(NoMessage::Batch) => {
                self.bad_line("the client sent several messages in one line, which was refused");
                for message in batch(&line) {
                    if let Message::Request { id, .. } = message {
                        sent.to_client.push(error(&id, INVALID_REQUEST, "Send each message on a line of its own."));
                    }
                }
                Fate::Drop
            }
            Err(NoMessage::Unreadable) => return self.broken(Side::Client, Broken::of(line.as_bytes()), NOT_VALID),
        };
        fate.apply(line, &mut sent.to_server);
        sent
    }

    /// Decides about a line of the server.
    pub(super) fn server_line(&mut self, line: Vec<u8>) -> Sent {
        let mut sent = Sent::default();
        let line = match String::from_utf8(line) {
            Ok(line) => line,
            Err(error) => return self.broken(Side::Server, Broken::of(error.as_bytes()), NOT_VALID),
        };
        let fate = match Message::of(&line) {
            Ok(Message::Request { id, .. }) => {
                if let Some(refused) = self.asked_by_server.refusal(&id) {
                    sent.to_server.push(refused_request(&id, &refused));
                    Fate::Drop
                } else {
                    self.asked_by_server.add(id, ());
                    Fate::Forward
                }
            }
            Ok(Message::Notification { method, params }) => {
                match &*method {
                    "notifications/tools/list_changed" => self.lister.change(),
                    "notifications/cancelled" => {
                        if let Some(id) = cancelled(params) {
                            self.asked_by_server.cancel(&id);
                        }
                    }
                    _ => {}
                }
                Fate::Forward
            }
            Ok(Message::Response { id, answer }) => self.answered(&id, &line, answer, &mut sent),
            Ok(Message::Error) => Fate::Forward,
            Err(NoMessage::Batch) => {
                self.bad_line("the server sent several messages in one line, which was dropped");
                Fate::Drop
            }
            Err(NoMessage::Unreadable) => return self.broken(Side::Server, Broken::of(line.as_bytes()), NOT_VALID),
        };
        fate.apply(line, &mut sent.to_client);
        sent
    }

    /// Decides about a line that cannot be used. A request gets an error as its answer; an error takes the place of an answer.
    pub(super) fn broken(&mut self, side: Side, broken: Broken, reason: &str) -> Sent {
        let mut sent = Sent::default();
        self.bad_line(&format!("a line of the {} was dropped. {reason}", side.name()));
        match (side, broken) {
            (Side::Client, Broken::Request(id)) if self.asked.refusal(&id) != Some(Refused::Repeated) => {
                sent.to_client.push(error(&id, INVALID_REQUEST, reason));
            }
            (Side::Server, Broken::Request(id)) if self.asked_by_server.refusal(&id) != Some(Refused::Repeated) => {
                sent.to_server.push(error(&id, INVALID_REQUEST, reason));
            }
            (Side::Client, Broken::Answer(id)) => {
                if let Answered::Open(()) = self.asked_by_server.answer(&id) {
                    sent.to_server.push(error(&id, INTERNAL, reason));
                }
            }
            (Side::Server, Broken::Answer(id)) => self.end_badly(&id, reason, &mut sent),
            (_, Broken::Request(_) | Broken::Other) => {}
        }
        sent
    }

    /// Ends a request whose answer cannot be forwarded.
    fn end_badly(&mut self, id: &RequestId, reason: &str, sent: &mut Sent) {
        match self.asked.answer(id) {
            Answered::Open(Asked::Call { running, bytes, has_result_type }) => {
                self.bytes -= bytes;
                let failure = ToolError::new(format!("{reason} The call may have taken effect."));
                sent.to_client.push(refusal(id, &self.checker.fail(running, failure), has_result_type));
            }
            Answered::Open(Asked::OwnList) => {
                self.lister.give_up();
                self.end_list(None, sent);
            }
            Answered::Open(Asked::Waiting) => self.asked.add(id.clone(), Asked::Waiting),
            Answered::Open(Asked::List { .. } | Asked::Other) => sent.to_client.push(error(id, INTERNAL, reason)),
            Answered::Cancelled | Answered::Nothing => {}
        }
    }

    /// Answers every open request after the end of the server. Returns the answers, and `true` if a request was open.
    pub(super) fn end(&mut self, reason: &str) -> (Sent, bool) {
        let mut sent = Sent::default();
        self.waiting.clear();
        self.bytes = 0;
        for (id, asked) in self.asked.end() {
            let answer = match asked {
                Asked::OwnList => continue,
                Asked::Call { running, has_result_type, .. } => {
                    let text = "The MCP server stopped during the call, which may or may not have taken effect.";
                    refusal(&id, &self.checker.fail(running, ToolError::unavailable(text)), has_result_type)
                }
                Asked::Waiting => {
                    error(&id, INTERNAL, &format!("The server has ended before it got the call: {reason}."))
                }
                Asked::List { .. } | Asked::Other => error(&id, INTERNAL, &format!("The server has ended: {reason}.")),
            };
            sent.to_client.push(answer);
        }
        let had_requests = !sent.to_client.is_empty();
        (sent, had_requests)
    }

    fn bad_line(&mut self, remark: &str) {
        self.checker.report.bad_lines += 1;
        self.log(remark);
    }

    fn stray(&mut self, side: Side) -> Fate {
        self.checker.report.stray_answers += 1;
        self.log(&format!("the {} answered a request that is not open", side.name()));
        Fate::Drop
    }

    /// Decides about the cancellation of a request of the client.
    fn cancel(&mut self, params: &str) -> Fate {
        let Some(id) = cancelled(params) else { return Fate::Forward };
        match self.asked.cancel(&id) {
            Some(Asked::Call { running, bytes, .. }) => {
                self.bytes -= bytes;
                self.checker.cancel(running);
                Fate::Forward
            }
            Some(Asked::Waiting) => {
                let _ = self.asked.answer(&id);
                self.drop_waiting(&id);
                Fate::Drop
            }
            // A client cannot cancel a request of the proxy.
            Some(Asked::OwnList) => {
                let _ = self.asked.answer(&id);
                self.asked.add(id, Asked::OwnList);
                Fate::Drop
            }
            Some(Asked::List { .. } | Asked::Other) | None => Fate::Forward,
        }
    }

    fn drop_waiting(&mut self, id: &RequestId) {
        if let Some(position) = self.waiting.iter().position(|(waiting, _)| waiting == id)
            && let Some((_, line)) = self.waiting.remove(position)
        {
            self.bytes -= line.len();
        }
    }

    /// Decides about a call, or lets it wait for the list of tools.
    fn call(&mut self, id: RequestId, line: &str, params: &str, sent: &mut Sent) -> Fate {
        let Some(call) = Call::of(params) else {
            sent.to_client.push(error(&id, INVALID_PARAMS, "The parameters of a call are an object with a `name`."));
            return Fate::Drop;
        };
        if self.bytes + line.len() > MOST_BYTES {
            sent.to_client.push(error(&id, INTERNAL, "Too many calls are not answered yet."));
            return Fate::Drop;
        }
        if self.lister.is_valid(self.settings.clock.now()) {
            return self.decide(id, line, &call, sent);
        }
        self.asked.add(id.clone(), Asked::Waiting);
        self.bytes += line.len();
        self.waiting.push_back((id, line.to_owned()));
        if self.lister.begin(|| call.protocol()) {
            self.request_page(None, sent);
        }
        Fate::Drop
    }

    fn request_page(&mut self, cursor: Option<&str>, sent: &mut Sent) {
        let id = loop {
            self.requests += 1;
            let id = RequestId::String(format!("toolbox-proxy-{}", self.requests).into());
            // The client may use any id.
            if self.asked.refusal(&id) != Some(Refused::Repeated) {
                break id;
            }
        };
        sent.to_server.push(list_request(&id, cursor, self.lister.protocol()));
        self.asked.add(id, Asked::OwnList);
    }

    /// Checks a call, and forwards or answers it.
    fn decide(&mut self, id: RequestId, line: &str, call: &Call<'_>, sent: &mut Sent) -> Fate {
        let has_result_type = call.has_result_type();
        match self.checker.check(call, line) {
            Checked::Passed(running, repaired) => {
                self.bytes += line.len();
                self.asked.add(id, Asked::Call { running, bytes: line.len(), has_result_type });
                repaired.map_or(Fate::Forward, Fate::Replace)
            }
            Checked::Refused(texts) => {
                sent.to_client.push(refusal(&id, &texts, has_result_type));
                Fate::Drop
            }
        }
    }

    /// Decides about an answer of the server.
    fn answered(&mut self, id: &RequestId, line: &str, answer: Answer<'_>, sent: &mut Sent) -> Fate {
        match self.asked.answer(id) {
            Answered::Nothing => self.stray(Side::Server),
            Answered::Open(Asked::OwnList) => {
                match self.lister.continue_with(answer) {
                    Step::Next(cursor) => self.request_page(Some(&cursor), sent),
                    Step::End(listed) => self.end_list(listed, sent),
                }
                Fate::Drop
            }
            Answered::Open(Asked::Waiting) => {
                // The server does not know the call yet, so this is not its answer.
                self.asked.add(id.clone(), Asked::Waiting);
                self.stray(Side::Server)
            }
            Answered::Open(Asked::Call { running, bytes, has_result_type }) => {
                self.bytes -= bytes;
                match self.checker.end(running, told(answer)) {
                    Added::Nothing => Fate::Forward,
                    Added::Text(text) => with_text(line, answer, &text).map_or(Fate::Forward, Fate::Replace),
                    Added::Refusal(texts) => Fate::Replace(refusal(id, &texts, has_result_type)),
                }
            }
            Answered::Open(Asked::List { cursor, changes }) => {
                if let Some(listed) = self.lister.see(cursor.as_deref(), changes, answer) {
                    self.learn(listed);
                }
                Fate::Forward
            }
            Answered::Open(Asked::Other) | Answered::Cancelled => Fate::Forward,
        }
    }

    /// Ends the list that the proxy has requested, and decides about the calls that wait for it. A call waits once, even if the list
    /// has changed again.
    fn end_list(&mut self, listed: Option<Listed>, sent: &mut Sent) {
        match listed {
            Some(listed) => self.learn(listed),
            None => self.checker.learn_nothing(),
        }
        for (id, line) in std::mem::take(&mut self.waiting) {
            self.bytes -= line.len();
            let _ = self.asked.answer(&id);
            if let Ok(Message::Request { params, .. }) = Message::of(&line)
                && let Some(call) = Call::of(params)
            {
                self.decide(id, &line, &call, sent).apply(line, &mut sent.to_server);
            }
        }
    }

    /// Uses a list of tools from now on.
    fn learn(&mut self, listed: Listed) {
        self.lister.learn(&listed, self.settings.clock.now());
        self.checker.learn(listed);
    }
}

/// Returns the id of the request that a notification cancels.
fn cancelled(params: &str) -> Option<RequestId> {
    serde_json::from_str(object::<Cancelled<'_>>(params)?.request_id.get()).ok()
}

fn refused_request(id: &RequestId, refused: &Refused) -> String {
    error(
        id,
        INVALID_REQUEST,
        match refused {
            Refused::Repeated => "A request with this id is not answered yet.",
            Refused::TooMany => "Too many requests are not answered yet.",
        },
    )
}
