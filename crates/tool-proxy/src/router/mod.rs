//! The messages of a client and of several servers, so that the servers look like one: [`Router`].
//!
//! In: a frame of the client, or of one server. Out: the frames that follow from it. Apart from the file of remembered definitions, there is no I/O and no waiting here. This file decides about
//! the client's messages, `merged_answers.rs` about those of the servers, and `lifecycle.rs` about their start and end.
//!
//! Invariants: each request gets one answer; a call reaches exactly one server; an answer counts only for a request that its server has got.

mod fan_out;
mod grouped_server;
mod lifecycle;
mod merged_answers;
mod owners;
mod pages;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::RequestId;
use serde_json::Map;
use tokio::time::Instant;

use crate::frame::{Frame, Message, json_id};
use crate::handshake::{Handshake, INITIALIZING};
use crate::members::{VERSION, has, key, member, meta, parsed};
use crate::own_messages::{
    INTERNAL, INVALID_PARAMS, METHOD_NOT_FOUND, cancellation, error, json_string, rejection, response,
};
use crate::private::bounded;
use crate::router::fan_out::{FanOut, Kind, Share};
use crate::router::grouped_server::{GroupedServer, PendingRequest, Questions, RequestInTurn, SingleRequest, State};
use crate::router::owners::{Listing, Owner, Owners};
use crate::router::pages::Pages;
use crate::settings::Settings;

const RESOURCE_NOT_FOUND: i32 = -32_002;

/// The largest number of open requests that several servers answer.
const MOST_FAN_OUTS: usize = 1_000;

/// The frames that follow from an event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RouterOutput {
    pub(super) to_client: Vec<Frame>,
    /// The frames for servers, by their indices.
    pub(super) to_servers: Vec<(usize, Frame)>,
}

/// Makes several servers look like one.
pub(super) struct Router {
    settings: Arc<Settings>,
    members: Vec<GroupedServer>,
    handshake: Handshake,
    fan_outs: HashMap<RequestId, FanOut>,
    questions: Questions,
    owners: Owners,
    /// The number of requests of the router itself.
    requests: u64,
    /// The remarks about definitions that were made already.
    remarks: HashSet<String>,
    pub(super) out: RouterOutput,
}

impl Router {
    /// Creates a router for servers with these names and prefixes.
    pub(super) fn new(settings: Arc<Settings>, servers: impl IntoIterator<Item = (String, String)>) -> Self {
        Self {
            settings,
            members: servers.into_iter().map(|(name, prefix)| GroupedServer::new(name, prefix)).collect(),
            handshake: Handshake::default(),
            fan_outs: HashMap::new(),
            questions: Questions::default(),
            owners: Owners::default(),
            requests: 0,
            remarks: HashSet::new(),
            out: RouterOutput::default(),
        }
    }

    /// Writes a remark about a server to the log.
    pub(super) fn remark(&self, server: usize, remark: &str) {
        (self.settings.log)(&format!("{}: {remark}", self.members[server].name));
    }

    fn reply(&mut self, answer: Frame) {
        self.out.to_client.push(answer);
    }

    /// Returns the open request of a server if there is only one, and `true` if there are any.
    pub(super) fn only_request(&self, server: usize) -> (Option<RequestId>, bool) {
        let asked = &self.members[server].requests;
        (asked.only(|_| true), asked.has_open())
    }

    /// Returns the time at which [`expire`](Self::expire) has something to do.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let turns = self.members.iter().filter_map(|member| member.requests.deadline());
        self.fan_outs.values().filter_map(|fan_out| fan_out.deadline).chain(turns).min()
    }

    /// Decides about a message of the client that has passed the guard.
    pub(super) fn client(&mut self, frame: Frame) {
        match frame.message() {
            Message::Request { id, method, params } => self.request(id, method, params, &frame),
            Message::Notification { method, params } => self.notification(method, params, &frame),
            Message::Response { id, .. } => self.out.to_servers.extend(self.questions.answer(&id, &frame)),
            Message::Error => {}
        }
    }

    fn request(&mut self, id: RequestId, method: &str, params: &str, frame: &Frame) {
        let mut rejected = self.members.iter().filter_map(|member| member.requests.rejection(&id));
        if let Some(rejected) = rejected.next() {
            return self.reply(rejected.answer(&id));
        }
        if let Some(listing) = Listing::of(method) {
            self.ask_all(id, Kind::List(listing), frame);
            return;
        }
        let only = SingleRequest { is_call: method == "tools/call", is_modern: meta(params, VERSION).is_some() };
        match method {
            "ping" => self.reply(response(&id, "{}")),
            "initialize" => {
                self.handshake.begin(params);
                for member in self.members.iter_mut().filter(|member| member.state == State::LeftOut) {
                    member.state = State::Running;
                }
                self.ask_all(id, Kind::Initialize, frame);
            }
            "server/discover" => self.ask_all(id, Kind::Discover, frame),
            "subscriptions/listen" => {
                let listen = Kind::Listen { accepted: Some(Map::new()), acknowledged: Vec::new() };
                self.ask_all(id, listen, frame);
            }
            "logging/setLevel" => self.ask_all(id, Kind::All, frame),
            "tools/call" => self.ask_by_name(id, Listing::Tools, params, only, frame),
            "prompts/get" => self.ask_by_name(id, Listing::Prompts, params, only, frame),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
                self.ask_by_uri(id, params, only, frame);
            }
            "completion/complete" => match member(params, "ref") {
                Some(template) if has(template, "uri") => self.ask_by_uri(id, template, only, frame),
                Some(prompt) => self.ask_by_name(id, Listing::Prompts, prompt, only, frame),
                None => self.reply(error(&id, INVALID_PARAMS, "The `ref` is missing.")),
            },
            _ if method.starts_with("tasks/") => {
                match parsed::<String>(params, "taskId").and_then(|task| self.owners.tasks.owner(&task)) {
                    Some(server) => self.ask(server, id, only, frame.clone()),
                    None => self.reply(error(&id, INVALID_PARAMS, "No MCP server has this task.")),
                }
            }
            _ => {
                let method = bounded::name(method);
                let text = format!("With several MCP servers, the proxy cannot forward {method}.");
                self.reply(error(&id, METHOD_NOT_FOUND, &text));
            }
        }
    }

    fn notification(&mut self, method: &str, params: &str, frame: &Frame) {
        match method {
            "notifications/cancelled" => self.cancel(params, frame),
            "notifications/progress" => {
                if let Some(token) = member(params, "progressToken")
                    && let Some((server, own)) = self.questions.token(token)
                {
                    self.out.to_servers.push((server, frame.with_part(token, own)));
                }
            }
            "notifications/initialized" => {
                self.handshake.end(frame);
                self.tell_all(frame);
            }
            _ => self.tell_all(frame),
        }
    }

    /// Forwards a notification to all servers.
    fn tell_all(&mut self, frame: &Frame) {
        let running = self.members.iter().enumerate().filter(|(_, member)| member.rejection().is_none());
        self.out.to_servers.extend(running.map(|(index, _)| (index, frame.clone())));
    }

    /// Cancels a request at the servers that have it.
    fn cancel(&mut self, params: &str, frame: &Frame) {
        let Some(request_id) = member(params, "requestId") else { return };
        let Some(id) = key(request_id) else { return };
        if let Some(fan_out) = self.fan_outs.remove(&id) {
            for (server, share) in fan_out.shares.into_iter().enumerate() {
                if let Share::Waiting(own, _) = share
                    && self.members[server].requests.cancel(&own).is_some()
                {
                    self.out.to_servers.push((server, frame.with_part(request_id, &json_id(&own))));
                }
            }
            return;
        }
        for (server, member) in self.members.iter_mut().enumerate() {
            // A client cannot cancel a request of the router.
            if let Some(PendingRequest::Single(_) | PendingRequest::InTurn(_)) = member.requests.get(&id) {
                member.requests.cancel(&id);
                self.out.to_servers.push((server, frame.clone()));
            }
        }
    }

    /// Ends the waiting for servers that have taken too long.
    pub(super) fn expire(&mut self, now: Instant) {
        let is_expired = |fan_out: &mut FanOut| fan_out.deadline.is_some_and(|deadline| deadline <= now);
        let expired: Vec<_> = self.fan_outs.extract_if(|_, fan_out| is_expired(fan_out)).collect();
        for (id, mut fan_out) in expired {
            self.expire_fan_out(&mut fan_out, now);
            self.finish(id, fan_out);
        }
        for server in 0..self.members.len() {
            while let Some(id) = self.members[server].requests.expired(now) {
                self.end_turn(server, &id);
            }
        }
    }

    fn expire_fan_out(&mut self, fan_out: &mut FanOut, now: Instant) {
        fan_out.deadline = None;
        let is_handshake = matches!(fan_out.kind, Kind::Initialize);
        if matches!(fan_out.kind, Kind::Listen { .. }) {
            self.acknowledge(fan_out);
            return;
        }
        if is_handshake && !fan_out.shares.iter().any(|share| matches!(share, Share::Greeting(_))) {
            // Without any server, there is nothing to tell the client. The first answer is awaited.
            fan_out.deadline = Some(now + Duration::from_secs(1));
            return;
        }
        for (index, share) in fan_out.shares.iter_mut().enumerate() {
            let Share::Waiting(own, _) = share else { continue };
            let member = &mut self.members[index];
            let text = if is_handshake { "the handshake" } else { "a request" };
            if is_handshake {
                // The server can still join later.
                let _ = member.requests.answer(own);
                member.requests.add(own.clone(), PendingRequest::Handshake);
                member.state = State::Late;
            } else {
                member.requests.give_up(own);
                self.out.to_servers.push((index, cancellation(own, "The time limit has passed.")));
            }
            *share = Share::Missing;
            self.remark(index, &format!("the server has not answered {text} in time, and is left out"));
        }
    }

    /// Notes whether a server reads its input.
    pub(super) fn set_stuck(&mut self, server: usize, is_stuck: bool) {
        self.members[server].is_stuck = is_stuck;
        let text = if is_stuck { "does not read" } else { "reads again" };
        self.remark(server, &format!("the server {text} its input"));
    }

    /// Forwards a request to the server of a tool or a prompt, without the prefix of the name, which is a member of `named`.
    fn ask_by_name(&mut self, id: RequestId, listing: Listing, named: &str, only: SingleRequest, frame: &Frame) {
        let Some((part, name)) = member(named, "name").zip(parsed::<String>(named, "name")) else {
            return self.reply(error(&id, INVALID_PARAMS, "The `name` is missing."));
        };
        if let Some(server) = self.owners.by_name(listing, &name, &self.members) {
            let own = name.strip_prefix(&self.members[server].prefix).unwrap_or(&name);
            let frame = if own == name { frame.clone() } else { frame.with_part(part, &json_string(own)) };
            self.ask(server, id, only, frame);
        } else {
            let kind = if listing == Listing::Tools { "tool" } else { "prompt" };
            let text = format!("Unknown {kind}: {}", bounded::name(&name));
            self.reply(error(&id, INVALID_PARAMS, &text));
        }
    }

    /// Forwards a request to the server that has the resource whose URI is a member of `named`. If no server lists it, asks one after the other.
    fn ask_by_uri(&mut self, id: RequestId, named: &str, only: SingleRequest, frame: &Frame) {
        let Some(uri) = parsed::<String>(named, "uri") else {
            return self.reply(error(&id, INVALID_PARAMS, "The `uri` is missing."));
        };
        let likely = match self.owners.by_uri(&uri) {
            Owner::One(server) => return self.ask(server, id, only, frame.clone()),
            Owner::Likely(likely) => likely,
        };
        let others = (0..self.members.len()).filter(|server| !likely.contains(server));
        let all = likely.iter().copied().chain(others);
        let mut rest: VecDeque<usize> = all.filter(|server| self.members[*server].can("resources")).collect();
        let Some(server) = rest.pop_front() else {
            return self.reply(error(&id, RESOURCE_NOT_FOUND, "No MCP server has this resource."));
        };
        let in_turn = RequestInTurn { frame: frame.clone(), uri, rest, rejected: None };
        self.ask_in_order(server, id, in_turn);
    }

    /// Forwards a request to the server whose turn it is. If other servers are left, its time is limited.
    fn ask_in_order(&mut self, server: usize, id: RequestId, in_turn: RequestInTurn) {
        self.out.to_servers.push((server, in_turn.frame.clone()));
        let until = (!in_turn.rest.is_empty()).then(|| Instant::now() + self.settings.list_time_limit);
        self.members[server].requests.add_until(id, PendingRequest::InTurn(Box::new(in_turn)), 0, until);
    }

    /// Asks the next server for a resource after a rejection. The client gets the first rejection if no server is left.
    fn ask_next(&mut self, id: &RequestId, mut in_turn: RequestInTurn, rejected: &Frame) {
        in_turn.rejected.get_or_insert_with(|| rejected.clone());
        while let Some(next) = in_turn.rest.pop_front() {
            let member = &self.members[next];
            if member.can("resources") && member.requests.rejection(id).is_none() {
                self.ask_in_order(next, id.clone(), in_turn);
                return;
            }
        }
        self.out.to_client.extend(in_turn.rejected);
    }

    /// Asks the next server for a resource after the time of a server has passed.
    fn end_turn(&mut self, server: usize, id: &RequestId) {
        let member = &mut self.members[server];
        let Some(PendingRequest::InTurn(in_turn)) = member.requests.give_up(id) else { return };
        let limit = self.settings.list_time_limit;
        let text = format!("The MCP server {} has not answered within {limit:?}.", member.name);
        self.out.to_servers.push((server, cancellation(id, "The time limit has passed.")));
        self.ask_next(id, *in_turn, &error(id, INTERNAL, &text));
    }

    /// Forwards a request to one server.
    fn ask(&mut self, server: usize, id: RequestId, only: SingleRequest, frame: Frame) {
        let member = &mut self.members[server];
        if let Some(rejected) = member.rejection() {
            return self.reply(rejected_by_proxy(&id, &only, &rejected));
        }
        member.requests.add(id, PendingRequest::Single(only));
        self.out.to_servers.push((server, frame));
    }

    /// Forwards a request to all servers that can answer it.
    fn ask_all(&mut self, id: RequestId, kind: Kind, frame: &Frame) {
        if self.fan_outs.len() >= MOST_FAN_OUTS {
            return self.reply(error(&id, INTERNAL, "Too many requests are not answered yet."));
        }
        if matches!(kind, Kind::List(_)) && has(frame.params(), "cursor") {
            // All pages were in the first answer.
            return self.reply(error(&id, INVALID_PARAMS, "There is no page with this cursor."));
        }
        let list_limit = self.settings.list_time_limit;
        let (capability, limit) = match &kind {
            Kind::List(listing) => (Some(listing.terms().capability), list_limit),
            Kind::All => (Some("logging"), list_limit),
            Kind::Listen { .. } => (None, list_limit),
            Kind::Initialize | Kind::Discover => (None, INITIALIZING),
        };
        let asked = self.members.iter_mut().enumerate().map(|(index, member)| {
            if member.rejection().is_some() || capability.is_some_and(|capability| !member.has(capability)) {
                return Share::Absent;
            }
            member.requests.add(id.clone(), PendingRequest::Share(id.clone()));
            self.out.to_servers.push((index, frame.clone()));
            Share::Waiting(id.clone(), Box::new(Pages::new()))
        });
        let (shares, deadline) = (asked.collect(), Some(Instant::now() + limit));
        self.finish(id, FanOut { kind, frame: frame.clone(), shares, deadline });
    }
}

/// Returns the answer to a request that no server gets. The rejection of a call is a result, because hosts do not show errors to every model.
fn rejected_by_proxy(id: &RequestId, only: &SingleRequest, text: &str) -> Frame {
    if only.is_call { rejection(id, &[text], only.is_modern) } else { error(id, INTERNAL, text) }
}
