//! The handshake of the client, which is repeated for a restarted server, and decides which of several servers can be used: [`Handshake`].

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
    /// The parameters of `initialize` as JSON text; `None` before it, and in protocol version 2026-07-28.
    params: Option<String>,
    /// The revision in the answer of the server; of several servers, the oldest one. `None` before it.
    pub(super) version: Option<String>,
    /// `true` if the client gets reports of changes of the list of tools.
    announces_tools: bool,
    /// The client's notification after the answer.
    pub(super) initialized: Option<Frame>,
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
        *self = Self { params: Some(params.to_owned()), ..Self::default() };
    }

    /// Notes the answer of the server. `announces_tools` is `true` if the proxy reports changes of the list of tools too.
    pub(super) fn agree(&mut self, answer: Answer<'_>, announces_tools: bool) {
        self.version = version_of(answer);
        let is_announced = |tools| member(tools, "listChanged") == Some("true");
        self.announces_tools = announces_tools || tools_of(answer).is_some_and(is_announced);
    }

    /// Notes that the client has sent `notifications/initialized`.
    pub(super) fn end(&mut self, initialized: &Frame) {
        self.initialized = self.params.as_ref().map(|_| initialized.clone());
    }

    /// Returns the client's `initialize` for a restarted server; `None` before its answer. One of several servers gets it too if the others have not
    /// answered yet.
    pub(super) fn repeat(&self, is_group: bool) -> Option<Frame> {
        let params = self.params.as_ref().filter(|_| is_group || self.version.is_some())?;
        Some(request(&repeated_id(), "initialize", params))
    }

    /// Returns the reason why one of several servers cannot be used with the revision in its answer. Until 2025-11-25, each revision only adds to the one
    /// before, so a server may speak a newer revision than the client.
    pub(super) fn rejection(&self, version: &str) -> Option<String> {
        let requested: Option<String> = self.params.as_ref().and_then(|params| parsed(params, "protocolVersion"));
        let requested = requested.unwrap_or_default();
        if version.is_empty() || *version > *requested {
            return Some(format!("it speaks protocol version \"{version}\", and the client asked for \"{requested}\""));
        }
        let agreed = self.version.as_ref().filter(|agreed| *version < ***agreed)?;
        Some(format!("it speaks protocol version \"{version}\", and the client already uses \"{agreed}\""))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_must_speak_a_revision_between_the_agreed_and_the_requested_one() {
        let mut handshake = Handshake::default();
        handshake.begin(r#"{"protocolVersion":"2025-06-18"}"#);
        let rejected = |handshake: &Handshake, version| handshake.rejection(version).is_some();
        assert!(rejected(&handshake, "2025-11-25") && rejected(&handshake, "") && !rejected(&handshake, "2024-11-05"));
        handshake.version = Some("2025-03-26".to_owned());
        assert!(
            rejected(&handshake, "2024-11-05")
                && !rejected(&handshake, "2025-03-26")
                && !rejected(&handshake, "2025-06-18")
        );
    }
}
