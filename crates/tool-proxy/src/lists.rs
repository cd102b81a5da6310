//! The list of tools of a connection: the pages that the client or the proxy requests, and the lists that the proxy answers itself.
//!
//! The proxy answers the client's requests itself if the host has set containers, because the list then depends on the session and has one
//! page. Invariant: a list that was requested before the server reported a change does not answer a request that came after the change.

use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;

use super::asked::{Asked, INTERNAL, INVALID_PARAMS, Own, Tables, own_id};
use super::call::{Call, protocol_of};
use super::calls::{Calls, MOST_BYTES};
use super::fate::{Fate, Sent};
use super::frame::{Answer, Frame};
use super::listed::{Listed, cursor};
use super::lister::{Listing, Step};
use super::page::{Page, visible};
use super::parts::Params;
use super::writing::{error, failure, list_answer, list_request};

/// The largest number of requests of the client that wait for the list, because each gets a copy of it.
const MOST_LISTINGS: usize = 16;
/// The time that several servers get in addition for a list. When their limit has passed, they list their tools without the late server.
const GROUPING: Duration = Duration::from_secs(1);

impl Calls {
    /// Returns the number of changes of the list that the server has reported.
    pub(super) fn changes(&self) -> u64 {
        self.lister.changes()
    }

    /// Forgets the list of a server that has ended.
    pub(super) fn forget_list(&mut self) {
        self.lister.forget();
    }

    /// Notes that the list has changed.
    pub(super) fn list_changed(&mut self) {
        self.lister.change();
    }

    /// Returns `true` if the proxy answers the requests of the client for the list.
    pub(super) fn answers_lists(&self) -> bool {
        !self.settings.dry_run && !self.settings.containers.is_empty()
    }

    /// Waits longer for a list than several servers do among themselves.
    pub(super) fn wait_for_group(&mut self) {
        self.list_patience = self.settings.list_time_limit + GROUPING;
    }

    /// Lets a request of the client for the list wait for the server's list.
    pub(super) fn list(&mut self, id: RequestId, frame: &Frame, params: &str, open: &mut Tables, sent: &mut Sent) {
        let bytes = frame.line().len();
        if cursor(params).is_some() {
            // The list has one page, so the proxy has not issued the cursor.
            sent.to_client.push(error(&id, INVALID_PARAMS, "The cursor is not valid."));
            return;
        }
        if self.listings.len() == MOST_LISTINGS || self.bytes + bytes > MOST_BYTES {
            sent.to_client.push(error(&id, INTERNAL, "Too many requests for the list of tools are not answered yet."));
            return;
        }
        let protocol = protocol_of(Params::of(params).meta);
        self.checker.note_revision(protocol.is_empty());
        self.bytes += bytes;
        open.asked.add(id.clone(), Asked::Waiting);
        let (changes, deadline) = (self.lister.changes(), Instant::now() + self.list_patience);
        self.listings.push(Listing { id, changes, protocol, bytes, deadline });
        self.begin_list(open, sent);
    }

    /// Requests the list for the requests that wait for it, unless it is requested already.
    fn begin_list(&mut self, open: &mut Tables, sent: &mut Sent) {
        let Some(first) = self.listings.first() else { return };
        let deadline = || Instant::now() + self.list_patience;
        if self.lister.begin(|| first.protocol.clone(), deadline) {
            self.request_page(None, open, sent);
        }
    }

    /// Requests the list for a call, unless it is requested already.
    pub(super) fn begin_list_for(&mut self, call: &Call<'_>, open: &mut Tables, sent: &mut Sent) {
        let deadline = || Instant::now() + self.list_patience;
        if self.lister.begin(|| call.protocol(), deadline) {
            self.request_page(None, open, sent);
        }
    }

    fn request_page(&mut self, cursor: Option<&str>, open: &mut Tables, sent: &mut Sent) {
        let id = own_id(&open.asked, &mut self.requests);
        sent.to_server.push(list_request(&id, cursor, self.lister.protocol()));
        open.asked.add(id, Asked::Own(Own::List));
    }

    /// Uses a page of the list that the client has requested, removes the tools that the client may not see, and adds those of the proxy.
    pub(super) fn page(
        &mut self,
        id: &RequestId,
        (cursor, changes): (Option<&str>, u64),
        frame: &Frame,
        answer: Answer<'_>,
    ) -> Fate {
        if let Some(listed) = self.lister.see(cursor, changes, answer) {
            self.learn(listed);
        }
        if let Some(text) = self.misnamed() {
            return Fate::Replace(error(id, INTERNAL, text));
        }
        match visible(&self.settings.access, &self.checker.own_definitions(), frame, answer) {
            Page::Unchanged => Fate::Forward,
            Page::Changed(_, hidden) if !self.does(|| format!("would hide {}", hidden.join(", "))) => Fate::Forward,
            Page::Changed(page, _) => Fate::Replace(page),
            Page::Unreadable if !self.does(|| "would refuse the list of tools".to_owned()) => Fate::Forward,
            Page::Unreadable => Fate::Replace(error(id, INTERNAL, NOT_VALID)),
        }
    }

    /// Uses a page of the list that the proxy has requested, or the error in its place.
    pub(super) fn own_page(&mut self, answer: Option<Answer<'_>>, open: &mut Tables, sent: &mut Sent) {
        match self.lister.continue_with(answer) {
            Step::Next(cursor) => self.request_page(Some(&cursor), open, sent),
            Step::End(Some(listed)) => {
                let begun = (listed.changes, listed.ttl);
                self.learn(listed);
                self.release(open, sent);
                self.answer_lists(begun, open, sent);
            }
            Step::End(None) => {
                self.learn_nothing();
                self.release(open, sent);
                self.fail_lists(answer, open, sent);
            }
        }
    }

    /// Decides about the calls that wait for the list, even if the list has changed again.
    pub(super) fn release(&mut self, open: &mut Tables, sent: &mut Sent) {
        for (id, frame) in std::mem::take(&mut self.waiting) {
            self.bytes -= frame.line().len();
            let _ = open.asked.answer(&id);
            if let Some(call) = Call::of(frame.params()) {
                self.decide(id, &frame, &call, open, sent).apply(frame, &mut sent.to_server);
            }
        }
    }

    /// Answers the requests for the list. Those that came after a later change wait for the next list.
    fn answer_lists(&mut self, (changes, ttl): (u64, Option<Duration>), open: &mut Tables, sent: &mut Sent) {
        let (answered, later) = std::mem::take(&mut self.listings).into_iter().partition(|one| one.changes <= changes);
        self.listings = later;
        let answered: Vec<Listing> = answered;
        if !answered.is_empty() {
            let tools = self.checker.list();
            for Listing { id, protocol, bytes, .. } in answered {
                self.bytes -= bytes;
                let _ = open.asked.answer(&id);
                sent.to_client.push(match self.misnamed() {
                    Some(text) => error(&id, INTERNAL, text),
                    None => list_answer(&id, &tools, ttl.unwrap_or_default(), !protocol.is_empty()),
                });
            }
        }
        self.begin_list(open, sent);
    }

    /// Answers the requests for the list with the error of the server.
    fn fail_lists(&mut self, answer: Option<Answer<'_>>, open: &mut Tables, sent: &mut Sent) {
        for Listing { id, bytes, .. } in std::mem::take(&mut self.listings) {
            self.bytes -= bytes;
            let _ = open.asked.answer(&id);
            sent.to_client.push(match answer {
                Some(Answer::Error(reason)) => failure(&id, reason),
                _ => error(&id, INTERNAL, NOT_VALID),
            });
        }
    }

    /// Answers the requests for the list that have waited too long with an error.
    pub(super) fn expire_lists(&mut self, now: Instant, open: &mut Tables, sent: &mut Sent) {
        // The requests are in the order of their deadlines.
        while self.listings.first().is_some_and(|listing| listing.deadline <= now) {
            let Listing { id, bytes, .. } = self.listings.remove(0);
            self.bytes -= bytes;
            let _ = open.asked.answer(&id);
            sent.to_client.push(error(
                &id,
                INTERNAL,
                &format!("The server has not listed its tools within {:?}.", self.settings.list_time_limit),
            ));
        }
    }

    /// Drops a call, or a request for the list, that waits for the list.
    pub(super) fn drop_waiting(&mut self, id: &RequestId) {
        if let Some(position) = self.waiting.iter().position(|(waiting, _)| waiting == id)
            && let Some((_, frame)) = self.waiting.remove(position)
        {
            self.bytes -= frame.line().len();
        }
        if let Some(position) = self.listings.iter().position(|listing| listing.id == *id) {
            self.bytes -= self.listings.remove(position).bytes;
        }
    }

    /// Drops everything that waits for the list.
    pub(super) fn drop_all_waiting(&mut self) {
        self.bytes -= self.waiting.drain(..).map(|(_, frame)| frame.line().len()).sum::<usize>();
        self.bytes -= self.listings.drain(..).map(|listing| listing.bytes).sum::<usize>();
    }

    /// Uses a list of tools from now on.
    fn learn(&mut self, listed: Listed) {
        self.lister.learn(&listed, self.settings.clock.now());
        self.checker.learn(listed);
    }

    pub(super) fn learn_nothing(&mut self) {
        self.checker.learn_nothing();
    }
}

const NOT_VALID: &str = "The server's list of tools is not valid.";
