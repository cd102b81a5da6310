//! The answers to requests that several servers answer, once all of them have answered.

use std::collections::HashSet;

use rmcp::model::RequestId;
use serde::Deserialize;

use super::super::asked::INTERNAL;
use super::super::frame::object;
use super::super::writing::{error, failure, notification, response};
use super::hello::{Greeting, discovered, initialized};
use super::job::{Job, Kind, Share};
use super::member::State;
use super::pages::{Listing, Pages, merged};
use super::{METHOD_NOT_FOUND, Routed, Router};
use crate::private::bounded;

/// The largest number of remarks about definitions that are remembered.
const MOST_REMARKS: usize = 1_000;
/// The bytes of an answer that are kept free for everything but its entries.
const RESERVED: usize = 4_096;

#[derive(Deserialize)]
struct Code {
    code: i32,
}

/// Returns `true` if an error says that a server does not have a method.
fn is_unknown_method(error: &str) -> bool {
    object(error).is_some_and(|Code { code }| code == METHOD_NOT_FOUND)
}

impl Router {
    /// Answers a request if all servers have answered it, and acknowledges a subscription if all servers have accepted it.
    pub(super) fn finish(&mut self, id: &RequestId, routed: &mut Routed) {
        let Some(mut job) = self.jobs.remove(id) else { return };
        if !job.is_done() {
            if let Kind::Listen(listen) = &job.kind {
                let mut waiting = job.shares.iter().enumerate();
                let has_all = waiting.all(|(server, share)| {
                    !matches!(share, Share::Waiting(..)) || listen.acknowledged.contains(&server)
                });
                if has_all {
                    self.acknowledge(&mut job, routed);
                }
            }
            self.jobs.insert(id.clone(), job);
            return;
        }
        let answer = match &mut job.kind {
            Kind::List(listing) => {
                let listing = *listing;
                self.list(listing, &mut job)
            }
            Kind::Initialize | Kind::Discover => self.greet(&job),
            Kind::All | Kind::Listen(_) => job.shares.iter().find_map(|share| match share {
                Share::Result(result) => Some(result.clone()),
                _ => None,
            }),
        };
        // A client that asks for logging although no server has it gets an empty result.
        let is_absent = job.shares.iter().all(|share| matches!(share, Share::Absent));
        let answer = answer.or_else(|| (is_absent && matches!(job.kind, Kind::All)).then(|| "{}".to_owned()));
        routed.to_client.push(match (answer, job.error()) {
            (Some(text), _) => response(id, &text),
            (None, Some(text)) => failure(id, text),
            (None, None) => error(id, INTERNAL, "No MCP server has answered."),
        });
    }

    /// Tells the client which notifications the servers have accepted, once.
    pub(super) fn acknowledge(&self, job: &mut Job, routed: &mut Routed) {
        if let Kind::Listen(listen) = &mut job.kind
            && let Some(accepted) = listen.accepted.take()
        {
            let accepted = serde_json::Value::Object(accepted);
            let params = format!(
                r#"{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{}}},"notifications":{accepted}}}"#,
                listen.id
            );
            routed.to_client.push(notification("notifications/subscriptions/acknowledged", &params));
        }
    }

    /// Returns the answers to a handshake as one; `None` if no server can be used.
    fn greet(&mut self, job: &Job) -> Option<String> {
        let greetings: Vec<Greeting<'_>> = (self.members.iter().zip(&job.shares))
            .filter_map(|(member, share)| match share {
                Share::Greeting(answered) => Some(Greeting { name: &member.name, prefix: &member.prefix, answered }),
                _ => None,
            })
            .collect();
        let is_complete = greetings.len() == self.members.len();
        if greetings.is_empty() {
            return None;
        }
        if let Kind::Discover = job.kind {
            return Some(discovered(&greetings, is_complete));
        }
        let (result, version) = initialized(&greetings, is_complete);
        if let Some(hello) = &mut self.hello {
            hello.agreed = Some(version);
        }
        Some(result)
    }

    /// Returns the entries of all servers as one list, and learns which server has which entry. `None` if no server has answered.
    fn list(&mut self, listing: Listing, job: &mut Job) -> Option<String> {
        let mut remarks = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        let mut room = self.settings.message_limit.saturating_sub(RESERVED);
        for (server, share) in job.shares.iter_mut().enumerate() {
            let Share::Pages(pages) = share else {
                if self.members[server].state == State::Ended {
                    self.forget(listing, server);
                }
                if let Share::Error(error) = share
                    && !is_unknown_method(error)
                {
                    remarks.push((server, format!("an error is the answer to {}", listing.method())));
                }
                continue;
            };
            self.forget(listing, server);
            pages.entries.retain(|entry| {
                let name = bounded::name(&entry.key);
                let is_named = matches!(listing, Listing::Tools | Listing::Prompts);
                if is_named && seen.contains(&entry.key) {
                    remarks.push((
                        server,
                        format!("{name} is left out, because another server has the same name; set a `prefix`"),
                    ));
                    return false;
                }
                if room < entry.text.len() + 1 {
                    remarks.push((server, format!("{name} is left out, because the list is too long for one message")));
                    return false;
                }
                room -= entry.text.len() + 1;
                if is_named {
                    seen.insert(entry.key.clone());
                }
                true
            });
            if !pages.is_complete {
                remarks
                    .push((server, format!("some entries of {} cannot be used, and are left out", listing.method())));
            }
            self.learn(listing, server, pages);
        }
        for (server, remark) in remarks {
            let remark = format!("{}: {remark}", self.members[server].name);
            if self.remarks.len() < MOST_REMARKS && self.remarks.insert(remark.clone()) {
                self.log(&remark);
            }
        }
        let all = job.shares.iter().filter_map(|share| match share {
            Share::Pages(pages) => Some(&**pages),
            _ => None,
        });
        // Servers that have no such list are no reason for an error.
        let is_empty = job.shares.iter().all(|share| matches!(share, Share::Absent));
        (is_empty || all.clone().next().is_some()).then(|| merged(listing, job.is_modern, all))
    }

    fn forget(&mut self, listing: Listing, server: usize) {
        match listing {
            Listing::Tools => self.tools.forget(server),
            Listing::Prompts => self.prompts.forget(server),
            Listing::Resources => self.resources.forget(server),
            Listing::Templates => self.resources.forget_templates(server),
            Listing::Tasks => {}
        }
    }

    fn learn(&mut self, listing: Listing, server: usize, pages: &Pages) {
        for entry in &pages.entries {
            match listing {
                Listing::Tools => self.tools.add(&entry.key, server),
                Listing::Prompts => self.prompts.add(&entry.key, server),
                Listing::Resources => self.resources.add(&entry.key, server),
                Listing::Templates => self.resources.add_template(&entry.key, server),
                Listing::Tasks => self.tasks.add(&entry.key, server),
            }
        }
    }
}
