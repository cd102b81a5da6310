//! The parts of a message that its transport needs, as slices of its line: [`Parts`].

use std::borrow::Cow;

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::message::object;

/// The largest number of bytes of a progress token. Tokens are kept until their requests are answered.
const LONGEST_TOKEN: usize = 1_024;

/// The parts of a message.
#[derive(Default)]
pub(super) struct Parts<'l> {
    /// The id as JSON text.
    pub(super) id: Option<&'l str>,
    pub(super) method: Option<Cow<'l, str>>,
    pub(super) params: Params<'l>,
    /// The `_meta` of the parameters.
    pub(super) meta: Meta<'l>,
}

#[derive(Deserialize)]
struct Members<'l> {
    #[serde(borrow)]
    id: Option<&'l RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'l, str>>,
    #[serde(borrow)]
    params: Option<&'l RawValue>,
}

/// Parameters of requests and notifications.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Params<'l> {
    #[serde(borrow)]
    pub(super) name: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(super) uri: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(super) task_id: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'l RawValue>,
    /// The token of a report of progress.
    #[serde(borrow)]
    pub(super) progress_token: Option<&'l RawValue>,
    /// The request that a notification cancels.
    #[serde(borrow)]
    pub(super) request_id: Option<&'l RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'l RawValue>,
}

/// Members of `_meta`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meta<'l> {
    /// The token under which a request wants reports of its progress.
    #[serde(borrow)]
    pub(super) progress_token: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    pub(super) client: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(super) capabilities: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/logLevel")]
    pub(super) log_level: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/subscriptionId")]
    pub(super) subscription: Option<&'l RawValue>,
}

impl<'l> Parts<'l> {
    /// Parses the parts of a line that is a message. Parts of another form than expected are left out.
    pub(super) fn of(line: &'l str) -> Self {
        let text = line.strip_prefix('\u{feff}').unwrap_or(line).trim_ascii_start();
        let Some(Members { id, method, params }) = object(text) else { return Self::default() };
        let params: Params<'l> = params.and_then(|params| object(params.get())).unwrap_or_default();
        let mut meta: Meta<'l> = params.meta.and_then(|meta| object(meta.get())).unwrap_or_default();
        meta.progress_token = meta.progress_token.filter(|token| token.get().len() <= LONGEST_TOKEN);
        Self { id: id.map(RawValue::get), method, params, meta }
    }
}

/// Returns the `_meta` of a result, given as JSON text.
pub(super) fn meta_of(result: &str) -> Meta<'_> {
    #[derive(Deserialize)]
    struct Result<'l> {
        #[serde(borrow, rename = "_meta")]
        meta: Option<&'l RawValue>,
    }
    object::<Result<'_>>(result).and_then(|result| object(result.meta?.get())).unwrap_or_default()
}

/// Parses an id or a token, both of which are numbers or texts.
pub(super) fn key(part: &RawValue) -> Option<RequestId> {
    serde_json::from_str(part.get()).ok()
}

/// Parses a text.
pub(super) fn text(part: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(part?.get()).ok()
}
