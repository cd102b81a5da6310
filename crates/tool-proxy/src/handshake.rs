//! The handshake between the client and the server, which is repeated for a restarted server: [`Handshake`].

use std::borrow::Cow;
use std::time::Duration;

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::fate::Sent;
use super::frame::{Answer, Frame, Splice, object, present};
use super::writing::{notification, request};

/// The time that a server has for the handshake.
pub(super) const INITIALIZING: Duration = Duration::from_secs(30);

/// Returns the notification that the list of tools has changed.
pub(super) fn changed() -> Frame {
    notification("notifications/tools/list_changed", "")
}

/// The client's handshake, as it was sent and answered.
#[derive(Default)]
pub(super) struct Handshake {
    /// The parameters of `initialize` as JSON text.
    params: String,
    /// The answer of the first server; `None` before it.
    agreed: Option<Agreed>,
    /// The client's notification after the answer.
    initialized: Option<Frame>,
    /// The result of the repetition: `true` if the server has agreed to the same revision.
    repeated: Option<bool>,
}

struct Agreed {
    version: String,
    announces_tools: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InitializeResult<'l> {
    #[serde(borrow)]
    protocol_version: Cow<'l, str>,
    #[serde(default)]
    capabilities: Capabilities,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Capabilities {
    tools: Option<Tools>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Tools {
    list_changed: bool,
}

impl Agreed {
    fn of(answer: Answer<'_>) -> Option<Self> {
        let Answer::Result(result) = answer else { return None };
        let InitializeResult { protocol_version, capabilities } = object(result)?;
        let announces_tools = capabilities.tools.unwrap_or_default().list_changed;
        Some(Self { version: protocol_version.into_owned(), announces_tools })
    }
}

impl Handshake {
    /// Notes that the client has sent `initialize`.
    pub(super) fn begin(&mut self, params: &str) {
        *self = Self { params: params.to_owned(), ..Self::default() };
    }

    /// Notes the answer of the server. `announces_tools` is `true` if the proxy reports changes of the list of tools too.
    pub(super) fn agree(&mut self, answer: Answer<'_>, announces_tools: bool) {
        self.agreed = Agreed::of(answer);
        if let Some(agreed) = &mut self.agreed {
            agreed.announces_tools |= announces_tools;
        }
    }

    /// Notes that the client has sent `notifications/initialized`.
    pub(super) fn end(&mut self, initialized: &Frame) {
        self.initialized = Some(initialized.clone());
    }

    /// Returns the client's `initialize` for a restarted server; `None` if no server has answered it, as in revision 2026-07-28.
    pub(super) fn repeat(&mut self, id: &RequestId) -> Option<Frame> {
        self.repeated = None;
        self.agreed.as_ref().map(|_| request(id, "initialize", &self.params))
    }

    /// Notes the answer of a restarted server; `None` if it cannot be used.
    pub(super) fn agree_again(&mut self, answer: Option<Answer<'_>>) {
        let version = answer.and_then(Agreed::of).map(|agreed| agreed.version);
        self.repeated = Some(version.is_some() && version == self.agreed.as_ref().map(|agreed| agreed.version.clone()));
    }

    /// Returns `true` if a restarted server has agreed to the revision of the first one, and `None` if it has not answered.
    pub(super) fn repeated(&self) -> Option<bool> {
        self.repeated
    }

    /// Sends the messages with which the use of a restarted server begins. Its tools may be other ones.
    pub(super) fn begin_use(&self, sent: &mut Sent) {
        let announces = self.initialized.is_some() && self.agreed.as_ref().is_some_and(|agreed| agreed.announces_tools);
        sent.to_client.extend(announces.then(changed));
        sent.to_server.extend(self.initialized.clone());
    }
}

#[derive(Deserialize)]
struct RawResult<'l> {
    #[serde(borrow)]
    capabilities: &'l RawValue,
}

#[derive(Deserialize)]
struct RawCapabilities<'l> {
    #[serde(borrow)]
    tools: &'l RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawTools<'l> {
    #[serde(borrow, default, deserialize_with = "present")]
    list_changed: Option<&'l RawValue>,
}

/// Returns a server's answer to `initialize` with the capability to report changes of the list of tools. `None` if the server
/// has the capability already, or has no tools.
pub(super) fn announcing(frame: &Frame, answer: Answer<'_>) -> Option<Frame> {
    let Answer::Result(result) = answer else { return None };
    let RawResult { capabilities } = object(result)?;
    let RawCapabilities { tools } = object(capabilities.get())?;
    let tools = tools.get();
    let splice = match object::<RawTools<'_>>(tools)?.list_changed.map(RawValue::get) {
        Some("true") => return None,
        Some(other) => Splice { part: other, text: "true".into() },
        None => {
            let comma = if tools[1..].trim_ascii_start().starts_with('}') { "" } else { "," };
            Splice { part: &tools[..1], text: format!(r#"{{"listChanged":true{comma}"#).into() }
        }
    };
    Some(frame.with(vec![splice]))
}
