//! The state of the list of tools: [`Lister`].
//!
//! The list is learned from the pages that the client requests, or, if a call needs it before, from pages that the proxy requests.
//!
//! Invariant: a list that was requested before the server reported a change is only used for calls that already wait for it.

use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;

use super::frame::Answer;
use super::listed::{Listed, Page};

/// Collects the pages of the list of tools.
#[derive(Default)]
pub(super) struct Lister {
    /// The counter of changes that the server has reported.
    changes: u64,
    /// The list in use: the counter when it was requested, and the time at which the list expires.
    used: Option<(u64, Option<Duration>)>,
    /// The pages that the client has requested.
    seen: Option<Listed>,
    /// The pages that the proxy is requesting.
    own: Option<Own>,
}

struct Own {
    listed: Listed,
    /// The members of `_meta` for each request.
    protocol: Vec<(String, String)>,
    /// The time until which calls wait for the list.
    deadline: Instant,
    is_late: bool,
}

/// A request of the client for the list that the proxy answers itself.
pub(super) struct Listing {
    pub(super) id: RequestId,
    /// The number of changes that the server had reported.
    pub(super) changes: u64,
    /// The members of `_meta` that each request of revision 2026-07-28 has.
    pub(super) protocol: Vec<(String, String)>,
    /// The number of bytes of the request.
    pub(super) bytes: usize,
    /// The time until which the request waits for the list.
    pub(super) deadline: Instant,
}

/// The state of the list that the proxy is requesting.
pub(super) enum Step {
    /// The next page has this cursor.
    Next(String),
    /// The list has ended. `None` if the server did not answer with a list.
    End(Option<Listed>),
}

impl Lister {
    /// Notes that the server has reported a change.
    pub(super) fn change(&mut self) {
        self.changes += 1;
    }

    /// Forgets everything about the list, because its server has ended.
    pub(super) fn forget(&mut self) {
        *self = Self { changes: self.changes + 1, ..Self::default() };
    }

    /// Returns the number of changes so far.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns `true` if the list is known and valid.
    pub(super) fn is_valid(&self, now: Duration) -> bool {
        self.used.is_some_and(|(changes, expires_at)| {
            changes == self.changes && expires_at.is_none_or(|expires_at| now < expires_at)
        })
    }

    /// Notes that a list is used from now on.
    pub(super) fn learn(&mut self, listed: &Listed, now: Duration) {
        self.used = Some((listed.changes, listed.ttl.map(|ttl| now.saturating_add(ttl))));
    }

    /// Adds a page that the client has requested after so many changes. Returns the list after its last page.
    pub(super) fn see(&mut self, cursor: Option<&str>, changes: u64, answer: Answer<'_>) -> Option<Listed> {
        let Answer::Result(result) = answer else { return None };
        let mut seen = match (self.seen.take(), cursor) {
            (_, None) => Listed::new(changes),
            (Some(seen), Some(_)) if seen.continues_with(cursor) && seen.changes == changes => seen,
            // The client requests pages in another order, so its list is not complete.
            _ => return None,
        };
        match seen.add(result) {
            Page::Next(_) => self.seen = Some(seen),
            Page::Last => return Some(seen),
            Page::Invalid => {}
        }
        None
    }

    /// Begins to request the list, unless that has begun already. Returns `true` if the first page has to be requested.
    pub(super) fn begin(
        &mut self,
        protocol: impl FnOnce() -> Vec<(String, String)>,
        deadline: impl FnOnce() -> Instant,
    ) -> bool {
        let is_new = self.own.is_none();
        if is_new {
            let (listed, protocol, deadline) = (Listed::new(self.changes), protocol(), deadline());
            self.own = Some(Own { listed, protocol, deadline, is_late: false });
        }
        is_new
    }

    /// Returns the time until which calls wait for the list.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.own.as_ref().filter(|own| !own.is_late).map(|own| own.deadline)
    }

    /// Returns `true` if the list has not come in time, and calls no longer wait for it.
    pub(super) fn is_late(&self) -> bool {
        self.own.as_ref().is_some_and(|own| own.is_late)
    }

    /// Marks the list as late after its deadline. Returns `true` if it has become late now.
    pub(super) fn expire(&mut self, now: Instant) -> bool {
        let expired = self.own.as_mut().filter(|own| !own.is_late && own.deadline <= now);
        expired.map(|own| own.is_late = true).is_some()
    }

    /// Returns the members of `_meta` for a request of a page.
    pub(super) fn protocol(&self) -> &[(String, String)] {
        self.own.as_ref().map_or(&[], |own| &own.protocol)
    }

    /// Adds a page that the proxy has requested. Without an answer, the list ends.
    pub(super) fn continue_with(&mut self, answer: Option<Answer<'_>>) -> Step {
        let (Some(mut own), Some(Answer::Result(result))) = (self.own.take(), answer) else { return Step::End(None) };
        match own.listed.add(result) {
            Page::Next(cursor) => {
                self.own = Some(own);
                Step::Next(cursor)
            }
            Page::Last => Step::End(Some(own.listed)),
            Page::Invalid => Step::End(None),
        }
    }
}
