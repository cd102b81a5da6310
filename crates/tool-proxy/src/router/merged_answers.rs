//! The messages of the servers behind a [`Router`], and the answers to requests that several servers answer, once all of them have answered.

use std::collections::HashSet;

use rmcp::model::RequestId;
use serde_json::Value;

use crate::frame::{Answer, Frame, Message};
use crate::list_cache::Page;
use crate::members::{SUBSCRIPTION, VERSION, acknowledgement, key, member, meta, parsed};
use crate::own_messages::{INTERNAL, INVALID_REQUEST, METHOD_NOT_FOUND, error, failure, request, response};
use crate::private::bounded;
use crate::request_table::Answered;
use crate::router::Router;
use crate::router::fan_out::{FanOut, Greeting, Kind, Share, add, discovered, initialized};
use crate::router::grouped_server::{PendingRequest, State};
use crate::router::owners::Listing;
use crate::router::pages::{Pages, merged, next_params};
use crate::sync::locked;

/// The largest number of bytes of all answers that wait for those of other servers.
const MOST_BYTES: usize = 64 * 1_024 * 1_024;

/// The largest number of remarks about definitions that are remembered.
const MOST_REMARKS: usize = 1_000;
/// The bytes of an answer that are kept free for everything but its entries.
const RESERVED: usize = 4_096;

impl Router {
    /// Decides about what a server has sent.
    pub(crate) fn server(&mut self, server: usize, frame: Frame) {
        match frame.message() {
            Message::Request { id, .. } if self.members[server].state == State::LeftOut => {
                self.out.to_servers.push((server, error(&id, INVALID_REQUEST, "The client does not use this server.")));
            }
            Message::Request { id, .. } => match self.questions.ask(server, &frame, id.clone()) {
                Ok(asked) => self.out.to_client.push(asked),
                Err(rejected) => {
                    self.remark(server, "a request was rejected");
                    self.out.to_servers.push((server, rejected.answer(&id)));
                }
            },
            Message::Notification { method, params } => match method {
                "notifications/cancelled" => {
                    if let Some(request_id) = member(params, "requestId")
                        && let Some(id) = key(request_id)
                        && let Some(number) = self.questions.cancel(server, &id)
                    {
                        self.out.to_client.push(frame.with_part(request_id, &number.to_string()));
                    }
                }
                "notifications/subscriptions/acknowledged" => self.acknowledged(server, params),
                _ if self.members[server].state == State::LeftOut => {}
                _ => self.out.to_client.push(frame),
            },
            Message::Response { id, answer } => self.answered(server, &id, &frame, answer),
            Message::Error => self.out.to_client.push(frame),
        }
    }

    /// Uses the answer of a server to a request.
    fn answered(&mut self, server: usize, id: &RequestId, frame: &Frame, answer: Answer<'_>) {
        match self.members[server].requests.answer(id) {
            Answered::Open(PendingRequest::Single(_)) => {
                if let Answer::Result(result) = answer {
                    self.owners.add_task(result, server);
                }
                self.out.to_client.push(frame.clone());
            }
            Answered::Open(PendingRequest::InTurn(in_turn)) => {
                if let Answer::Result(_) = answer {
                    self.owners.add_read(&in_turn.uri, server);
                    self.out.to_client.push(frame.clone());
                } else {
                    self.ask_next(id, *in_turn, frame);
                }
            }
            Answered::Open(PendingRequest::Share(fan_out)) => {
                self.add_share(server, &fan_out, Some(answer).filter(|_| !frame.is_lost()));
            }
            Answered::Open(PendingRequest::Handshake) => self.join(server, answer),
            Answered::Cancelled | Answered::GivenUp => {}
            // A line that cannot be used is counted already.
            Answered::Nothing if frame.is_lost() => {}
            Answered::Nothing => {
                locked(&self.settings.report).stray_answers += 1;
                self.remark(server, "an answer to a request that is not open was dropped");
            }
        }
    }

    /// Adds the answer of one server to a request that several servers answer.
    pub(super) fn add_share(&mut self, server: usize, id: &RequestId, answer: Option<Answer<'_>>) {
        let Some((id, mut fan_out)) = self.fan_outs.remove_entry(id) else { return };
        fan_out.shares[server] = match std::mem::replace(&mut fan_out.shares[server], Share::Missing) {
            Share::Waiting(_, pages) => self.share(server, (&id, &fan_out), pages, answer),
            share => share,
        };
        self.finish(id, fan_out);
    }

    /// Returns the share of a server, given its answer and the pages of its list so far. Requests the next page if there is one.
    fn share(
        &mut self,
        server: usize,
        (id, fan_out): (&RequestId, &FanOut),
        mut pages: Box<Pages>,
        answer: Option<Answer<'_>>,
    ) -> Share {
        let result = match (&fan_out.kind, answer) {
            (_, None) => return Share::Missing,
            (Kind::Initialize, Some(answer)) => return self.greeting(server, answer, true),
            (Kind::Discover, Some(answer)) => return self.greeting(server, answer, false),
            (_, Some(Answer::Error(error))) => return Share::Error(error.to_owned()),
            (_, Some(Answer::Result(result))) => result,
        };
        let Kind::List(listing) = fan_out.kind else { return Share::Result(result.to_owned()) };
        let member = &self.members[server];
        let is_tools = listing == Listing::Tools;
        let pinned = is_tools.then(|| self.settings.withhold(&member.name, result)).flatten();
        let next = pages.add(listing, &member.prefix, pinned.as_deref().unwrap_or(result));
        let kept = fan_out.bytes() + self.fan_outs.values().map(FanOut::bytes).sum::<usize>();
        if kept + pages.bytes > MOST_BYTES {
            self.remark(server, "a list was left out, because too many answers are waiting");
            return Share::Missing;
        }
        match next {
            Page::Next(cursor) => {
                let own = self.members[server].requests.own_id(&mut self.requests);
                let params = next_params(&cursor, fan_out.frame.params());
                self.out.to_servers.push((server, request(&own, listing.terms().method, &params)));
                self.members[server].requests.add(own.clone(), PendingRequest::Share(id.clone()));
                Share::Waiting(own, pages)
            }
            Page::Last => Share::Pages(pages),
            Page::Invalid => {
                self.remark(server, &format!("the answer to {} is not a list", listing.terms().method));
                Share::Missing
            }
        }
    }

    /// Adds the notifications that a server has accepted to those of the other servers.
    fn acknowledged(&mut self, server: usize, params: &str) {
        let id = meta(params, SUBSCRIPTION).and_then(key);
        let Some((id, mut fan_out)) = id.and_then(|id| self.fan_outs.remove_entry(&id)) else { return };
        if let Kind::Listen { accepted: Some(accepted), acknowledged } = &mut fan_out.kind
            && let Some(notifications) = parsed(params, "notifications")
        {
            add(accepted, &notifications);
            acknowledged.push(server);
        }
        self.finish(id, fan_out);
    }

    /// Answers a request if all servers have answered it, and keeps it open otherwise. Acknowledges a subscription if all servers have accepted it.
    pub(super) fn finish(&mut self, id: RequestId, mut fan_out: FanOut) {
        if fan_out.shares.iter().any(|share| matches!(share, Share::Waiting(..))) {
            if let Kind::Listen { acknowledged, .. } = &fan_out.kind {
                let mut waiting = (0..).zip(&fan_out.shares).filter(|(_, share)| matches!(share, Share::Waiting(..)));
                if waiting.all(|(server, _)| acknowledged.contains(&server)) {
                    self.acknowledge(&mut fan_out);
                }
            }
            self.fan_outs.insert(id, fan_out);
            return;
        }
        let answer = match &fan_out.kind {
            &Kind::List(listing) => self.merge(listing, &mut fan_out),
            Kind::Initialize | Kind::Discover => self.greet(&fan_out),
            // A client that asks for logging although no server has it gets an empty result.
            Kind::All if fan_out.is_absent() => Some("{}".to_owned()),
            Kind::All | Kind::Listen { .. } => fan_out.shares.iter().find_map(|share| match share {
                Share::Result(result) => Some(result.clone()),
                _ => None,
            }),
        };
        let failed = fan_out.shares.iter().find_map(|share| match share {
            Share::Error(error) => Some(failure(&id, error)),
            _ => None,
        });
        let answer = answer.map(|result| response(&id, &result)).or(failed);
        self.reply(answer.unwrap_or_else(|| error(&id, INTERNAL, "No MCP server has answered.")));
    }

    /// Tells the client which notifications the servers have accepted, once.
    pub(super) fn acknowledge(&mut self, fan_out: &mut FanOut) {
        if let Kind::Listen { accepted, .. } = &mut fan_out.kind
            && let Some(accepted) = accepted.take()
        {
            let accepted = Value::Object(accepted).to_string();
            self.out.to_client.push(acknowledgement(fan_out.frame.id_text(), &accepted));
        }
    }

    /// Returns the answers to a handshake as one; `None` if no server can be used.
    fn greet(&mut self, fan_out: &FanOut) -> Option<String> {
        let greetings: Vec<Greeting<'_>> = (self.members.iter().zip(&fan_out.shares))
            .filter_map(|(member, share)| match share {
                Share::Greeting(answered) => Some(Greeting { name: &member.name, prefix: &member.prefix, answered }),
                _ => None,
            })
            .collect();
        if greetings.is_empty() {
            return None;
        }
        let is_complete = greetings.len() == self.members.len();
        if let Kind::Discover = fan_out.kind {
            return Some(discovered(&greetings, is_complete));
        }
        let (result, version) = initialized(&greetings, is_complete);
        self.handshake.version = Some(version);
        Some(result)
    }

    /// Returns the entries of all servers as one list, and learns which server has which entry. `None` if no server has answered.
    fn merge(&mut self, listing: Listing, fan_out: &mut FanOut) -> Option<String> {
        let method = listing.terms().method;
        let mut remark = |server: usize, text: &str| {
            let remark = format!("{}: {text}", self.members[server].name);
            if self.remarks.len() < MOST_REMARKS && self.remarks.insert(remark.clone()) {
                (self.settings.log)(&remark);
            }
        };
        let mut seen: HashSet<String> = HashSet::new();
        let mut room = self.settings.message_limit.saturating_sub(RESERVED);
        for (server, share) in fan_out.shares.iter_mut().enumerate() {
            let Share::Pages(pages) = share else {
                if self.members[server].state == State::Ended {
                    self.owners.forget(listing, server);
                }
                if let Share::Error(error) = share
                    && parsed::<i32>(error, "code") != Some(METHOD_NOT_FOUND)
                {
                    remark(server, &format!("an error is the answer to {method}"));
                }
                continue;
            };
            self.owners.forget(listing, server);
            pages.entries.retain(|entry| {
                let size = entry.text.len() + 1;
                let reason = if seen.contains(&entry.key) {
                    "another server has the same name; set a `prefix`"
                } else if room < size {
                    "the list is too long for one message"
                } else {
                    room -= size;
                    if listing.is_named() {
                        seen.insert(entry.key.clone());
                    }
                    return true;
                };
                remark(server, &format!("{} is left out, because {reason}", bounded::name(&entry.key)));
                false
            });
            if !pages.is_complete {
                remark(server, &format!("some entries of {method} cannot be used, and are left out"));
            }
            pages.entries.iter().for_each(|entry| self.owners.add(listing, &entry.key, server));
        }
        let all = fan_out.shares.iter().filter_map(|share| match share {
            Share::Pages(pages) => Some(&**pages),
            _ => None,
        });
        let is_modern = meta(fan_out.frame.params(), VERSION).is_some();
        // Servers that have no such list are no reason for an error.
        (fan_out.is_absent() || all.clone().next().is_some()).then(|| merged(listing, is_modern, all))
    }
}
