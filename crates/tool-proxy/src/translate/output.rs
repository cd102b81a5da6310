//! The frames that follow from a frame, [`Translated`], the messages of the client that wait until the revision of the server is known, [`Backlog`], and the
//! requests whose answers may still come after their cancellation: [`Cancelled`].
//!
//! Invariant: the number of messages that wait, of their bytes, and of cancelled requests is bounded.

use std::collections::VecDeque;

use rmcp::model::RequestId;

use crate::frame::{Frame, Message};
use crate::members::{CAPABILITIES, CLIENT, Members, VERSION, member, parsed};
use crate::own_messages::{INTERNAL, error, response};

/// The code of an error about a revision.
pub(super) const UNSUPPORTED_REVISION: i32 = -32_022;

/// The requests whose answer shows the revision of the server, and which change nothing at a server that needs a handshake.
pub(super) const LISTS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

/// The revision without a handshake.
pub(super) const MODERN: &str = "2026-07-28";
/// The latest revision with a handshake.
pub(super) const LEGACY: &str = "2025-11-25";

/// The information about a client that has given none.
pub(super) const UNNAMED: &str = concat!(r#"{"name":"toolbox-proxy","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);
/// The frames that follow from a frame, in order, and remarks for the log.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Translated {
    pub(crate) to_client: Vec<Frame>,
    pub(crate) to_server: Vec<Frame>,
    pub(crate) remarks: Vec<String>,
    /// The answers of the server to requests that are not open. The client may have another open request with the same id.
    pub(crate) stray_answers: u64,
}

impl Translated {
    /// Answers a request of the client with a result, given as JSON text.
    pub(super) fn answer(&mut self, id: &RequestId, result: &str) {
        self.to_client.push(response(id, result));
    }

    /// Answers a request of the client with an error.
    pub(super) fn reject(&mut self, id: &RequestId, code: i32, reason: &str) {
        self.to_client.push(error(id, code, reason));
    }
}

/// Parses the members of an object. Returns no members for text that is not an object.
pub(super) fn members(text: &str) -> Members<'_> {
    Members::of(text).unwrap_or_default()
}

/// Returns the revision that the parameters of a request name.
pub(super) fn version(params: &str) -> Option<String> {
    parsed(member(params, "_meta")?, VERSION)
}

/// Returns `true` if parameters have the members of `_meta` that each request of protocol version 2026-07-28 needs.
pub(super) fn has_complete_meta(params: &str) -> bool {
    let meta = member(params, "_meta").unwrap_or_default();
    let is_object = |name| member(meta, name).is_some_and(|value| value.starts_with('{'));
    version(params).as_deref() == Some(MODERN) && is_object(CLIENT) && is_object(CAPABILITIES)
}

/// Returns parameters that only consist of the `_meta` of others, with the members that each request of protocol version 2026-07-28 needs.
pub(super) fn complete_meta(params: &str) -> String {
    let mut meta = members(member(params, "_meta").unwrap_or_default());
    for (name, default) in [(CLIENT, UNNAMED), (CAPABILITIES, "{}")] {
        if meta.get(name).is_none_or(|value| !value.starts_with('{')) {
            meta.set(name, default);
        }
    }
    format!(r#"{{"_meta":{}}}"#, meta.to_text())
}

/// The maximum number of cancelled requests that are remembered, because their answers may still come.
const MOST_CANCELLED: usize = 1_000;

/// The ids at the server of the latest cancelled requests, the oldest first.
#[derive(Default)]
pub(super) struct Cancelled(VecDeque<RequestId>);

impl Cancelled {
    /// Adds a request. Returns the one that is not remembered any more.
    pub(super) fn add(&mut self, id: RequestId) -> Option<RequestId> {
        self.0.push_back(id);
        if self.0.len() > MOST_CANCELLED { self.0.pop_front() } else { None }
    }
}

/// The maximum number of messages that wait.
const MOST: usize = 1_000;
/// The maximum number of bytes of all messages that wait.
const MOST_BYTES: usize = 32 * 1_024 * 1_024;

#[derive(Default)]
pub(super) struct Backlog {
    /// The messages in their order.
    pub(super) frames: Vec<Frame>,
    bytes: usize,
}

impl Backlog {
    /// Lets a message wait. A request is answered with an error if too many wait.
    pub(super) fn hold(&mut self, frame: Frame, out: &mut Translated) {
        let bytes = self.bytes + frame.line().len();
        if self.frames.len() < MOST && bytes <= MOST_BYTES {
            self.bytes = bytes;
            self.frames.push(frame);
        } else if let Message::Request { id, .. } = frame.message() {
            out.reject(&id, INTERNAL, "Too many requests wait for the handshake with the server.");
        }
    }

    /// Removes the request with this id, which the client has cancelled. Returns `true` if it waited.
    pub(super) fn cancel(&mut self, id: &RequestId) -> bool {
        let is_other = |frame: &Frame| !matches!(frame.message(), Message::Request { id: own, .. } if own == *id);
        let before = self.frames.len();
        self.frames.retain(is_other);
        self.bytes = self.frames.iter().map(|frame| frame.line().len()).sum();
        self.frames.len() < before
    }
}
