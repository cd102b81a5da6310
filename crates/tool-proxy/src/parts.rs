//! The parts of parameters and results that are inspected or changed, as slices of their frame: [`Params`], [`Meta`].

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::frame::{object, present};

/// The largest number of bytes of a progress token. Tokens are kept until their requests are answered.
const LONGEST_TOKEN: usize = 1_024;

/// Members of the parameters of requests and notifications, as JSON text.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Params<'l> {
    #[serde(borrow)]
    pub(super) name: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(super) uri: Option<&'l RawValue>,
    /// The prompt or resource whose argument is completed.
    #[serde(borrow)]
    pub(super) r#ref: Option<&'l RawValue>,
    #[serde(borrow)]
    pub(super) task_id: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(super) arguments: Option<&'l RawValue>,
    /// The token of a report of progress.
    #[serde(borrow)]
    pub(super) progress_token: Option<&'l RawValue>,
    /// The request that a notification cancels.
    #[serde(borrow)]
    pub(super) request_id: Option<&'l RawValue>,
    #[serde(borrow, rename = "_meta")]
    pub(super) meta: Option<&'l RawValue>,
}

/// Members of the `_meta` of parameters and results, as JSON text.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meta<'l> {
    /// The token under which a request wants reports of its progress.
    #[serde(borrow)]
    pub(super) progress_token: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<&'l RawValue>,
    #[cfg(feature = "http")]
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    pub(super) client: Option<&'l RawValue>,
    #[cfg(feature = "http")]
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(super) capabilities: Option<&'l RawValue>,
    #[cfg(feature = "http")]
    #[serde(borrow, rename = "io.modelcontextprotocol/logLevel")]
    pub(super) log_level: Option<&'l RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/subscriptionId")]
    pub(super) subscription: Option<&'l RawValue>,
}

impl<'l> Params<'l> {
    /// Parses parameters, or the result of a request. Parameters of another form than expected have no members.
    pub(super) fn of(params: &'l str) -> Self {
        object(params).unwrap_or_default()
    }

    /// Parses `_meta`. A progress token that is too long is left out.
    pub(super) fn meta(&self) -> Meta<'l> {
        let mut meta: Meta<'l> = self.meta.and_then(|meta| object(meta.get())).unwrap_or_default();
        meta.progress_token = meta.progress_token.filter(|token| token.get().len() <= LONGEST_TOKEN);
        meta
    }
}

/// Returns the `_meta` of parameters or of a result.
pub(super) fn meta_of(params: &str) -> Meta<'_> {
    Params::of(params).meta()
}

/// Parses an id or a token, both of which are numbers or texts.
pub(super) fn key(part: &RawValue) -> Option<RequestId> {
    serde_json::from_str(part.get()).ok()
}

/// Parses a text.
pub(super) fn text(part: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(part?.get()).ok()
}

/// Returns the id of the request that the parameters of a cancellation name.
pub(super) fn cancelled(params: &str) -> Option<RequestId> {
    Params::of(params).request_id.and_then(key)
}
