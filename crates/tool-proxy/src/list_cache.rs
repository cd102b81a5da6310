//! The list of tools of a server, as its pages arrive: [`ListCache`], and a page as the client may see it: [`visible`].
//!
//! The list is learned from the pages that the client requests, or, if a call needs it before, from pages that the proxy requests.
//!
//! Invariants: the number of pages, tools and bytes is bounded; a list that was requested before the server reported a change is only used for
//! calls that already wait for it; only the member `tools` of a page changes for the client.

use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::Instant;
use tool_runtime::clock::Clock;

use crate::access::annotations_of;
use crate::frame::{Answer, Frame};
use crate::members::{has, member, parsed};
use crate::settings::Settings;

/// The largest number of pages of a list.
const MOST_PAGES: usize = 1_000;
/// The largest number of tools of a list.
const MOST_TOOLS: usize = 10_000;
/// The largest number of bytes of all definitions of a list.
const LARGEST: usize = 32 * 1_024 * 1_024;

/// The shortest time for which a list counts as valid, even if the server requests a shorter one.
const SHORTEST_TTL: Duration = Duration::from_secs(1);

/// Collects the pages of the list of tools.
#[derive(Default)]
pub(super) struct ListCache {
    /// The counter of changes that the server has reported.
    pub(super) changes: u64,
    /// The list in use: the counter when it was requested, and the time at which the list expires.
    used: Option<(u64, Option<Duration>)>,
    /// The pages that the client has requested.
    seen: Option<Listed>,
    /// The pages that the proxy is requesting.
    own: Option<Own>,
}

struct Own {
    listed: Listed,
    /// The `_meta` of each request, as JSON text.
    protocol: Option<String>,
    /// The time until which calls wait for the list.
    deadline: Instant,
    is_late: bool,
}

/// The state of the list that the proxy is requesting.
pub(super) enum ListStep {
    /// The next page has this cursor.
    Next(String),
    /// The list has ended. `None` if the server did not answer with a list.
    End(Option<Listed>),
}

/// The definitions of the pages that were received so far.
pub(super) struct Listed {
    /// The definitions as JSON text, in the order of the server.
    pub(super) definitions: Vec<Box<str>>,
    /// `false` if the server has tools that are not in `definitions`.
    pub(super) is_complete: bool,
    /// The counter of changes when the first page was requested.
    pub(super) changes: u64,
    /// The time for which the list is valid. `None` if the server did not say.
    pub(super) ttl: Option<Duration>,
    bytes: usize,
    paging: Paging,
}

/// The state of a list after a page.
pub(super) enum Page {
    /// Another page follows, with this cursor.
    Next(String),
    Last,
    /// The result is not a page of a list.
    Invalid,
}

/// The pages of a list that were received so far.
#[derive(Default)]
pub(super) struct Paging {
    count: usize,
    /// The cursor of the next page.
    next: Option<String>,
}

impl Paging {
    /// Counts a page with the cursor of the next one. A server that repeats its cursor, or has pages without end, is not followed; then the
    /// list is marked as incomplete.
    pub(super) fn follow(&mut self, next: Option<String>, is_complete: &mut bool) -> Page {
        self.count += 1;
        let is_followed = next != self.next && self.count < MOST_PAGES;
        let Some(cursor) = next else { return Page::Last };
        *is_complete &= is_followed;
        self.next = Some(cursor.clone());
        if is_followed { Page::Next(cursor) } else { Page::Last }
    }
}

impl Listed {
    fn new(changes: u64) -> Self {
        Self { definitions: Vec::new(), is_complete: true, changes, ttl: None, bytes: 0, paging: Paging::default() }
    }

    /// Adds the result of a request.
    fn add(&mut self, result: &str) -> Page {
        let Some(tools) = parsed::<Vec<&RawValue>>(result, "tools") else { return Page::Invalid };
        let next = member(result, "nextCursor").map_or(Ok(None), serde_json::from_str::<Option<String>>);
        let Ok(next) = next else { return Page::Invalid };
        let ttl = parsed(result, "ttlMs").map(Duration::from_millis);
        // Many servers of protocol version 2026-07-28 say 0 if they do not know.
        let ttl = ttl.filter(|ttl| !ttl.is_zero()).map(|ttl| ttl.max(SHORTEST_TTL));
        self.ttl = self.ttl.into_iter().chain(ttl).min();
        for tool in tools {
            let tool = tool.get();
            if self.definitions.len() == MOST_TOOLS || self.bytes + tool.len() > LARGEST {
                self.is_complete = false;
                return Page::Last;
            }
            self.bytes += tool.len();
            self.definitions.push(tool.into());
        }
        self.paging.follow(next, &mut self.is_complete)
    }
}

impl ListCache {
    /// Forgets everything about the list, because its server has ended.
    pub(super) fn forget(&mut self) {
        *self = Self { changes: self.changes + 1, ..Self::default() };
    }

    /// Returns `true` if the list is known and valid.
    pub(super) fn is_valid(&self, clock: &dyn Clock) -> bool {
        self.used.is_some_and(|(changes, expires_at)| {
            changes == self.changes && expires_at.is_none_or(|expires_at| clock.now() < expires_at)
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
            (Some(seen), Some(_)) if seen.paging.next.as_deref() == cursor && seen.changes == changes => seen,
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

    /// Begins to request the list, with these members of `_meta`. Returns `false` if that has begun already.
    pub(super) fn begin(&mut self, protocol: Option<String>, deadline: Instant) -> bool {
        let is_new = self.own.is_none();
        if is_new {
            self.own = Some(Own { listed: Listed::new(self.changes), protocol, deadline, is_late: false });
        }
        is_new
    }

    /// Returns the time until which calls wait for the list.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.own.as_ref().filter(|own| !own.is_late).map(|own| own.deadline)
    }

    /// Returns `true` while calls wait for the list.
    #[cfg(feature = "http")]
    pub(super) fn is_awaited(&self) -> bool {
        self.deadline().is_some()
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

    /// Returns the `_meta` for the request of a page.
    pub(super) fn protocol(&self) -> Option<&str> {
        self.own.as_ref()?.protocol.as_deref()
    }

    /// Adds a page that the proxy has requested. With an error, the list ends.
    pub(super) fn continue_with(&mut self, answer: Answer<'_>) -> ListStep {
        let (Some(mut own), Answer::Result(result)) = (self.own.take(), answer) else { return ListStep::End(None) };
        match own.listed.add(result) {
            Page::Next(cursor) => {
                self.own = Some(own);
                ListStep::Next(cursor)
            }
            Page::Last => ListStep::End(Some(own.listed)),
            Page::Invalid => ListStep::End(None),
        }
    }
}

/// A page as the client may see it, and the names of the hidden tools.
#[derive(Debug, PartialEq)]
pub(super) struct Visible(pub(super) Frame, pub(super) Vec<String>);

/// Removes the tools that are not allowed from a page, and adds definitions to the end of the last page. Returns `None` if nothing changes. Fails if
/// the result is not a list of tools, but some are not allowed.
pub(super) fn visible(
    settings: &Settings,
    added: &[String],
    frame: &Frame,
    answer: Answer<'_>,
) -> Result<Option<Visible>, NotAList> {
    let Answer::Result(result) = answer else { return Ok(None) };
    let is_open = settings.shows_all();
    if is_open && added.is_empty() {
        return Ok(None);
    }
    let unreadable = if is_open { Ok(None) } else { Err(NotAList) };
    let Some(tools) = member(result, "tools") else { return unreadable };
    let Ok(definitions) = serde_json::from_str::<Vec<&RawValue>>(tools) else { return unreadable };
    let (mut shown, hidden): (Vec<&str>, Vec<&str>) =
        definitions.iter().map(|definition| definition.get()).partition(|text| is_open || allows(settings, text));
    let added = if has(result, "nextCursor") { &[] } else { added };
    if hidden.is_empty() && added.is_empty() {
        return Ok(None);
    }
    shown.extend(added.iter().map(String::as_str));
    let text = format!("[{}]", shown.join(","));
    let hidden = hidden.into_iter().filter_map(|definition| parsed(definition, "name")).collect();
    Ok(Some(Visible(frame.with_part(tools, &text), hidden)))
}

/// The result is not a list of tools.
#[derive(Debug, PartialEq)]
pub(super) struct NotAList;

fn allows(settings: &Settings, definition: &str) -> bool {
    let allows = |name: String| settings.access.allows(&name, annotations_of(definition));
    !settings.withholds(definition) && parsed(definition, "name").is_some_and(allows)
}
