//! Answers of `OpenAI`'s Responses API, read as they were sent. genai asks it for the newer models of `OpenAI`.
//!
//! In: a body. Out: the answer. What always holds: the arguments of a call are the text that was sent. Streams need no reading of their
//! own, because genai passes on the text of their arguments.

use serde_json::Value;
use tool_runtime::model::{ModelError, Response, StopReason, ToolCall, Usage};

use super::settled;

/// The whole answer; `None` where the body is in another dialect.
pub(super) fn whole(body: &Value) -> Option<Result<Response, ModelError>> {
    let output = body.get("output")?.as_array()?;
    let mut response = Response::default();
    for item in output {
        let text = |key| item.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "message" => {
                let parts = item.get("content").and_then(Value::as_array).into_iter().flatten();
                let said = parts.filter_map(|part| part.get("text").or_else(|| part.get("refusal"))?.as_str());
                response.text.extend(said);
            }
            "function_call" => response.calls.push(ToolCall::new(text("call_id"), text("name"), text("arguments"))),
            _ => {}
        }
    }
    let tokens = |key| body.pointer(key).and_then(Value::as_u64).unwrap_or_default();
    response.usage =
        Usage { input_tokens: tokens("/usage/input_tokens"), output_tokens: tokens("/usage/output_tokens") };
    let stop = match body.pointer("/incomplete_details/reason").and_then(Value::as_str) {
        Some("content_filter") => StopReason::Filtered,
        Some(_) => StopReason::Length,
        None => StopReason::Finished,
    };
    response.stop = settled(stop, !response.calls.is_empty());
    Some(Ok(response))
}
