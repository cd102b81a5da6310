//! `read_result`, which reads results that a guard keeps outside of the conversation.
//!
//! The results of this tool are bounded and are not kept themselves. The tool only reads results of its own session.

use serde::Deserialize;

use crate::context::CallContext;
use crate::decode::decode_or_reject;
use crate::failure::ToolError;
use crate::input::{Arguments, ToolInput};
use crate::shape::Ref;
use crate::spill::{KeptResult, MOST_BYTES, READ_RESULT, page, search};
use crate::tool::{Answer, AnswerOrFuture, DecodedArguments, Payload, Tool, ToolSpec};

const DESCRIPTION: &str =
    "Reads on in a long result of an earlier call, of which only the beginning was shown, or searches it.";

const SEALED: &str =
    "There is no result with this handle. Copy the whole handle from the notice in the shortened result.";

/// The number of bytes that are returned if the model does not set a limit.
const BYTES: usize = 8 * 1_024;

#[derive(Deserialize, tool_schema::ToolInput)]
#[serde(deny_unknown_fields)]
struct Reading {
    /// Handle of the result.
    #[tool(example = "result_1")]
    handle: String,
    /// Byte of the result to begin at; 0 by default.
    offset: Option<u64>,
    /// Most bytes to return; 8192 by default.
    #[tool(range(min = 256, max = 16384))]
    limit: Option<u16>,
    /// Text to find from the offset on, in upper or lower case, instead of reading.
    #[tool(length(min = 1, max = 200))]
    search: Option<String>,
}

/// The tool as registered by a toolbox.
pub(super) struct ReadResult(ToolSpec);

impl ReadResult {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(READ_RESULT, DESCRIPTION, Ref::Static(Reading::SHAPE));
        spec.decode = Some(|arguments| decode_or_reject::<Reading>(arguments).map(DecodedArguments::new));
        let annotations = &mut spec.settings.annotations;
        (annotations.read_only, annotations.idempotent, annotations.open_world) = (Some(true), Some(true), Some(false));
        Self(spec)
    }
}

impl Tool for ReadResult {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        let reading = match cx.take_decoded_arguments(&arguments) {
            Some(reading) => reading,
            None => match decode_or_reject(&arguments) {
                Ok(reading) => reading,
                Err(rejected) => return AnswerOrFuture::Rejected(rejected),
            },
        };
        AnswerOrFuture::Ready(read(&reading, cx))
    }
}

fn read(Reading { handle, offset, limit, search: wanted }: &Reading, cx: &CallContext) -> Answer {
    let handle = handle.trim();
    let text = match cx.results().find(handle) {
        KeptResult::Text(text) => text,
        KeptResult::Evicted => return Err(evicted(handle).into()),
        KeptResult::Unknown(count) => return Err(unknown(count).into()),
        KeptResult::Sealed => return Err(ToolError::retry(SEALED).field("handle").into()),
    };
    let offset = offset.map_or(0, |offset| usize::try_from(offset).unwrap_or(usize::MAX));
    if offset >= text.len() {
        let message = format!("{handle} has {} bytes; offset must be less than that.", text.len());
        return Err(ToolError::retry(message).field("offset").into());
    }
    let limit = limit.map_or(BYTES, usize::from).min(MOST_BYTES);
    Ok(Payload::Text(match wanted {
        Some(wanted) => search(handle, &text, wanted, offset, limit),
        None => page(handle, &text, offset, limit),
    }))
}

fn evicted(handle: &str) -> ToolError {
    ToolError::new(format!(
        "{handle} is no longer kept: newer results took its place. If you still need it, make the call that gave it again."
    ))
}

fn unknown(count: u64) -> ToolError {
    let message = match count {
        0 => "No result of this conversation was kept, so there is none to read.".to_owned(),
        1 => "There is no result with this handle. The only handle is result_1.".to_owned(),
        _ => format!("There is no result with this handle. The handles are result_1 to result_{count}."),
    };
    ToolError::retry(message).field("handle")
}
