//! The requests of the client on their way to one server, or to several.

use std::collections::VecDeque;

use rmcp::model::RequestId;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::super::asked::{INTERNAL, INVALID_PARAMS};
use super::super::frame::Frame;
use super::super::handshake::INITIALIZING;
use super::super::listed::cursor;
use super::super::parts::{Params, text};
use super::super::writing::{cancellation, error, refusal};
use super::job::{Job, Kind, Share};
use super::member::{Asked, InOrder, Only};
use super::names::without_prefix;
use super::pages::{Listing, Pages};
use super::resources::Owner;
use super::{Routed, Router};
use crate::private::bounded;

const RESOURCE_NOT_FOUND: i32 = -32_002;

/// The largest number of open requests that several servers answer.
const MOST_JOBS: usize = 1_000;

impl Router {
    /// Forwards a request to the server of a tool or a prompt, without the prefix of the name. `part` is the name as JSON text.
    pub(super) fn ask_by_name(
        &mut self,
        id: RequestId,
        listing: Listing,
        part: Option<&RawValue>,
        only: Only,
        frame: &Frame,
        routed: &mut Routed,
    ) {
        let Some((part, name)) = part.zip(text(part)) else {
            routed.to_client.push(error(&id, INVALID_PARAMS, "The `name` is missing."));
            return;
        };
        let (names, kind) = match listing {
            Listing::Tools => (&self.tools, "tool"),
            _ => (&self.prompts, "prompt"),
        };
        if let Some(server) = names.owner(&name, self.members.iter().map(|member| member.prefix.as_str())) {
            let frame = without_prefix(frame, part, &name, &self.members[server].prefix);
            self.ask(server, id, only, frame, routed);
        } else {
            let text = format!("Unknown {kind}: {}", bounded::name(&name));
            routed.to_client.push(error(&id, INVALID_PARAMS, &text));
        }
    }

    /// Forwards a request to the server that has a resource. If no server lists it, asks one after the other.
    pub(super) fn ask_by_uri(&mut self, id: RequestId, uri: String, only: Only, frame: &Frame, routed: &mut Routed) {
        let likely = match self.resources.owner(&uri) {
            Owner::One(server) => {
                self.ask(server, id, Only { uri: Some(uri), ..only }, frame.clone(), routed);
                return;
            }
            Owner::Likely(likely) => likely,
        };
        let others = (0..self.members.len()).filter(|server| !likely.contains(server));
        let all = likely.iter().copied().chain(others);
        let mut rest: VecDeque<usize> = all.filter(|server| self.members[*server].can("resources")).collect();
        let Some(server) = rest.pop_front() else {
            routed.to_client.push(error(&id, RESOURCE_NOT_FOUND, "No MCP server has this resource."));
            return;
        };
        let in_order = InOrder { frame: frame.clone(), uri, rest, refused: None, turn: None };
        self.ask_in_order(server, id, in_order, routed);
    }

    /// Forwards a request to the server whose turn it is. If other servers are left, its time is limited.
    fn ask_in_order(&mut self, server: usize, id: RequestId, mut in_order: InOrder, routed: &mut Routed) {
        routed.to_servers.push((server, in_order.frame.clone()));
        let deadline = Instant::now() + self.settings.list_time_limit;
        in_order.turn = (!in_order.rest.is_empty()).then(|| self.turns.add(deadline, id.clone()));
        self.members[server].asked.add(id, Asked::InOrder(Box::new(in_order)));
    }

    /// Asks the next server for a resource after a refusal. The client gets the first refusal if no server is left.
    pub(super) fn ask_next(&mut self, id: &RequestId, mut in_order: InOrder, refused: &Frame, routed: &mut Routed) {
        self.turns.remove(in_order.turn);
        in_order.refused.get_or_insert_with(|| refused.clone());
        while let Some(next) = in_order.rest.pop_front() {
            let member = &self.members[next];
            if member.can("resources") && member.asked.refusal(id).is_none() {
                self.ask_in_order(next, id.clone(), in_order, routed);
                return;
            }
        }
        routed.to_client.extend(in_order.refused);
    }

    /// Asks the next server for a resource after the time of a server has passed.
    pub(super) fn end_turn(&mut self, id: &RequestId, routed: &mut Routed) {
        for server in 0..self.members.len() {
            let member = &mut self.members[server];
            let Some(Asked::InOrder(in_order)) = member.asked.give_up(id) else { continue };
            let limit = self.settings.list_time_limit;
            let text = format!("The MCP server {} has not answered within {limit:?}.", member.name);
            routed.to_servers.push((server, cancellation(id, "The time limit has passed.")));
            self.ask_next(id, *in_order, &error(id, INTERNAL, &text), routed);
            return;
        }
    }

    /// Forwards a request to one server.
    pub(super) fn ask(&mut self, server: usize, id: RequestId, only: Only, frame: Frame, routed: &mut Routed) {
        let member = &mut self.members[server];
        if let Some(refused) = member.refusal() {
            routed.to_client.push(refused_by_proxy(&id, &only, &refused));
            return;
        }
        member.asked.add(id, Asked::Only(only));
        routed.to_servers.push((server, frame));
    }

    /// Forwards a request to all servers that can answer it.
    pub(super) fn ask_all(&mut self, id: RequestId, kind: Kind, params: &str, frame: &Frame, routed: &mut Routed) {
        if self.jobs.len() >= MOST_JOBS {
            routed.to_client.push(error(&id, INTERNAL, "Too many requests are not answered yet."));
            return;
        }
        if matches!(kind, Kind::List(_)) && cursor(params).is_some() {
            // All pages were in the first answer.
            routed.to_client.push(error(&id, INVALID_PARAMS, "There is no page with this cursor."));
            return;
        }
        let capability = match &kind {
            Kind::List(listing) => Some(listing.capability()),
            Kind::All => Some("logging"),
            Kind::Initialize | Kind::Discover | Kind::Listen(_) => None,
        };
        let limit = match &kind {
            Kind::Initialize | Kind::Discover => INITIALIZING,
            _ => self.settings.list_time_limit,
        };
        let mut shares = Vec::new();
        for (index, member) in self.members.iter_mut().enumerate() {
            let is_able = capability.is_none_or(|capability| member.has(capability));
            shares.push(if member.refusal().is_some() || !is_able {
                Share::Absent
            } else {
                member.asked.add(id.clone(), Asked::Share(id.clone()));
                routed.to_servers.push((index, frame.clone()));
                Share::Waiting(id.clone(), Box::new(Pages::new()))
            });
        }
        let params = Params::of(params);
        let (is_modern, meta) = (params.meta().version.is_some(), params.meta.map(|meta| meta.get().to_owned()));
        let job = Job { kind, is_modern, meta, shares, deadline: Some(Instant::now() + limit) };
        self.jobs.insert(id.clone(), job);
        self.finish(&id, routed);
    }
}

/// Returns the answer to a request that no server gets. The refusal of a call is a result, because hosts do not show errors to every model.
pub(super) fn refused_by_proxy(id: &RequestId, only: &Only, text: &str) -> Frame {
    if only.is_call { refusal(id, &[text], only.is_modern) } else { error(id, INTERNAL, text) }
}
