//! The lists of several servers as one list: [`Pages`] of one server, and [`merged`].
//!
//! Invariant: the number of pages, entries and bytes is bounded.

use serde_json::value::RawValue;

use crate::frame::{Splice, replaced};
use crate::list_cache::{Page, Paging};
use crate::members::{Members, member, parsed};
use crate::own_messages::{json_object, json_string, list_params};
use crate::router::owners::Listing;

/// The largest number of entries of one server.
const MOST_ENTRIES: usize = 10_000;

/// The entries of the pages that one server has sent.
pub(super) struct Pages {
    pub(super) entries: Vec<Entry>,
    /// `false` if the server has entries that are left out.
    pub(super) is_complete: bool,
    /// The bytes of all entries.
    pub(super) bytes: usize,
    paging: Paging,
    /// The shortest time for which a page may be used, in milliseconds; 0 if a page has none.
    ttl: u64,
    is_public: bool,
}

/// An entry of a list.
pub(super) struct Entry {
    /// The name with its prefix, the URI, the template or the id.
    pub(super) key: String,
    /// The entry as JSON text.
    pub(super) text: String,
}

impl Pages {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            is_complete: true,
            bytes: 0,
            paging: Paging::default(),
            ttl: u64::MAX,
            is_public: true,
        }
    }

    /// Adds a page. Names get the prefix of the server.
    pub(super) fn add(&mut self, listing: Listing, prefix: &str, result: &str) -> Page {
        let Some(entries) = parsed::<Vec<&RawValue>>(result, listing.terms().member) else { return Page::Invalid };
        self.ttl = self.ttl.min(parsed(result, "ttlMs").unwrap_or(0));
        self.is_public &= member(result, "cacheScope") == Some(r#""public""#);
        for entry in entries {
            if self.entries.len() == MOST_ENTRIES {
                self.is_complete = false;
                return Page::Last;
            }
            match Entry::of(listing, prefix, entry.get()) {
                Some(entry) => {
                    self.bytes += entry.text.len();
                    self.entries.push(entry);
                }
                None => self.is_complete = false,
            }
        }
        self.paging.follow(parsed(result, "nextCursor"), &mut self.is_complete)
    }
}

impl Entry {
    fn of(listing: Listing, prefix: &str, text: &str) -> Option<Self> {
        let part = member(text, listing.terms().key)?;
        let own: String = serde_json::from_str(part).ok()?;
        if prefix.is_empty() || !listing.is_named() {
            return Some(Self { key: own, text: text.to_owned() });
        }
        let key = format!("{prefix}{own}");
        let text = replaced(text, &[Splice { part, text: json_string(&key).into() }]);
        Some(Self { key, text })
    }
}

/// Returns a result with the entries of all servers. `is_modern` adds the members that results have from protocol version 2026-07-28 on: the result may
/// be used for the shortest time that a server allows, and is public only if it is public for all servers.
pub(super) fn merged<'p>(listing: Listing, is_modern: bool, all: impl Iterator<Item = &'p Pages> + Clone) -> String {
    json_object(|result| {
        if is_modern {
            result.string("resultType", "complete");
        }
        let entries = all.clone().flat_map(|pages| &pages.entries);
        result.array(listing.terms().member, entries, |writer, entry| writer.json_text(&entry.text));
        if is_modern {
            let ttl = all.clone().map(|pages| pages.ttl).min().unwrap_or(0);
            let is_public = all.clone().all(|pages| pages.is_public);
            result.json_text("ttlMs", &ttl.to_string());
            result.string("cacheScope", if is_public { "public" } else { "private" });
        }
    })
}

/// Returns the parameters of the request for the next page: a cursor, and the `_meta` of the parameters of the first request.
pub(super) fn next_params(cursor: &str, first: &str) -> String {
    let mut meta = member(first, "_meta").and_then(Members::of).unwrap_or_default();
    // A progress token may only be used for one request.
    meta.remove("progressToken");
    let meta = Some(meta.to_text()).filter(|meta| meta != "{}");
    list_params(Some(cursor), meta.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_without_the_list_is_not_a_page() {
        for result in ["{}", "[]", "1", r#"{"prompts":[]}"#, r#"{"tools":{}}"#] {
            assert!(matches!(Pages::new().add(Listing::Tools, "", result), Page::Invalid), "{result}");
        }
    }

    #[test]
    fn only_the_name_of_a_definition_changes() {
        let mut pages = Pages::new();
        let result = r#"{"tools":[{"z": 1, "name": "ab\u0063", "a": 123456789012345678901}, {"title":"x"}]}"#;
        assert!(matches!(pages.add(Listing::Tools, "files_", result), Page::Last));
        assert_eq!(pages.entries[0].key, "files_abc");
        assert_eq!(pages.entries[0].text, r#"{"z": 1, "name": "files_abc", "a": 123456789012345678901}"#);
        assert!(pages.entries.len() == 1 && !pages.is_complete, "an entry without a name is left out");
    }

    #[test]
    fn a_server_with_endless_pages_is_not_followed() {
        let mut pages = Pages::new();
        let page = |cursor: usize| format!(r#"{{"resources":[{{"uri":"a"}}],"nextCursor":"{cursor}"}}"#);
        assert!(matches!(pages.add(Listing::Resources, "", &page(0)), Page::Next(_)));
        assert!(matches!(pages.add(Listing::Resources, "", &page(0)), Page::Last));
        let mut pages = Pages::new();
        let count =
            (0..).take_while(|cursor| matches!(pages.add(Listing::Resources, "", &page(*cursor)), Page::Next(_)));
        assert_eq!(count.count(), 999);
    }

    #[test]
    fn the_shortest_time_and_the_narrowest_scope_hold_for_the_whole_list() {
        let pages = |result: &str| {
            let mut pages = Pages::new();
            pages.add(Listing::Tools, "", result);
            pages
        };
        let a = pages(r#"{"tools":[],"ttlMs":5000,"cacheScope":"public"}"#);
        let b = pages(r#"{"tools":[],"ttlMs":200,"cacheScope":"private"}"#);
        let merged = |all: &[&Pages]| merged(Listing::Tools, true, all.iter().copied());
        assert_eq!(merged(&[&a]), r#"{"resultType":"complete","tools":[],"ttlMs":5000,"cacheScope":"public"}"#);
        assert_eq!(merged(&[&a, &b]), r#"{"resultType":"complete","tools":[],"ttlMs":200,"cacheScope":"private"}"#);
        assert!(merged(&[]).contains(r#""ttlMs":0"#));
    }
}
