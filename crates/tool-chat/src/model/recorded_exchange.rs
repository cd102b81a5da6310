//! A line of a recording: a request and its answer, without secrets.
//!
//! Invariant: everything has passed through the [`Redaction`]. The definitions are stored as a hash, because they are long, and usually
//! every line has the same ones.

use serde::{Deserialize, Serialize};
use tool_runtime::tool_schema::dialect::Definition;

use super::redaction::{calls, message, thoughts};
use super::{Message, ModelError, Options, Redaction, Request, Response};

/// A request with its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RecordedExchange {
    pub(super) request: RedactedRequest,
    #[serde(flatten)]
    pub(super) answer: Answer,
}

/// A recorded request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RedactedRequest {
    pub(super) messages: Vec<Message>,
    /// The names of the tools, for people who read the file.
    pub(super) tools: Vec<String>,
    /// A hash of all definitions.
    pub(super) definitions: String,
    pub(super) options: Options,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    Response(Response),
    Error(ModelError),
}

impl RecordedExchange {
    pub(super) fn redacted(request: Request<'_>, answer: &Result<Response, ModelError>, redaction: &Redaction) -> Self {
        let answer = match answer {
            Ok(response) => Answer::Response(Response {
                text: redaction.redact_message(&response.text).into_owned(),
                calls: calls(redaction, &response.calls),
                thoughts: thoughts(redaction, &response.thoughts),
                ..response.clone()
            }),
            // A provider may repeat the API key in an error.
            Err(error) => Answer::Error(ModelError::new(error.kind.clone(), redaction.redact_json(&error.message))),
        };
        Self { request: RedactedRequest::new(request, redaction), answer }
    }
}

impl RedactedRequest {
    pub(super) fn new(request: Request<'_>, redaction: &Redaction) -> Self {
        let name = |definition: &Definition| {
            let json = definition.as_json();
            let named = json.get("name").or_else(|| json.get("function")?.get("name"));
            named.and_then(|name| name.as_str()).unwrap_or_default().to_owned()
        };
        Self {
            messages: request.messages.iter().map(|one| message(redaction, one)).collect(),
            tools: request.tools.iter().map(name).collect(),
            definitions: format!("fnv1a:{:016x}", fnv1a(request.tools.to_string().as_bytes())),
            options: request.options.clone(),
        }
    }
}

/// Returns the 64-bit FNV-1a hash. It is the same in every build, unlike a hash of the standard library.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
