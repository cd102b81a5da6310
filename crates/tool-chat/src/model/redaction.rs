//! Redaction of messages, calls and thoughts in recordings of models.

use std::borrow::Cow;

use serde_json::Value;
use tool_report::Redaction;

use super::{Message, ToolCall};
use crate::private::internal;

/// Redacts the calls of an answer.
pub(super) fn calls(redaction: &Redaction, calls: &[ToolCall]) -> Vec<ToolCall> {
    let without = |call: &ToolCall| {
        ToolCall::new(&*call.id, &*call.name, redaction.redact_arguments(&call.name, &call.arguments))
    };
    calls.iter().map(without).collect()
}

/// Redacts the thoughts of an answer. Prose in them is not searched.
pub(super) fn thoughts(redaction: &Redaction, thoughts: &[Value]) -> Vec<Value> {
    let without = |thought: &Value| {
        let text = thought.to_string();
        match redaction.redact_json(&text) {
            Cow::Borrowed(_) => thought.clone(),
            Cow::Owned(last_answer) => serde_json::from_str(&text).unwrap_or(Value::String(last_answer)),
        }
    };
    thoughts.iter().map(without).collect()
}

pub(super) fn message(redaction: &Redaction, message: &Message) -> Message {
    let redacted = |text: &str| redaction.redact_message(text).into_owned();
    match message {
        Message::Assistant { text, calls: made, thoughts: thought } => Message::Assistant {
            text: redacted(text),
            calls: calls(redaction, made),
            thoughts: thoughts(redaction, thought),
        },
        Message::Tool { call_id, name, text, parts, loaded, definitions } => Message::Tool {
            loaded: loaded.clone(),
            definitions: definitions.clone(),
            call_id: call_id.clone(),
            name: name.clone(),
            text: redaction.redact_json(text).into_owned(),
            parts: parts
                .as_ref()
                .map(|parts| internal::map_texts(parts, |text| redaction.redact_json(text).into_owned())),
        },
        Message::System(text) => Message::System(redacted(text)),
        Message::User(text) => Message::User(redacted(text)),
    }
}
