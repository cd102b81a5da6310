//! A parser for answers of `OpenAI`'s chat completions and compatible servers.
//!
//! Invariants: the arguments of a call are the text that was sent. Missing parts are left out and unknown parts are ignored, because almost
//! every server sends something different.

use serde_json::Value;
use tool_chat::model::{Delta, DeltaAssembler, ModelError, ModelErrorKind, Response, StopReason, ToolCall, Usage};

use super::convert_error;
use super::stop_reason::normal_stop_reason;
use super::thought_signatures::Reasoning;

/// Parses a whole answer. Returns `None` if the body is in another dialect.
pub(super) fn parse_answer(body: &Value) -> Option<Result<Response, ModelError>> {
    let choices = body.get("choices")?.as_array()?;
    if let Some(error) = failed(body) {
        return Some(Err(error));
    }
    let Some(message) = choices.first().and_then(|choice| choice.get("message")) else {
        return Some(Err(ModelError::new(ModelErrorKind::Malformed, "the answer contains no message")));
    };
    let mut assembler = DeltaAssembler::new();
    let (mut pieces, mut calls, mut reasoning) = (Vec::new(), Vec::new(), Reasoning::default());
    reasoning.read(message);
    reasoning.take().into_iter().map(Delta::Thought).for_each(|thought| assembler.push(thought));
    read_message(message, &mut pieces);
    // In a whole answer, each element is a separate call, whatever its id and index are.
    for piece in pieces {
        match piece {
            Delta::Call { id, name, arguments, .. } => {
                let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call_{}", calls.len() + 1));
                calls.push(ToolCall::new(id, name.unwrap_or_default(), arguments));
            }
            other => assembler.push(other),
        }
    }
    read_end(body, |delta| assembler.push(delta));
    let mut response = assembler.finish();
    response.stop = normal_stop_reason(response.stop, !calls.is_empty(), is_refusal(message));
    response.calls = calls;
    Some(Ok(response))
}

/// Returns the error in a failed answer. Some servers report an error in the middle of an answer, and then end the answer normally.
pub(super) fn failed(body: &Value) -> Option<ModelError> {
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return Some(convert_error::reported(body));
    }
    let reason = body.pointer("/choices/0/finish_reason")?.as_str()?;
    let is_failure = reason == "error" || reason.to_lowercase().starts_with("malformed");
    is_failure.then(|| convert_error::malformed(&format!("the provider could not end the answer: {reason}")))
}

/// A parser for streams.
#[derive(Default)]
pub(super) struct Reader {
    reasoning: Reasoning,
    is_spoken: bool,
    has_calls: bool,
    is_refused: bool,
    is_ended: bool,
}

impl Reader {
    /// Returns `true` if the stream so far is in this dialect.
    pub(super) const fn is_spoken(&self) -> bool {
        self.is_spoken
    }

    /// Returns `true` if the answer has ended.
    pub(super) const fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Parses the pieces of the answer in one event.
    pub(super) fn read(&mut self, event: &Value, choices: &[Value], mut give: impl FnMut(Delta)) {
        self.is_spoken = true;
        if let Some(message) = choices.first().and_then(|choice| choice.get("delta")) {
            self.reasoning.read(message);
            self.is_refused |= is_refusal(message);
            let mut pieces = Vec::new();
            read_message(message, &mut pieces);
            for piece in pieces {
                if matches!(piece, Delta::Call { .. }) {
                    self.has_calls = true;
                    self.end(&mut give);
                }
                give(piece);
            }
        }
        read_end(event, |delta| {
            give(match delta {
                Delta::Stop(stop) => {
                    self.is_ended = true;
                    Delta::Stop(normal_stop_reason(stop, self.has_calls, self.is_refused))
                }
                other => other,
            });
        });
    }

    /// Emits the thoughts so far as one piece.
    pub(super) fn end(&mut self, give: &mut impl FnMut(Delta)) {
        self.reasoning.take().into_iter().map(Delta::Thought).for_each(give);
    }
}

fn read_message(message: &Value, pieces: &mut Vec<Delta>) {
    let mut say = |text: Option<&str>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            pieces.push(Delta::Text(text.to_owned()));
        }
    };
    match message.get("content") {
        Some(Value::Array(parts)) => {
            let is_text = |part: &&Value| part.get("type").is_none_or(|kind| kind == "text");
            parts.iter().filter(is_text).for_each(|part| say(part.get("text").and_then(Value::as_str)));
        }
        content => say(content.and_then(Value::as_str)),
    }
    say(message.get("refusal").and_then(Value::as_str));
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for (place, call) in calls.into_iter().flatten().enumerate() {
        let Some(function) = call.get("function") else { continue };
        let index = call.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            // This violates the specification, but some servers send it.
            Some(arguments) => arguments.to_string(),
        };
        let (id, name) = (text(call.get("id")), text(function.get("name")));
        // A piece without an index may belong to any call if it has neither an id nor a name.
        let is_bare = [&id, &name].into_iter().all(|text| text.as_ref().is_none_or(String::is_empty));
        let unknown = if is_bare { usize::MAX } else { place };
        pieces.push(Delta::Call { index: index.unwrap_or(unknown), id, name, arguments });
    }
}

/// Returns `true` if the model refuses to answer.
fn is_refusal(message: &Value) -> bool {
    message.get("refusal").and_then(Value::as_str).is_some_and(|text| !text.is_empty())
}

/// Parses the usage and the stop reason.
fn read_end(body: &Value, mut give: impl FnMut(Delta)) {
    if let Some(usage) = body.get("usage").filter(|usage| usage.is_object()) {
        let tokens = |key| usage.get(key).and_then(Value::as_u64).unwrap_or_default();
        let usage = Usage::new(tokens("prompt_tokens"), tokens("completion_tokens"));
        give(Delta::Usage(usage));
    }
    let stop = match body.pointer("/choices/0/finish_reason").and_then(Value::as_str) {
        None | Some("") => return,
        Some("tool_calls" | "function_call") => StopReason::ToolCalls,
        Some("length" | "model_length") => StopReason::Length,
        Some("content_filter") => StopReason::Filtered,
        Some(_) => StopReason::Finished,
    };
    give(Delta::Stop(stop));
}
