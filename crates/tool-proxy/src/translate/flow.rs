//! The frames that follow from a frame: [`Flow`], with the functions that write them.

use rmcp::model::RequestId;

use super::super::frame::Frame;
use super::super::members::Members;
use super::super::writing::{error, request, response};

/// The code of an error about a method that the other revision does not have.
pub(super) const UNKNOWN_METHOD: i32 = -32_601;
/// The code of an error about parameters.
pub(super) const INVALID_PARAMS: i32 = -32_602;
/// The code of an error about a revision.
pub(super) const UNSUPPORTED_REVISION: i32 = -32_022;

/// The revision without a handshake.
pub(super) const MODERN: &str = "2026-07-28";
/// The latest revision with a handshake.
pub(super) const LEGACY: &str = "2025-11-25";

/// The members of `_meta` in requests of revision 2026-07-28.
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
pub(super) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(super) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(super) const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
/// The information about a client that has given none.
pub(super) const UNNAMED: &str = concat!(r#"{"name":"toolbox-proxy","version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);
/// A member of `_meta` in results of that revision.
pub(super) const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// A fact for the guard of the proxy.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    /// A text for the log.
    Log(String),
    /// The server has answered a request that is not open. The client may have another open request with the same id.
    Stray,
}

/// The frames that follow from a frame, in order, and remarks for the log.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) to_client: Vec<Frame>,
    pub(crate) to_server: Vec<Frame>,
    pub(crate) remarks: Vec<Remark>,
}

impl Flow {
    /// Answers a request of the client with a result, given as JSON text.
    pub(super) fn answer(&mut self, id: &RequestId, result: &str) {
        self.to_client.push(response(id, result));
    }

    /// Answers a request of the client with an error.
    pub(super) fn refuse(&mut self, id: &RequestId, code: i32, reason: &str) {
        self.to_client.push(error(id, code, reason));
    }

    /// Sends a request to the server, with parameters as JSON text.
    pub(super) fn ask(&mut self, id: &RequestId, method: &str, params: &str) {
        self.to_server.push(request(id, method, params));
    }

    pub(super) fn remark(&mut self, remark: impl Into<String>) {
        self.remarks.push(Remark::Log(remark.into()));
    }
}

/// Parses the members of an object. Returns no members for text that is not an object.
pub(super) fn members(text: &str) -> Members<'_> {
    Members::of(text).unwrap_or_default()
}

/// Returns the members of `_meta` of parameters.
pub(super) fn meta_of<'p>(params: &'p Members<'_>) -> Members<'p> {
    params.get("_meta").map(members).unwrap_or_default()
}

/// Returns the revision that the parameters of a request name.
pub(super) fn version(params: &str) -> Option<String> {
    meta_of(&members(params)).string(VERSION)
}

/// Returns `true` if parameters have the members of `_meta` that each request of revision 2026-07-28 needs.
pub(super) fn has_complete_meta(params: &str) -> bool {
    let params = members(params);
    let meta = meta_of(&params);
    let is_object = |name| meta.get(name).is_some_and(|value| value.starts_with('{'));
    meta.string(VERSION).as_deref() == Some(MODERN) && is_object(CLIENT) && is_object(CAPABILITIES)
}

/// Returns parameters that only consist of the `_meta` of others, with the members that each request of revision 2026-07-28 needs.
pub(super) fn complete_meta(params: &str) -> String {
    let params = members(params);
    let mut meta = meta_of(&params);
    for (name, default) in [(CLIENT, UNNAMED), (CAPABILITIES, "{}")] {
        if meta.get(name).is_none_or(|value| !value.starts_with('{')) {
            meta.set(name, default);
        }
    }
    format!(r#"{{"_meta":{}}}"#, meta.to_text())
}

/// Returns the code of an error.
pub(super) fn code(error: &str) -> Option<i32> {
    members(error).get("code").and_then(|code| code.parse().ok())
}
