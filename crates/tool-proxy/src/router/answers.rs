//! The messages of the servers behind a [`Router`].

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::asked::{INTERNAL, INVALID_REQUEST, refused_request};
use super::super::fate::{Broken, Received, Unusable};
use super::super::frame::{Answer, Frame, Message, object};
use super::super::open::Answered;
use super::super::parts::{Params, key, meta_of};
use super::super::writing::{error, request};
use super::asking::refused_by_proxy;
use super::job::{Job, Kind, Share};
use super::member::{Asked, State};
use super::pages::{Next, Pages, next_params};
use super::{Routed, Router};

/// The largest number of bytes of all answers that wait for those of other servers.
const MOST_BYTES: usize = 64 * 1_024 * 1_024;

/// The parameters of the acknowledgement of a subscription.
#[derive(Deserialize)]
struct Accepted {
    notifications: Map<String, Value>,
}

impl Router {
    /// Decides about what a server has sent.
    pub(crate) fn server(&mut self, server: usize, received: Received, routed: &mut Routed) {
        match received {
            Received::Frame(frame) => self.server_frame(server, frame, routed),
            Received::Batch(_) => {
                self.dropped.bad_lines += 1;
                self.remark(server, "several messages in one line were dropped");
            }
            Received::Unusable(Unusable { broken, reason, .. }) => self.unusable(server, broken, &reason, routed),
        }
    }

    fn server_frame(&mut self, server: usize, frame: Frame, routed: &mut Routed) {
        match frame.message() {
            Message::Request { id, .. } if self.members[server].state == State::LeftOut => {
                routed.to_servers.push((server, error(&id, INVALID_REQUEST, "The client does not use this server.")));
            }
            Message::Request { id, params, .. } => match self.questions.ask(server, &frame, id.clone(), params) {
                Ok(asked) => routed.to_client.push(asked),
                Err(refused) => {
                    self.remark(server, "a request was refused");
                    routed.to_servers.push((server, refused_request(&id, &refused)));
                }
            },
            Message::Notification { method, params } => match method {
                "notifications/cancelled" => {
                    if let Some(request_id) = Params::of(params).request_id
                        && let Some(id) = key(request_id)
                        && let Some(number) = self.questions.cancel(server, &id)
                    {
                        routed.to_client.push(frame.with_part(request_id.get(), &number.to_string()));
                    }
                }
                "notifications/subscriptions/acknowledged" => self.acknowledged(server, params, routed),
                _ if self.members[server].state == State::LeftOut => {}
                _ => routed.to_client.push(frame),
            },
            Message::Response { id, answer } => self.answered(server, &id, &frame, Ok(answer), routed),
            Message::Error => routed.to_client.push(frame),
        }
    }

    /// Decides about a line that cannot be used. An error takes the place of an answer.
    fn unusable(&mut self, server: usize, broken: Broken, reason: &str, routed: &mut Routed) {
        self.dropped.bad_lines += 1;
        self.remark(server, &format!("a line was dropped. {reason}"));
        let asked = &self.members[server].asked;
        let answered = match broken {
            Broken::Request(id) => {
                routed.to_servers.push((server, error(&id, INVALID_REQUEST, reason)));
                None
            }
            Broken::Answer(id) => Some(id),
            // If the server has only one request to answer, this was the answer.
            Broken::Unclear if asked.only(|_| true).is_some() => asked.only(|_| true),
            Broken::Unclear if asked.has_open() => {
                self.remark(server, "the line may be the answer to one of several open requests");
                None
            }
            Broken::Unclear | Broken::Other => None,
        };
        if let Some(id) = answered {
            self.answered(server, &id, &error(&id, INTERNAL, reason), Err(reason), routed);
        }
    }

    /// Uses the answer of a server to a request, or the reason why it cannot be used. The frame is then an error in its place.
    fn answered(
        &mut self,
        server: usize,
        id: &RequestId,
        frame: &Frame,
        answer: Result<Answer<'_>, &str>,
        routed: &mut Routed,
    ) {
        let (answer, reason) = (answer.ok(), answer.err());
        match self.members[server].asked.answer(id) {
            Answered::Open(Asked::Only(only)) => {
                if let Some(Answer::Result(result)) = answer {
                    self.tasks.learn(result, server);
                    if let Some(uri) = &only.uri {
                        self.resources.learn(uri, server);
                    }
                }
                routed.to_client.push(match reason.filter(|_| only.is_call) {
                    Some(reason) => refused_by_proxy(id, &only, &format!("{reason} The call may have taken effect.")),
                    None => frame.clone(),
                });
            }
            Answered::Open(Asked::InOrder(in_order)) => {
                if let Some(Answer::Result(_)) = answer {
                    self.turns.remove(in_order.turn);
                    self.resources.learn(&in_order.uri, server);
                    routed.to_client.push(frame.clone());
                } else {
                    self.ask_next(id, *in_order, frame, routed);
                }
            }
            Answered::Open(Asked::Share(job)) => self.add_share(server, &job, answer, routed),
            Answered::Open(Asked::Handshake) => self.join(server, answer, routed),
            Answered::Cancelled | Answered::GivenUp => {}
            // A line that cannot be used is counted already.
            Answered::Nothing if reason.is_some() => {}
            Answered::Nothing => {
                self.dropped.stray_answers += 1;
                self.remark(server, "an answer to a request that is not open was dropped");
            }
        }
    }

    /// Adds the answer of one server to a request that several servers answer.
    pub(super) fn add_share(&mut self, server: usize, id: &RequestId, answer: Option<Answer<'_>>, routed: &mut Routed) {
        let Some(mut job) = self.jobs.remove(id) else { return };
        job.shares[server] = match std::mem::replace(&mut job.shares[server], Share::Missing) {
            Share::Waiting(_, pages) => self.share(server, (id, &job), pages, answer, routed),
            share => share,
        };
        self.jobs.insert(id.clone(), job);
        self.finish(id, routed);
    }

    /// Returns the share of a server, given its answer and the pages of its list so far. Requests the next page if there is one.
    fn share(
        &mut self,
        server: usize,
        (id, job): (&RequestId, &Job),
        mut pages: Box<Pages>,
        answer: Option<Answer<'_>>,
        routed: &mut Routed,
    ) -> Share {
        let result = match (&job.kind, answer) {
            (_, None) => return Share::Missing,
            (kind @ (Kind::Initialize | Kind::Discover), Some(answer)) => {
                return self.greeting(server, answer, matches!(kind, Kind::Initialize));
            }
            (_, Some(Answer::Error(error))) => return Share::Error(error.to_owned()),
            (_, Some(Answer::Result(result))) => result,
        };
        let Kind::List(listing) = job.kind else { return Share::Result(result.to_owned()) };
        let next = pages.add(listing, &self.members[server].prefix, result);
        let kept = job.bytes() + self.jobs.values().map(Job::bytes).sum::<usize>();
        if kept + pages.bytes > MOST_BYTES {
            self.remark(server, "a list was left out, because too many answers are waiting");
            return Share::Missing;
        }
        match next {
            Next::Page(cursor) => {
                let own = self.own_id(server);
                let params = next_params(&cursor, job.meta.as_deref());
                routed.to_servers.push((server, request(&own, listing.method(), &params)));
                self.members[server].asked.add(own.clone(), Asked::Share(id.clone()));
                Share::Waiting(own, pages)
            }
            Next::End => Share::Pages(pages),
            Next::Invalid => {
                self.remark(server, &format!("the answer to {} is not a list", listing.method()));
                Share::Missing
            }
        }
    }

    /// Adds the notifications that a server has accepted to those of the other servers.
    fn acknowledged(&mut self, server: usize, params: &str, routed: &mut Routed) {
        let Some(id) = meta_of(params).subscription.and_then(key) else { return };
        let Some(mut job) = self.jobs.remove(&id) else { return };
        if let Kind::Listen(listen) = &mut job.kind
            && let Some(all) = &mut listen.accepted
            && let Some(Accepted { notifications }) = object(params)
        {
            for (key, value) in notifications {
                match (all.get_mut(&key), value) {
                    (Some(Value::Bool(all)), Value::Bool(value)) => *all |= value,
                    (Some(Value::Array(all)), Value::Array(values)) => {
                        for value in values {
                            if !all.contains(&value) {
                                all.push(value);
                            }
                        }
                    }
                    (Some(_), _) => {}
                    (None, value) => drop(all.insert(key, value)),
                }
            }
            listen.acknowledged.push(server);
        }
        self.jobs.insert(id.clone(), job);
        self.finish(&id, routed);
    }

    pub(crate) fn remark(&self, server: usize, remark: &str) {
        self.log(&format!("{}: {remark}", self.members[server].name));
    }
}
