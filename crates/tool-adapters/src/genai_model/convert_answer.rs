//! The conversion of answers that genai has parsed: [`parse_answer`].
//!
//! Invariants: arguments are the text of the JSON that genai returned, and missing arguments are `{}`. An answer becomes an error if the
//! provider dropped a malformed call and the answer contains nothing else.

use genai::chat::{ChatResponse, StopReason as Reason, Usage as Tokens};
use serde_json::Value;
use tool_chat::model::{ModelError, ModelErrorKind, Response, StopReason, ToolCall, Usage};

use super::call_ids::UniqueCallIds;
use super::stop_reason::normal_stop_reason;
use super::thought_signatures;

pub(super) fn parse_answer(chat: ChatResponse, numbered: &UniqueCallIds) -> Result<Response, ModelError> {
    let usage = usage(&chat.usage);
    let reason = chat.stop_reason.clone();
    let text = chat.content.texts().concat();
    let mut thoughts = chat.captured_raw_body.as_ref().map(thought_signatures::blocks).unwrap_or_default();
    // If there are blocks of thoughts, genai repeats their signatures in the first call.
    let has_blocks = !thoughts.is_empty();
    let mut calls: Vec<ToolCall> = Vec::new();
    for call in chat.content.into_tool_calls() {
        let id = numbered.id(call.call_id.clone(), &call.fn_name);
        thoughts.extend(thought_signatures::signed(&call, &id, calls.len()).filter(|_| !has_blocks));
        calls.push(ToolCall::new(id, call.fn_name, arguments(call.fn_arguments)));
    }
    if reason.is_none() && text.is_empty() && calls.is_empty() {
        return Err(ModelError::new(ModelErrorKind::Malformed, "the answer is empty"));
    }
    let stop =
        normal_stop_reason(stop(reason.as_ref(), !calls.is_empty() || !text.is_empty())?, !calls.is_empty(), false);
    Ok(Response::from_text(text).with_calls(calls).with_usage(usage).with_thoughts(thoughts).with_stop(stop))
}

/// Returns the text of arguments that genai parsed as JSON.
pub(super) fn arguments(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => "{}".to_owned(),
        value => value.to_string(),
    }
}

pub(super) fn usage(tokens: &Tokens) -> Usage {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or_default();
    Usage::new(count(tokens.prompt_tokens), count(tokens.completion_tokens))
}

/// Converts the stop reason. With some stop reasons, Gemini reports that it dropped a malformed call.
pub(super) fn stop(reason: Option<&Reason>, says_something: bool) -> Result<StopReason, ModelError> {
    match reason {
        Some(Reason::MaxTokens(_)) => Ok(StopReason::Length),
        Some(Reason::ContentFilter(_)) => Ok(StopReason::Filtered),
        Some(Reason::ToolCall(_)) => Ok(StopReason::ToolCalls),
        Some(Reason::Other(reason)) if !says_something && reason.contains("FUNCTION_CALL") => {
            Err(ModelError::new(ModelErrorKind::Malformed, format!("the provider could not read a call: {reason}")))
        }
        _ => Ok(StopReason::Finished),
    }
}
