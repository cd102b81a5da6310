//! The pages of a server's list of tools: [`Listed`].
//!
//! Invariant: the number of pages, tools and bytes is bounded.

use std::borrow::Cow;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::frame::{object, present};

/// The largest number of pages of a list.
const MOST_PAGES: usize = 1_000;
/// The largest number of tools of a list.
const MOST_TOOLS: usize = 10_000;
/// The largest number of bytes of all definitions of a list.
const LARGEST: usize = 32 * 1_024 * 1_024;

/// The shortest time for which a list counts as valid, even if the server requests a shorter one.
const SHORTEST_TTL: Duration = Duration::from_secs(1);

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
    pages: usize,
    bytes: usize,
    /// The cursor of the next page.
    next: Option<String>,
}

/// The state of a list after a page.
pub(super) enum Page {
    /// Another page follows, with this cursor.
    Next(String),
    Last,
    /// The result is not a page of a list.
    Invalid,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content<'l> {
    #[serde(borrow)]
    tools: Vec<&'l RawValue>,
    #[serde(borrow, default)]
    next_cursor: Option<Cow<'l, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    ttl_ms: Option<&'l RawValue>,
}

#[derive(Deserialize)]
struct Params<'l> {
    #[serde(borrow, default)]
    cursor: Option<Cow<'l, str>>,
}

/// Returns the cursor in the parameters of a request.
pub(super) fn cursor(params: &str) -> Option<String> {
    object::<Params<'_>>(params)?.cursor.map(Cow::into_owned)
}

impl Listed {
    /// Begins a list.
    pub(super) fn new(changes: u64) -> Self {
        Self { definitions: Vec::new(), is_complete: true, changes, ttl: None, pages: 0, bytes: 0, next: None }
    }

    /// Returns `true` if a page with this cursor is the next one.
    pub(super) fn continues_with(&self, cursor: Option<&str>) -> bool {
        self.next.as_deref() == cursor
    }

    /// Adds the result of a request.
    pub(super) fn add(&mut self, result: &str) -> Page {
        let Some(Content { tools, next_cursor, ttl_ms }) = object(result) else { return Page::Invalid };
        self.pages += 1;
        let ttl = ttl_ms.and_then(|ttl| ttl.get().parse().ok()).map(Duration::from_millis);
        // Many servers of revision 2026-07-28 say 0 if they do not know.
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
        match next_cursor.map(Cow::into_owned) {
            None => Page::Last,
            // A server that repeats its cursor, or has pages without end, is not followed.
            Some(next) if self.next.as_ref() == Some(&next) || self.pages == MOST_PAGES => {
                self.is_complete = false;
                Page::Last
            }
            Some(next) => {
                self.next = Some(next.clone());
                Page::Next(next)
            }
        }
    }
}
