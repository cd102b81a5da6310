//! The handshake of the proxy with a server of an earlier revision, and the members by which requests and results of the revisions differ.

use std::borrow::Cow;

use super::super::members::Members;
use super::super::writing::json_object;
use super::flow::{CAPABILITIES, CLIENT, LEGACY, MODERN, SERVER, UNNAMED, members, meta_of};
use crate::private::bounded;

/// The information of the server about itself.
pub(super) struct Hello {
    pub(super) revision: String,
    pub(super) capabilities: String,
    /// The answer to `server/discover`.
    pub(super) discovered: String,
}

impl Hello {
    /// Parses the answer to `initialize`.
    pub(super) fn of(result: &str) -> Self {
        let hello = members(result);
        let mut capabilities = hello.get("capabilities").map(members).unwrap_or_default();
        capabilities.remove("tasks");
        let capabilities = capabilities.to_text();
        let discovered = json_object(|result| {
            result.string("resultType", "complete");
            result.written("supportedVersions", &format!(r#"["{MODERN}"]"#));
            result.written("capabilities", &capabilities);
            if let Some(instructions) = hello.get("instructions") {
                result.written("instructions", instructions);
            }
            result.written("ttlMs", "0");
            result.string("cacheScope", "private");
            if let Some(info) = hello.get("serverInfo") {
                result.object("_meta", |meta| meta.written(SERVER, info));
            }
        });
        let revision = hello.string("protocolVersion").unwrap_or_default();
        Self { revision: bounded::name(&revision).into_owned(), capabilities, discovered }
    }
}

/// Returns the parameters of `initialize` for a client whose first request has these parameters, and the capabilities of the client.
pub(super) fn initialize(first: &str) -> (String, String) {
    let params = members(first);
    let meta = meta_of(&params);
    let mut capabilities = meta.get(CAPABILITIES).map(members).unwrap_or_default();
    capabilities.remove("extensions");
    capabilities.remove("tasks");
    let capabilities = capabilities.to_text();
    let hello = json_object(|params| {
        params.string("protocolVersion", LEGACY);
        params.written("capabilities", &capabilities);
        params.written("clientInfo", meta.get(CLIENT).unwrap_or(UNNAMED));
    });
    (hello, capabilities)
}

/// Removes `_meta` from parameters, and returns its members.
pub(super) fn take_meta<'p>(params: &mut Members<'p>) -> Members<'p> {
    match params.remove("_meta") {
        Some(Cow::Borrowed(meta)) => members(meta),
        _ => Members::default(),
    }
}

/// Adds the members that revision 2026-07-28 requires to a result.
pub(super) fn completed(result: &str, is_cached: bool) -> String {
    let mut result = members(result);
    // A member of this name means something else in an earlier revision.
    result.set("resultType", r#""complete""#);
    if is_cached {
        for (name, value) in [("ttlMs", "0"), ("cacheScope", r#""private""#)] {
            if result.get(name).is_none() {
                result.set(name, value);
            }
        }
    }
    result.to_text()
}
