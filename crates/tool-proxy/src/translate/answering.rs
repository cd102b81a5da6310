//! The answers and the questions of a server of an earlier revision, for a client of revision 2026-07-28.

use rmcp::model::RequestId;

use super::super::frame::{Answer, Frame, Message};
use super::super::writing::{failure, notification};
use super::flow::{Flow, MODERN, Remark};
use super::hello::{Hello, completed};
use super::modern::{Handshake, Kind, ModernClient, Request};

impl ModernClient {
    pub(super) fn question(&mut self, id: RequestId, method: &str, params: &str, flow: &mut Flow) {
        // The protocol does not say to which call a question belongs, so the oldest one carries it.
        let open = self.requests.iter().filter_map(|(at_server, request)| match (&request.kind, &request.client) {
            (Kind::Asking { call, capabilities, .. }, Some(client)) => {
                Some((client, at_server, *call, &**capabilities))
            }
            _ => None,
        });
        let carrier = open.min_by_key(|(_, at_server, ..)| match at_server {
            RequestId::Number(number) => *number,
            RequestId::String(_) => i64::MAX,
        });
        let at_server = carrier.map(|(_, at_server, ..)| at_server.clone());
        if self.questions.ask((id, method, params), carrier, &self.capabilities, flow)
            && let Some(request) = at_server.and_then(|at_server| self.requests.get_mut(&at_server))
            && let Some(client) = request.client.take()
        {
            self.ids.remove(&client);
        }
    }

    pub(super) fn answered(&mut self, id: &RequestId, frame: &Frame, answer: Answer<'_>, flow: &mut Flow) {
        let Some(Request { kind, client, has_level }) = self.requests.remove(id) else {
            return flow.remarks.push(Remark::Stray);
        };
        self.logging -= usize::from(has_level);
        let is_cached = match kind {
            Kind::Initialize => return self.greeted(answer, flow),
            Kind::Own => return,
            Kind::Other { is_cached } | Kind::Asking { is_cached, .. } => is_cached,
        };
        match client {
            Some(client) => {
                self.ids.remove(&client);
                self.finish(&client, is_cached, frame, flow);
            }
            None => drop(self.questions.keep(id, frame)),
        }
    }

    /// Answers a request of the client with the answer of the server.
    pub(super) fn finish(&self, client: &RequestId, is_cached: bool, frame: &Frame, flow: &mut Flow) {
        match frame.message() {
            Message::Response { answer: Answer::Result(result), .. } => {
                flow.answer(client, &completed(result, is_cached));
            }
            Message::Response { answer: Answer::Error(error), .. } => flow.to_client.push(failure(client, error)),
            _ => {}
        }
    }

    /// Ends the handshake, and sends the messages that wait for it.
    fn greeted(&mut self, answer: Answer<'_>, flow: &mut Flow) {
        let done = match answer {
            Answer::Result(result) => Handshake::Done(Hello::of(result)),
            Answer::Error(error) => Handshake::Failed(error.to_owned()),
        };
        if let Handshake::Done(Hello { revision, .. }) = &done {
            flow.remark(format!(
                "the client speaks revision {MODERN}, and the server {revision}; messages are translated"
            ));
            flow.to_server.push(notification("notifications/initialized", ""));
        }
        if let Handshake::Open(held) = std::mem::replace(&mut self.handshake, done) {
            held.release().into_iter().for_each(|frame| self.client(frame, flow));
        }
    }
}
