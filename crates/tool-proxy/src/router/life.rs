//! The start and the end of the servers behind a [`Router`].

use rmcp::model::RequestId;

use super::super::asked::INTERNAL;
use super::super::frame::{Answer, Frame, object};
use super::super::writing::{cancellation, error, notification, request};
use super::asking::refused_by_proxy;
use super::hello::Answered;
use super::job::{Kind, Share};
use super::member::{Asked, State};
use super::pages::Pages;
use super::{Routed, Router};

impl Router {
    /// Returns the answer to a handshake as a share. A server that cannot be used with this client is left out.
    pub(super) fn greeting(&mut self, server: usize, answer: Answer<'_>, is_handshake: bool) -> Share {
        let text = match answer {
            Answer::Error(error) => {
                if is_handshake {
                    self.leave_out(server, "it has refused the handshake");
                }
                return Share::Error(error.to_owned());
            }
            Answer::Result(result) => result,
        };
        let Some(greeting) = object::<Answered>(text) else {
            self.leave_out(server, "its answer to the handshake is not valid");
            return Share::Missing;
        };
        let refused = self.hello.as_ref().filter(|_| is_handshake).and_then(|hello| hello.refusal(&greeting));
        if let Some(reason) = refused {
            self.leave_out(server, &reason);
            return Share::Missing;
        }
        self.members[server].capabilities = Some(greeting.capabilities.clone());
        Share::Greeting(Box::new(greeting))
    }

    /// Uses the answer to the handshake of a server that joins later.
    pub(super) fn join(&mut self, server: usize, answer: Option<Answer<'_>>, routed: &mut Routed) {
        let state = self.members[server].state;
        let greeting = answer.map_or(Share::Missing, |answer| self.greeting(server, answer, true));
        let has_agreed = matches!(greeting, Share::Greeting(_));
        if state == State::Ended {
            self.members[server].state = State::Ended;
            self.members[server].has_agreed = Some(has_agreed);
        } else if has_agreed {
            self.members[server].state = State::Running;
            self.remark(server, "the server has answered the handshake, and is used from now on");
            let initialized = self.hello.as_ref().and_then(|hello| hello.initialized.clone());
            routed.to_servers.extend(initialized.map(|frame| (server, frame)));
            self.announce(server, routed);
        }
    }

    fn leave_out(&mut self, server: usize, reason: &str) {
        self.members[server].state = State::LeftOut;
        self.remark(server, &format!("the server is left out: {reason}"));
    }

    /// Answers every open request of a server that has ended, and takes back its questions.
    pub(crate) fn lose(&mut self, server: usize, routed: &mut Routed) {
        let member = &mut self.members[server];
        let was_ended = std::mem::replace(&mut member.state, State::Ended) == State::Ended;
        member.has_agreed = None;
        let name = member.name.clone();
        for (id, asked) in member.asked.end() {
            match asked {
                Asked::Only(only) => {
                    let text =
                        format!("The MCP server {name} has ended. The request may or may not have taken effect.");
                    routed.to_client.push(refused_by_proxy(&id, &only, &text));
                }
                Asked::InOrder(in_order) => {
                    let refused = error(&id, INTERNAL, &format!("The MCP server {name} has ended."));
                    self.ask_next(&id, *in_order, &refused, routed);
                }
                Asked::Share(job) => self.add_share(server, &job, None, routed),
                Asked::Handshake => {}
            }
        }
        let reason = "The server has ended.";
        let questions = self.questions.lose(server).into_iter();
        routed.to_client.extend(questions.map(|number| cancellation(&RequestId::Number(number), reason)));
        if !was_ended {
            self.announce(server, routed);
        }
    }

    /// Returns the client's handshake for a restarted server; `None` before it, and in revision 2026-07-28.
    pub(crate) fn handshake(&mut self, server: usize) -> Option<Frame> {
        self.members[server].has_agreed = None;
        let params = self.hello.as_ref()?.params.clone();
        let id = self.own_id(server);
        self.members[server].asked.add(id.clone(), Asked::Handshake);
        Some(request(&id, "initialize", &params))
    }

    /// Uses a restarted server from now on. It gets the end of the handshake, and the open subscriptions.
    pub(crate) fn restarted(&mut self, server: usize, routed: &mut Routed) {
        let member = &mut self.members[server];
        member.state = State::Running;
        let initialized = self.hello.as_ref().and_then(|hello| hello.initialized.clone());
        routed.to_servers.extend(initialized.map(|frame| (server, frame)));
        for (id, job) in &mut self.jobs {
            if let Kind::Listen(listen) = &job.kind
                && member.asked.refusal(id).is_none()
            {
                member.asked.add(id.clone(), Asked::Share(id.clone()));
                job.shares[server] = Share::Waiting(id.clone(), Box::new(Pages::new()));
                routed.to_servers.push((server, listen.frame.clone()));
            }
        }
        self.announce(server, routed);
    }

    /// Tells the client that the lists have changed, because a server has ended or has joined.
    fn announce(&self, server: usize, routed: &mut Routed) {
        let member = &self.members[server];
        for kind in ["tools", "prompts", "resources"].into_iter().filter(|kind| member.has(kind)) {
            let method = format!("notifications/{kind}/list_changed");
            if self.hello.as_ref().is_some_and(|hello| hello.initialized.is_some()) {
                routed.to_client.push(notification(&method, ""));
            }
            for job in self.jobs.values() {
                let Kind::Listen(listen) = &job.kind else { continue };
                let is_wanted = match kind {
                    "tools" => listen.wanted.tools_list_changed,
                    "prompts" => listen.wanted.prompts_list_changed,
                    _ => listen.wanted.resources_list_changed,
                };
                if is_wanted {
                    let id = &listen.id;
                    let params = format!(r#"{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}"#);
                    routed.to_client.push(notification(&method, &params));
                }
            }
        }
    }
}
