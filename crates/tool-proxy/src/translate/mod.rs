//! The translation between a client and a server of different revisions of the protocol: [`Translator`].
//!
//! In: a frame of the client or of the server. Out: the frames that follow from it. There is no I/O here. The first messages show which protocol versions
//! both sides speak.
//!
//! Invariant: if both sides speak the same revision, every frame is forwarded unchanged.

mod legacy;
mod modern;
mod output;
mod questions;
mod subscriptions;
#[cfg(test)]
mod tests;
mod version_differences;

use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;

use crate::frame::{Answer, Frame, Message};
use crate::members::{cancelled, parsed};
use crate::own_messages::request;
use crate::settings::VersionTranslation;
use crate::translate::legacy::LegacyClient;
use crate::translate::modern::ModernClient;
pub(crate) use crate::translate::output::Translated;
use crate::translate::output::{
    Backlog, LISTS, MODERN, UNSUPPORTED_REVISION, complete_meta, has_complete_meta, version,
};
use crate::translate::version_differences::{info, result_type};

/// The errors of servers that speak protocol version 2026-07-28 or a later one.
const MODERN_ERRORS: std::ops::RangeInclusive<i32> = UNSUPPORTED_REVISION..=-32_020;

/// The time after which the next line of the client no longer waits for an answer that shows the revision of the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// The translation of the messages between the proxy and one server.
pub(crate) struct Translator {
    setting: VersionTranslation,
    state: TranslatorState,
}

enum TranslatorState {
    /// The client has not sent a request that shows its revision. `true` if the server is known to need a handshake.
    New(bool),
    /// The server has not answered the first request of the client, or a request of the proxy with which it finds out the revision of the server.
    Awaiting(Box<Awaited>),
    /// Both sides speak the same revision.
    Same,
    Modern(Box<ModernClient>),
    Legacy(Box<LegacyClient>),
}

struct Awaited {
    id: RequestId,
    first: First,
    backlog: Backlog,
    since: Instant,
}

impl Awaited {
    fn new(id: RequestId, first: First, backlog: Backlog) -> Self {
        Self { id, first, backlog, since: Instant::now() }
    }

    /// Returns `true` if the next line ends the wait. Before the end of its handshake, a client has nothing else to send.
    fn is_late(&self) -> bool {
        !matches!(self.first, First::Initialize(_)) && self.since.elapsed() >= PATIENCE
    }
}

enum First {
    /// The client's `server/discover`.
    Discover(Frame),
    /// The client's request for a list in protocol version 2026-07-28.
    List(Frame),
    /// A `server/discover` of the proxy after the answer to such a request, with the request and its answer.
    Listed(Frame, Frame),
    /// A `server/discover` of the proxy, before another request of protocol version 2026-07-28, which waits.
    Probe(Frame),
    /// The client's handshake.
    Initialize(Frame),
    /// A `server/discover` of the proxy after the server has rejected the handshake, with the handshake and the rejection.
    Rejected(Frame, Frame),
}

impl Translator {
    pub(crate) fn new(setting: VersionTranslation) -> Self {
        let state =
            if setting == VersionTranslation::Never { TranslatorState::Same } else { TranslatorState::New(false) };
        Self { setting, state }
    }

    /// Returns `true` if every further line is forwarded unchanged.
    pub(crate) fn is_same(&self) -> bool {
        matches!(self.state, TranslatorState::Same)
    }

    /// Returns `true` while lines of the client wait for an answer of the server.
    pub(crate) fn is_waiting(&self) -> bool {
        match &self.state {
            TranslatorState::Awaiting(_) => true,
            TranslatorState::Modern(client) => client.is_waiting(),
            TranslatorState::New(_) | TranslatorState::Same | TranslatorState::Legacy(_) => false,
        }
    }

    /// Translates a message of the client.
    pub(crate) fn client(&mut self, frame: Frame, out: &mut Translated) {
        match &mut self.state {
            TranslatorState::Same => out.to_server.push(frame),
            TranslatorState::Modern(client) => client.client(frame, out),
            TranslatorState::Legacy(client) => client.client(frame, out),
            &mut TranslatorState::New(needs_handshake) => self.first(frame, needs_handshake, out),
            TranslatorState::Awaiting(awaited) if awaited.is_late() => {
                let waiting = self.stop_waiting(out);
                self.all(waiting.into_iter().chain([frame]), out);
            }
            TranslatorState::Awaiting(awaited) => match frame.message() {
                // The client has waited long enough for `server/discover`.
                Message::Request { method: "initialize", .. } => {
                    let waiting = self.stop_waiting(out);
                    out.to_server.extend(waiting);
                    self.state = TranslatorState::New(true);
                    self.client(frame, out);
                }
                Message::Notification { method: "notifications/cancelled", params } => {
                    let id = cancelled(params);
                    if id.as_ref().is_some_and(|id| awaited.backlog.cancel(id)) {
                        // The server does not know the request, and must not run it later.
                        return;
                    }
                    out.to_server.push(frame);
                    let is_first = id.is_some_and(|id| id == awaited.id);
                    if is_first && matches!(awaited.first, First::Discover(_) | First::List(_)) {
                        // The server need not answer any more.
                        let waiting = self.stop_waiting(out);
                        self.all(waiting, out);
                    }
                }
                _ => awaited.backlog.hold(frame, out),
            },
        }
    }

    fn first(&mut self, frame: Frame, needs_handshake: bool, out: &mut Translated) {
        let Message::Request { id, method, params } = frame.message() else {
            return out.to_server.push(frame);
        };
        let version = version(params);
        // Revisions are dates, so their order is that of their texts.
        let is_modern = version.as_deref().is_some_and(|version| version >= MODERN);
        let first = match method {
            "initialize" => First::Initialize(frame.clone()),
            "server/discover" if !needs_handshake => First::Discover(frame.clone()),
            _ if is_modern && needs_handshake => return self.begin(frame, out),
            method if is_modern && LISTS.contains(&method) => First::List(frame.clone()),
            _ if is_modern => {
                let meta = complete_meta(params);
                return self.probe(&meta, First::Probe(frame), Backlog::default(), out);
            }
            // The server rejects an unknown revision; this says nothing about other clients of the same process.
            _ if version.is_some() || method == "ping" => return out.to_server.push(frame),
            _ => {
                self.state = TranslatorState::Same;
                return out.to_server.push(frame);
            }
        };
        out.to_server.push(frame);
        self.state = TranslatorState::Awaiting(Box::new(Awaited::new(id, first, Backlog::default())));
    }

    /// Asks the server for its revisions.
    fn probe(&mut self, params: &str, first: First, backlog: Backlog, out: &mut Translated) {
        let id = RequestId::String("toolbox-revision".into());
        out.to_server.push(request(&id, "server/discover", params));
        self.state = TranslatorState::Awaiting(Box::new(Awaited::new(id, first, backlog)));
    }

    /// Begins to translate for a client of protocol version 2026-07-28, with its first request.
    fn begin(&mut self, first: Frame, out: &mut Translated) {
        let mut client = ModernClient::begin(first.params(), out);
        client.client(first, out);
        self.state = TranslatorState::Modern(Box::new(client));
    }

    /// Translates messages of the client.
    fn all(&mut self, frames: impl IntoIterator<Item = Frame>, out: &mut Translated) {
        frames.into_iter().for_each(|frame| self.client(frame, out));
    }

    /// Returns the messages that wait, after the first request or its answer. A server that answers no `server/discover` gets them unchanged, because
    /// nothing shows that it needs a translation.
    fn stop_waiting(&mut self, out: &mut Translated) -> Vec<Frame> {
        let TranslatorState::Awaiting(awaited) = std::mem::replace(&mut self.state, TranslatorState::Same) else {
            return Vec::new();
        };
        let Awaited { first, backlog, .. } = *awaited;
        match first {
            First::Discover(_) | First::List(_) => self.state = TranslatorState::New(false),
            First::Probe(request) => out.to_server.push(request),
            First::Listed(_, answer) | First::Rejected(_, answer) => out.to_client.push(answer),
            First::Initialize(_) => {}
        }
        backlog.frames
    }

    /// Translates a message of the server.
    pub(crate) fn server(&mut self, frame: Frame, out: &mut Translated) {
        match &mut self.state {
            TranslatorState::Modern(client) => client.server(frame, out),
            TranslatorState::Legacy(client) => client.server(frame, out),
            TranslatorState::Same | TranslatorState::New(_) => out.to_client.push(frame),
            TranslatorState::Awaiting(awaited) => match frame.message() {
                Message::Response { id, answer } if id == awaited.id => self.decide(&frame, answer, out),
                _ => out.to_client.push(frame),
            },
        }
    }

    /// Uses the answer that shows the revision of the server.
    fn decide(&mut self, frame: &Frame, answer: Answer<'_>, out: &mut Translated) {
        let TranslatorState::Awaiting(awaited) = std::mem::replace(&mut self.state, TranslatorState::Same) else {
            return;
        };
        let Awaited { first, backlog, .. } = *awaited;
        let is_modern = match answer {
            Answer::Result(_) => true,
            Answer::Error(error) => parsed(error, "code").is_some_and(|code| MODERN_ERRORS.contains(&code)),
        };
        match first {
            First::Initialize(request)
                if matches!(answer, Answer::Error(_)) && legacy::proposed(request.params()).is_some() =>
            {
                let params = format!(r#"{{"_meta":{}}}"#, info(request.params()));
                return self.probe(&params, First::Rejected(request, frame.clone()), backlog, out);
            }
            First::Initialize(_) => out.to_client.push(frame.clone()),
            First::Rejected(request, rejection) => {
                let begun = match (request.message(), answer) {
                    (Message::Request { id, params, .. }, Answer::Result(discovered)) => {
                        LegacyClient::begin(&id, params, discovered, out)
                    }
                    _ => None,
                };
                match begun {
                    Some(client) => self.state = TranslatorState::Legacy(Box::new(client)),
                    None => out.to_client.push(rejection),
                }
            }
            First::Discover(_) if is_modern => out.to_client.push(frame.clone()),
            First::Discover(request) if self.setting == VersionTranslation::Always => self.begin(request, out),
            First::Discover(request) => {
                out.to_client.push(frame.clone());
                // A server of protocol version 2026-07-28 rejects an incomplete request too.
                let is_known = has_complete_meta(request.params());
                if is_known {
                    let remark = "the server speaks an earlier protocol version than 2026-07-28; if the client cannot, set translate = \"always\"";
                    out.remarks.push(remark.to_owned());
                }
                self.state = TranslatorState::New(is_known);
            }
            First::List(request) => {
                // A server of an earlier protocol version may answer without a handshake, but its results have no type.
                let has_type = matches!(answer, Answer::Result(result) if result_type(result).is_some());
                if has_type || (is_modern && matches!(answer, Answer::Error(_))) {
                    out.to_client.push(frame.clone());
                } else {
                    let meta = complete_meta(request.params());
                    return self.probe(&meta, First::Listed(request, frame.clone()), backlog, out);
                }
            }
            First::Listed(_, answered) if is_modern => out.to_client.push(answered),
            First::Probe(request) if is_modern => out.to_server.push(request),
            First::Probe(request) | First::Listed(request, _) => self.begin(request, out),
        }
        self.all(backlog.frames, out);
    }
}
