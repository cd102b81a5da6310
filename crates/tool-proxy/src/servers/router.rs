//! The lines of a client and of several servers, so that the servers look like one: [`Router`].
//!
//! In: a line of the client, or of one server. Out: the lines that follow from it. There is no I/O and no waiting here. This file decides about
//! the client's lines (requests go on in `asking.rs`), `answers.rs` about those of the servers, and `life.rs` about their start and end.
//!
//! Invariants: each request gets one answer; a call reaches exactly one server; an answer counts only for a request that its server has got.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;

use super::super::asked::{INVALID_PARAMS, own_id, refused_request};
use super::super::call::{cancellation, error};
use super::super::deadlines::Deadlines;
use super::super::lines::{id_text, response};
use super::super::message::{Message, object};
use super::super::report::Dropped;
use super::super::settings::Settings;
use super::hello::Hello;
use super::job::{Job, Kind, Listen, Share};
use super::member::{Asked, Member, Only, State};
use super::names::Names;
use super::pages::Listing;
use super::questions::Questions;
use super::resources::Resources;
use super::tasks::Tasks;
use super::wire::{Addressed, Cancelled, Completed, Meta, TaskId, is_modern, with};
use crate::private::bounded;

pub(super) const METHOD_NOT_FOUND: i32 = -32_601;

/// The lines that follow from an event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Routed {
    pub(super) to_client: Vec<String>,
    /// The lines for servers, by their indices.
    pub(super) to_servers: Vec<(usize, String)>,
}

/// Makes several servers look like one.
pub(super) struct Router {
    pub(super) settings: Arc<Settings>,
    pub(super) members: Vec<Member>,
    /// The handshake of the client; `None` before it, and in revision 2026-07-28.
    pub(super) hello: Option<Hello>,
    pub(super) jobs: HashMap<RequestId, Job>,
    pub(super) questions: Questions,
    pub(super) tools: Names,
    pub(super) prompts: Names,
    pub(super) resources: Resources,
    pub(super) tasks: Tasks,
    /// The number of requests of the router itself.
    pub(super) requests: u64,
    /// The remarks about definitions that were made already.
    pub(super) remarks: HashSet<String>,
    /// The times until which servers must answer a request that the next server gets otherwise.
    pub(super) turns: Deadlines,
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

    /// Returns `true` if a server has a request that it has not answered.
    pub(super) fn has_requests(&self) -> bool {
        self.members.iter().any(|member| member.asked.has_open())
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.jobs.values().filter_map(|job| job.deadline).chain(self.turns.first()).min()
    }

    /// Decides about a line of the client. The lines have passed the guard, so those that are not messages are dropped.
    pub(super) fn client_line(&mut self, line: Vec<u8>) -> Routed {
        let mut routed = Routed::default();
        let Ok(line) = String::from_utf8(line) else { return routed };
        match Message::of(&line) {
            Ok(Message::Request { id, method, params }) => self.request(id, &method, params, &line, &mut routed),
            Ok(Message::Notification { method, params }) => self.notification(&method, params, &line, &mut routed),
            Ok(Message::Response { id, .. }) => routed.to_servers.extend(self.questions.answer(&id, &line)),
            Ok(Message::Error) | Err(_) => {}
        }
        routed
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, line: &str, routed: &mut Routed) {
        let mut refused = self.members.iter().filter_map(|member| member.asked.refusal(&id));
        if let Some(refused) = refused.next() {
            routed.to_client.push(refused_request(&id, &refused));
            return;
        }
        if let Some(listing) = Listing::of(method) {
            self.ask_all(id, Kind::List(listing), params, line, routed);
            return;
        }
        let only = Only { is_call: method == "tools/call", is_modern: is_modern(params), uri: None };
        match method {
            "ping" => routed.to_client.push(response(&id, "{}")),
            "initialize" => {
                self.hello = Some(Hello::new(params));
                for member in self.members.iter_mut().filter(|member| member.state == State::LeftOut) {
                    member.state = State::Running;
                }
                self.ask_all(id, Kind::Initialize, params, line, routed);
            }
            "server/discover" => self.ask_all(id, Kind::Discover, params, line, routed),
            "subscriptions/listen" => {
                let listen = Listen::new(line, id_text(&id), params);
                self.ask_all(id, Kind::Listen(listen), params, line, routed);
            }
            "logging/setLevel" => self.ask_all(id, Kind::All, params, line, routed),
            "tools/call" => self.ask_by_name(id, Listing::Tools, params, only, line, routed),
            "prompts/get" => self.ask_by_name(id, Listing::Prompts, params, only, line, routed),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => match object(params) {
                Some(Addressed { uri }) => self.ask_by_uri(id, uri, only, line, routed),
                None => routed.to_client.push(error(&id, INVALID_PARAMS, "The `uri` is missing.")),
            },
            "completion/complete" => {
                let Some(Completed { r#ref }) = object(params) else {
                    routed.to_client.push(error(&id, INVALID_PARAMS, "The `ref` is missing."));
                    return;
                };
                match object(r#ref.get()) {
                    Some(Addressed { uri }) => self.ask_by_uri(id, uri, only, line, routed),
                    None => self.ask_by_name(id, Listing::Prompts, r#ref.get(), only, line, routed),
                }
            }
            _ if method.starts_with("tasks/") => {
                match object(params).and_then(|TaskId { task_id }| self.tasks.owner(&task_id)) {
                    Some(server) => self.ask(server, id, only, line.to_owned(), routed),
                    None => routed.to_client.push(error(&id, INVALID_PARAMS, "No MCP server has this task.")),
                }
            }
            _ => {
                let method = bounded::name(method);
                let text = format!("With several MCP servers, the proxy cannot forward {method}.");
                routed.to_client.push(error(&id, METHOD_NOT_FOUND, &text));
            }
        }
    }

    fn notification(&mut self, method: &str, params: &str, line: &str, routed: &mut Routed) {
        match method {
            "notifications/cancelled" => self.cancel(params, line, routed),
            "notifications/progress" => {
                if let Some(Meta { progress_token: Some(token), .. }) = object(params)
                    && let Some((server, own)) = self.questions.token(token.get())
                {
                    routed.to_servers.push((server, with(line, token.get(), own)));
                }
            }
            "notifications/initialized" => {
                if let Some(hello) = &mut self.hello {
                    hello.initialized = Some(line.to_owned());
                }
                self.tell_all(line, routed);
            }
            _ => self.tell_all(line, routed),
        }
    }

    /// Forwards a notification to all servers.
    fn tell_all(&self, line: &str, routed: &mut Routed) {
        let running = self.members.iter().enumerate().filter(|(_, member)| member.refusal().is_none());
        routed.to_servers.extend(running.map(|(index, _)| (index, line.to_owned())));
    }

    /// Cancels a request at the servers that have it.
    fn cancel(&mut self, params: &str, line: &str, routed: &mut Routed) {
        let Some(Cancelled { request_id }) = object(params) else { return };
        let Ok(id) = serde_json::from_str::<RequestId>(request_id.get()) else { return };
        if let Some(job) = self.jobs.remove(&id) {
            for (server, share) in job.shares.into_iter().enumerate() {
                if let Share::Waiting(own, _) = share
                    && self.members[server].asked.cancel(&own).is_some()
                {
                    routed.to_servers.push((server, with(line, request_id.get(), &id_text(&own))));
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
                    routed.to_servers.push((server, line.to_owned()));
                }
                None => {}
            }
        }
    }

    /// Ends the waiting for servers that have taken too long.
    pub(super) fn expire(&mut self, now: Instant) -> Routed {
        let mut routed = Routed::default();
        let expired = self.jobs.iter().filter(|(_, job)| job.deadline.is_some_and(|deadline| deadline <= now));
        let ids: Vec<RequestId> = expired.map(|(id, _)| id.clone()).collect();
        for id in ids {
            let Some(mut job) = self.jobs.remove(&id) else { continue };
            self.expire_job(&mut job, now, &mut routed);
            self.jobs.insert(id.clone(), job);
            self.finish(&id, &mut routed);
        }
        while let Some(id) = self.turns.expired(now) {
            self.end_turn(&id, &mut routed);
        }
        routed
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
