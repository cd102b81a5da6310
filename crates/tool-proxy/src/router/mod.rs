//! The messages of a client and of several servers, so that the servers look like one: [`Router`].
//!
//! In: a frame of the client, or of one server. Out: the frames that follow from it. There is no I/O and no waiting here. This file decides about
//! the client's messages (requests go on in `asking.rs`), `answers.rs` about those of the servers, and `life.rs` about their start and end.
//!
//! Invariants: each request gets one answer; a call reaches exactly one server; an answer counts only for a request that its server has got.

mod answers;
mod asking;
mod finish;
mod hello;
mod job;
mod life;
mod member;
mod names;
mod pages;
mod questions;
mod resources;
mod tasks;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;

use self::hello::Hello;
use self::job::{Job, Kind, Listen, Share};
use self::member::{Asked, Member, Only, State};
use self::names::Names;
use self::pages::Listing;
use self::questions::Questions;
use self::resources::Resources;
use self::tasks::Tasks;
use super::asked::{INVALID_PARAMS, own_id, refused_request};
use super::deadlines::Deadlines;
use super::frame::{Frame, Message};
use super::parts::{Params, key, text};
use super::report::Dropped;
use super::settings::Settings;
use super::writing::{cancellation, error, json_id, response};
use crate::private::bounded;

const METHOD_NOT_FOUND: i32 = -32_601;

/// The frames that follow from an event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Routed {
    pub(super) to_client: Vec<Frame>,
    /// The frames for servers, by their indices.
    pub(super) to_servers: Vec<(usize, Frame)>,
}

/// Makes several servers look like one.
pub(super) struct Router {
    settings: Arc<Settings>,
    pub(super) members: Vec<Member>,
    /// The handshake of the client; `None` before it, and in revision 2026-07-28.
    hello: Option<Hello>,
    jobs: HashMap<RequestId, Job>,
    questions: Questions,
    tools: Names,
    prompts: Names,
    resources: Resources,
    tasks: Tasks,
    /// The number of requests of the router itself.
    requests: u64,
    /// The remarks about definitions that were made already.
    remarks: HashSet<String>,
    /// The times until which servers must answer a request that the next server gets otherwise.
    turns: Deadlines,
    /// The lines that were dropped since they were last counted.
    pub(super) dropped: Dropped,
}

impl Router {
    /// Creates a router for servers with these names and prefixes.
    pub(super) fn new(settings: Arc<Settings>, servers: impl IntoIterator<Item = (String, String)>) -> Self {
        Self {
            settings,
            members: servers.into_iter().map(|(name, prefix)| Member::new(name, prefix)).collect(),
            hello: None,
            jobs: HashMap::new(),
            questions: Questions::default(),
            tools: Names::default(),
            prompts: Names::default(),
            resources: Resources::default(),
            tasks: Tasks::default(),
            requests: 0,
            remarks: HashSet::new(),
            turns: Deadlines::default(),
            dropped: Dropped::default(),
        }
    }

    pub(super) fn log(&self, remark: &str) {
        (self.settings.log)(remark);
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.jobs.values().filter_map(|job| job.deadline).chain(self.turns.first()).min()
    }

    /// Decides about a message of the client that has passed the guard.
    pub(super) fn client(&mut self, frame: Frame, routed: &mut Routed) {
        match frame.message() {
            Message::Request { id, method, params } => self.request(id, method, params, &frame, routed),
            Message::Notification { method, params } => self.notification(method, params, &frame, routed),
            Message::Response { id, .. } => routed.to_servers.extend(self.questions.answer(&id, &frame)),
            Message::Error => {}
        }
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, frame: &Frame, routed: &mut Routed) {
        let mut refused = self.members.iter().filter_map(|member| member.asked.refusal(&id));
        if let Some(refused) = refused.next() {
            routed.to_client.push(refused_request(&id, &refused));
            return;
        }
        if let Some(listing) = Listing::of(method) {
            self.ask_all(id, Kind::List(listing), params, frame, routed);
            return;
        }
        let members = Params::of(params);
        let only = Only { is_call: method == "tools/call", is_modern: members.meta().version.is_some(), uri: None };
        match method {
            "ping" => routed.to_client.push(response(&id, "{}")),
            "initialize" => {
                self.hello = Some(Hello::new(params));
                for member in self.members.iter_mut().filter(|member| member.state == State::LeftOut) {
                    member.state = State::Running;
                }
                self.ask_all(id, Kind::Initialize, params, frame, routed);
            }
            "server/discover" => self.ask_all(id, Kind::Discover, params, frame, routed),
            "subscriptions/listen" => {
                let listen = Listen::new(frame, json_id(&id), params);
                self.ask_all(id, Kind::Listen(Box::new(listen)), params, frame, routed);
            }
            "logging/setLevel" => self.ask_all(id, Kind::All, params, frame, routed),
            "tools/call" => self.ask_by_name(id, Listing::Tools, members.name, only, frame, routed),
            "prompts/get" => self.ask_by_name(id, Listing::Prompts, members.name, only, frame, routed),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => match text(members.uri) {
                Some(uri) => self.ask_by_uri(id, uri, only, frame, routed),
                None => routed.to_client.push(error(&id, INVALID_PARAMS, "The `uri` is missing.")),
            },
            "completion/complete" => {
                let Some(r#ref) = members.r#ref else {
                    routed.to_client.push(error(&id, INVALID_PARAMS, "The `ref` is missing."));
                    return;
                };
                let r#ref = Params::of(r#ref.get());
                match text(r#ref.uri) {
                    Some(uri) => self.ask_by_uri(id, uri, only, frame, routed),
                    None => self.ask_by_name(id, Listing::Prompts, r#ref.name, only, frame, routed),
                }
            }
            _ if method.starts_with("tasks/") => match text(members.task_id).and_then(|task| self.tasks.owner(&task)) {
                Some(server) => self.ask(server, id, only, frame.clone(), routed),
                None => routed.to_client.push(error(&id, INVALID_PARAMS, "No MCP server has this task.")),
            },
            _ => {
                let method = bounded::name(method);
                let text = format!("With several MCP servers, the proxy cannot forward {method}.");
                routed.to_client.push(error(&id, METHOD_NOT_FOUND, &text));
            }
        }
    }

    fn notification(&mut self, method: &str, params: &str, frame: &Frame, routed: &mut Routed) {
        match method {
            "notifications/cancelled" => self.cancel(params, frame, routed),
            "notifications/progress" => {
                if let Some(token) = Params::of(params).progress_token
                    && let Some((server, own)) = self.questions.token(token.get())
                {
                    routed.to_servers.push((server, frame.with_part(token.get(), own)));
                }
            }
            "notifications/initialized" => {
                if let Some(hello) = &mut self.hello {
                    hello.initialized = Some(frame.clone());
                }
                self.tell_all(frame, routed);
            }
            _ => self.tell_all(frame, routed),
        }
    }

    /// Forwards a notification to all servers.
    fn tell_all(&self, frame: &Frame, routed: &mut Routed) {
        let running = self.members.iter().enumerate().filter(|(_, member)| member.refusal().is_none());
        routed.to_servers.extend(running.map(|(index, _)| (index, frame.clone())));
    }

    /// Cancels a request at the servers that have it.
    fn cancel(&mut self, params: &str, frame: &Frame, routed: &mut Routed) {
        let Some(request_id) = Params::of(params).request_id else { return };
        let Some(id) = key(request_id) else { return };
        if let Some(job) = self.jobs.remove(&id) {
            for (server, share) in job.shares.into_iter().enumerate() {
                if let Share::Waiting(own, _) = share
                    && self.members[server].asked.cancel(&own).is_some()
                {
                    routed.to_servers.push((server, frame.with_part(request_id.get(), &json_id(&own))));
                }
            }
            return;
        }
        for (server, member) in self.members.iter_mut().enumerate() {
            match member.asked.cancel(&id) {
                // A client cannot cancel a request of the router.
                Some(own @ (Asked::Share(_) | Asked::Handshake)) => {
                    let _ = member.asked.answer(&id);
                    member.asked.add(id.clone(), own);
                }
                Some(asked @ (Asked::Only(_) | Asked::InOrder(_))) => {
                    if let Asked::InOrder(in_order) = asked {
                        self.turns.remove(in_order.turn);
                    }
                    routed.to_servers.push((server, frame.clone()));
                }
                None => {}
            }
        }
    }

    /// Ends the waiting for servers that have taken too long.
    pub(super) fn expire(&mut self, now: Instant, routed: &mut Routed) {
        let expired = self.jobs.iter().filter(|(_, job)| job.deadline.is_some_and(|deadline| deadline <= now));
        let ids: Vec<RequestId> = expired.map(|(id, _)| id.clone()).collect();
        for id in ids {
            let Some(mut job) = self.jobs.remove(&id) else { continue };
            self.expire_job(&mut job, now, routed);
            self.jobs.insert(id.clone(), job);
            self.finish(&id, routed);
        }
        while let Some(id) = self.turns.expired(now) {
            self.end_turn(&id, routed);
        }
    }

    fn expire_job(&mut self, job: &mut Job, now: Instant, routed: &mut Routed) {
        job.deadline = None;
        let is_handshake = matches!(job.kind, Kind::Initialize);
        if matches!(job.kind, Kind::Listen(_)) {
            self.acknowledge(job, routed);
            return;
        }
        if is_handshake && !job.shares.iter().any(|share| matches!(share, Share::Greeting(_))) {
            // Without any server, there is nothing to tell the client. The first answer is awaited.
            job.deadline = Some(now + Duration::from_secs(1));
            return;
        }
        for (index, share) in job.shares.iter_mut().enumerate() {
            let Share::Waiting(own, _) = share else { continue };
            let member = &mut self.members[index];
            if is_handshake {
                // The server can still join later.
                let _ = member.asked.answer(own);
                member.asked.add(own.clone(), Asked::Handshake);
                member.state = State::Late;
            } else {
                member.asked.give_up(own);
                routed.to_servers.push((index, cancellation(own, "The time limit has passed.")));
            }
            let text = if is_handshake { "the handshake" } else { "a request" };
            (self.settings.log)(&format!(
                "{}: the server has not answered {text} in time, and is left out",
                member.name
            ));
            *share = Share::Missing;
        }
    }

    /// Notes whether a server reads its input.
    pub(super) fn set_stuck(&mut self, server: usize, is_stuck: bool) {
        let member = &mut self.members[server];
        member.is_stuck = is_stuck;
        let text = if is_stuck { "does not read" } else { "reads again" };
        (self.settings.log)(&format!("{}: the server {text} its input", member.name));
    }

    /// Returns an id for a request of the router to a server.
    pub(super) fn own_id(&mut self, server: usize) -> RequestId {
        own_id(&self.members[server].asked, &mut self.requests)
    }
}
