//! The handshake between the client and the server, which is repeated for a restarted server: [`Handshake`].

use std::time::Duration;

use rmcp::model::RequestId;

use crate::action::Output;
use crate::frame::{Answer, Frame};
use crate::members::{member, parsed};
use crate::own_messages::{notification, request};

/// The time that a server has for the handshake.
pub(super) const INITIALIZING: Duration = Duration::from_secs(30);

/// Returns the id of the repeated handshake. A restarted server has no other request before it has answered.
pub(super) fn repeated_id() -> RequestId {
    RequestId::String("toolbox-proxy-handshake".into())
}

/// Returns the notification that the list of tools has changed.
pub(super) fn changed() -> Frame {
    notification("notifications/tools/list_changed", "")
}

/// The client's handshake, as it was sent and answered.
#[derive(Default)]
pub(super) struct Handshake {
    /// The parameters of `initialize` as JSON text.
    params: String,
    /// The revision in the answer of the first server; `None` before it.
    version: Option<String>,
    /// `true` if the client gets reports of changes of the list of tools.
    announces_tools: bool,
    /// The client's notification after the answer.
    initialized: Option<Frame>,
}

/// Returns the revision in an answer to `initialize`.
fn version_of(answer: Answer<'_>) -> Option<String> {
    let Answer::Result(result) = answer else { return None };
    parsed(result, "protocolVersion")
}

/// Returns the capability to offer tools in an answer to `initialize`, as JSON text.
fn tools_of(answer: Answer<'_>) -> Option<&str> {
    let Answer::Result(result) = answer else { return None };
    member(member(result, "capabilities")?, "tools").filter(|tools| tools.starts_with('{'))
}

impl Handshake {
    /// Notes that the client has sent `initialize`.
    pub(super) fn begin(&mut self, params: &str) {
        *self = Self { params: params.to_owned(), ..Self::default() };
    }

    /// Notes the answer of the server. `announces_tools` is `true` if the proxy reports changes of the list of tools too.
    pub(super) fn agree(&mut self, answer: Answer<'_>, announces_tools: bool) {
        self.version = version_of(answer);
        let is_announced = |tools| member(tools, "listChanged") == Some("true");
        self.announces_tools = announces_tools || tools_of(answer).is_some_and(is_announced);
    }

    /// Notes that the client has sent `notifications/initialized`.
    pub(super) fn end(&mut self, initialized: &Frame) {
        self.initialized = Some(initialized.clone());
    }

    /// Returns the client's `initialize` for a restarted server; `None` before it, as in protocol version 2026-07-28. One of several servers gets it too if the
    /// others have not answered yet.
    pub(super) fn repeat(&self, is_group: bool) -> Option<Frame> {
        let is_begun = if is_group { !self.params.is_empty() } else { self.version.is_some() };
        is_begun.then(|| request(&repeated_id(), "initialize", &self.params))
    }

    /// Returns `true` if the answer of a restarted server has the revision of the first one.
    pub(super) fn accepts(&self, answer: Answer<'_>) -> bool {
        let version = version_of(answer);
        version.is_some() && version == self.version
    }

    /// Sends the messages with which the use of a restarted server begins. Its tools may be other ones.
    pub(super) fn begin_use(&self, out: &mut Output) {
        out.to_client.extend(self.announcement());
        out.to_server.extend(self.initialized.clone());
    }

    /// Returns the notification that the list of tools has changed, if the client expects it.
    pub(super) fn announcement(&self) -> Option<Frame> {
        let announces = self.initialized.is_some() && self.version.is_some() && self.announces_tools;
        announces.then(changed)
    }
}

/// Returns a server's answer to `initialize` with the capability to report changes of the list of tools. `None` if the server
/// has the capability already, or has no tools.
pub(super) fn announcing(frame: &Frame, answer: Answer<'_>) -> Option<Frame> {
    let tools = tools_of(answer)?;
    match member(tools, "listChanged") {
        Some("true") => None,
        Some(other) => Some(frame.with_part(other, "true")),
        None => {
            let comma = if tools[1..].trim_ascii_start().starts_with('}') { "" } else { "," };
            Some(frame.with_part(&tools[..1], &format!(r#"{{"listChanged":true{comma}"#)))
        }
    }
}
