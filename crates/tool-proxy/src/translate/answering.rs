//! The answers and the questions of a server of an earlier revision, for a client of revision 2026-07-28.

use rmcp::model::RequestId;

use super::super::asked::INTERNAL;
use super::super::call::error;
use super::super::lines::failure;
use super::super::message::{Answer, Message};
use super::flow::{Flow, MODERN, Remark};
use super::hello::{Hello, completed};
use super::modern::{Handshake, Kind, ModernClient, Request};

impl ModernClient {
    /// Ends a request whose answer cannot be used.
    pub(super) fn lost(&mut self, id: &RequestId, reason: &str, flow: &mut Flow) {
        self.server_line(&error(id, INTERNAL, reason), flow);
    }

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

    pub(super) fn answered(&mut self, id: &RequestId, line: &str, answer: Answer<'_>, flow: &mut Flow) {
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
                self.finish(&client, is_cached, line, flow);
            }
            None => drop(self.questions.keep(id, line)),
        }
    }

    /// Answers a request of the client with the line of the server.
    pub(super) fn finish(&self, client: &RequestId, is_cached: bool, line: &str, flow: &mut Flow) {
        match Message::of(line) {
            Ok(Message::Response { answer: Answer::Result(result), .. }) => {
                flow.answer(client, &completed(result, is_cached));
            }
            Ok(Message::Response { answer: Answer::Error(error), .. }) => flow.to_client.push(failure(client, error)),
            _ => {}
        }
    }

    /// Ends the handshake, and sends the lines that wait for it.
    fn greeted(&mut self, answer: Answer<'_>, flow: &mut Flow) {
        let done = match answer {
            Answer::Result(result) => Handshake::Done(Hello::of(result)),
            Answer::Error(error) => Handshake::Failed(error.to_owned()),
        };
        if let Handshake::Done(Hello { revision, .. }) = &done {
            flow.remark(format!(
                "the client speaks revision {MODERN}, and the server {revision}; messages are translated"
            ));
            flow.to_server.push(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned());
        }
        if let Handshake::Open(held) = std::mem::replace(&mut self.handshake, done) {
            held.release(|line| self.client_line(line, flow));
        }
    }
}
