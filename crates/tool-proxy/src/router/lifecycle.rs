//! The start and the end of the servers behind a [`Router`].

use rmcp::model::RequestId;

use crate::frame::{Answer, object};
use crate::members::{CHANGING_LISTS, SUBSCRIPTION, member, wanted_lists};
use crate::own_messages::{INTERNAL, cancellation, error, notification};
use crate::router::fan_out::{Answered, Kind, Share};
use crate::router::grouped_server::{PendingRequest, State};
use crate::router::pages::Pages;
use crate::router::{Router, rejected_by_proxy};

impl Router {
    /// Returns the answer to a handshake as a share. A server that cannot be used with this client is left out.
    pub(super) fn greeting(&mut self, server: usize, answer: Answer<'_>, is_handshake: bool) -> Share {
        let text = match answer {
            Answer::Error(error) => {
                if is_handshake {
                    self.leave_out(server, "it has rejected the handshake");
                }
                return Share::Error(error.to_owned());
            }
            Answer::Result(result) => result,
        };
        let Some(greeting) = object::<Answered>(text) else {
            return self.leave_out(server, "its answer to the handshake is not valid");
        };
        if is_handshake && let Some(reason) = self.handshake.rejection(&greeting.protocol_version) {
            return self.leave_out(server, &reason);
        }
        self.members[server].capabilities = Some(greeting.capabilities.clone());
        Share::Greeting(Box::new(greeting))
    }

    /// Uses the answer to the handshake of a server that joins later.
    pub(super) fn join(&mut self, server: usize, answer: Answer<'_>) {
        if let Share::Greeting(_) = self.greeting(server, answer, true) {
            self.remark(server, "the server has answered the handshake, and is used from now on");
            self.restarted(server);
        }
    }

    /// Returns `true` if a restarted server can be used with its answer to the handshake.
    pub(crate) fn accepts(&mut self, server: usize, answer: Answer<'_>) -> bool {
        let is_accepted = matches!(self.greeting(server, answer, true), Share::Greeting(_));
        self.members[server].state = State::Ended;
        is_accepted
    }

    fn leave_out(&mut self, server: usize, reason: &str) -> Share {
        self.members[server].state = State::LeftOut;
        self.remark(server, &format!("the server is left out: {reason}"));
        Share::Missing
    }

    /// Answers every open request of a server that has ended, and takes back its questions.
    pub(crate) fn lose(&mut self, server: usize) {
        let member = &mut self.members[server];
        let was_ended = std::mem::replace(&mut member.state, State::Ended) == State::Ended;
        let name = member.name.clone();
        for (id, asked) in member.requests.end() {
            match asked {
                PendingRequest::Single(only) => {
                    let text =
                        format!("The MCP server {name} has ended. The request may or may not have taken effect.");
                    self.out.to_client.push(rejected_by_proxy(&id, &only, &text));
                }
                PendingRequest::InTurn(in_turn) => {
                    let rejected = error(&id, INTERNAL, &format!("The MCP server {name} has ended."));
                    self.ask_next(&id, *in_turn, &rejected);
                }
                PendingRequest::Share(fan_out) => self.add_share(server, &fan_out, None),
                PendingRequest::Handshake => {}
            }
        }
        let reason = "The server has ended.";
        let questions = self.questions.lose(server).into_iter();
        self.out.to_client.extend(questions.map(|number| cancellation(&RequestId::Number(number), reason)));
        if !was_ended {
            self.announce(server);
        }
    }

    /// Uses a server from now on that was restarted, or was late. It gets the end of the handshake, and the open subscriptions.
    pub(crate) fn restarted(&mut self, server: usize) {
        self.out.to_servers.extend(self.handshake.initialized.clone().map(|frame| (server, frame)));
        let member = &mut self.members[server];
        member.state = State::Running;
        for (id, fan_out) in &mut self.fan_outs {
            if matches!(fan_out.kind, Kind::Listen { .. }) && member.requests.rejection(id).is_none() {
                member.requests.add(id.clone(), PendingRequest::Share(id.clone()));
                fan_out.shares[server] = Share::Waiting(id.clone(), Box::new(Pages::new()));
                self.out.to_servers.push((server, fan_out.frame.clone()));
            }
        }
        self.announce(server);
    }

    /// Tells the client that the lists have changed, because a server has ended or has joined.
    fn announce(&mut self, server: usize) {
        let server = &self.members[server];
        for kind in CHANGING_LISTS.into_iter().filter(|kind| server.has(kind)) {
            let method = format!("notifications/{kind}/list_changed");
            if self.handshake.initialized.is_some() {
                self.out.to_client.push(notification(&method, ""));
            }
            for fan_out in self.fan_outs.values() {
                let filter = member(fan_out.frame.params(), "notifications").unwrap_or_default();
                if matches!(fan_out.kind, Kind::Listen { .. }) && wanted_lists(filter).any(|list| list == kind) {
                    let params = format!(r#"{{"_meta":{{"{SUBSCRIPTION}":{}}}}}"#, fan_out.frame.id_text());
                    self.out.to_client.push(notification(&method, &params));
                }
            }
        }
    }
}
