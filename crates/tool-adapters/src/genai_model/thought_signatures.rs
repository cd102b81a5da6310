//! Data that must be sent back to a provider with the calls of an answer: thoughts, or their signatures.
//!
//! Invariant: a thought is sent back unchanged, and only together with the calls of the same answer.
//!
//! - Anthropic: the blocks `thinking` and `redacted_thinking`.
//! - Gemini: the signature of a call.
//! - Chat completions: `reasoning_content` and `reasoning_details`, if the server sends them.
//! - Responses: the items `reasoning`, if they are encrypted; the items `tool_search_call`, and the namespaces of other calls.

use genai::chat::{ContentPart, ToolCall};
use serde_json::{Map, Value, json};
use tool_chat::model::Delta;

/// Returns the blocks of Anthropic's answer that must be sent back.
pub(super) fn blocks(body: &Value) -> Vec<Value> {
    let content = body.get("content").and_then(Value::as_array).into_iter().flatten();
    content.filter(|block| is_block(block)).cloned().collect()
}

fn is_block(block: &Value) -> bool {
    matches!(block.get("type").and_then(Value::as_str), Some("thinking" | "redacted_thinking"))
}

/// A collector of the blocks with thoughts in a stream of Anthropic.
#[derive(Default)]
pub(super) struct ReasoningBlocks {
    open: Option<Map<String, Value>>,
}

impl ReasoningBlocks {
    pub(super) fn read(&mut self, event: &Value, give: impl FnMut(Delta)) {
        if let Some(block) = event.get("content_block") {
            self.close(give);
            self.open = block.as_object().filter(|_| is_block(block)).cloned();
        } else if let Some(delta) = event.get("delta") {
            for key in ["thinking", "signature"] {
                let Some((open, more)) = self.open.as_mut().zip(delta.get(key).and_then(Value::as_str)) else {
                    continue;
                };
                append(open.entry(key).or_insert_with(|| Value::String(String::new())), more);
            }
        } else if event.get("type").is_some_and(|kind| kind == "content_block_stop") {
            self.close(give);
        }
    }

    fn close(&mut self, mut give: impl FnMut(Delta)) {
        let Some(block) = self.open.take() else { return };
        let is_text = |key| block.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        // Anthropic rejects a thought without its signature.
        if is_text("signature") || is_text("data") {
            give(Delta::Thought(Value::Object(block)));
        }
    }
}

/// Returns the signatures in one call, as a thought to store. `place` is the index of the call in its answer, because its id may be replaced.
pub(super) fn signed(call: &ToolCall, id: &str, place: usize) -> Option<Value> {
    let signatures = call.thought_signatures.as_ref().filter(|signatures| !signatures.is_empty())?;
    Some(json!({"call": id, "place": place, "signatures": signatures}))
}

/// Returns a search of the Responses API, or the namespace of another call, as a thought to store. `place` is the index of the call in its answer.
pub(super) fn placed(item: &Value, place: usize) -> Option<Value> {
    match (item.get("type").and_then(Value::as_str), item.get("namespace").and_then(Value::as_str)) {
        (Some("tool_search_call"), _) => Some(json!({"place": place, "item": item})),
        (Some("function_call"), Some(namespace)) => {
            Some(json!({"place": place, "item": {"type": "function_call", "namespace": namespace}}))
        }
        _ => None,
    }
}

/// Returns the stored item of a call of the Responses API.
pub(super) fn item(thoughts: &[Value], place: usize) -> Option<&Value> {
    let is_of_call = |thought: &&Value| thought.get("place").and_then(Value::as_u64) == u64::try_from(place).ok();
    thoughts.iter().filter(is_of_call).find_map(|thought| thought.get("item"))
}

/// A collector of the reasoning in chat completions, which arrives as a whole or in pieces.
#[derive(Default)]
pub(super) struct Reasoning {
    content: String,
    details: Vec<Value>,
}

impl Reasoning {
    /// Adds the reasoning in a message, or in the next piece of a message.
    pub(super) fn read(&mut self, message: &Value) {
        self.content.push_str(message.get("reasoning_content").and_then(Value::as_str).unwrap_or_default());
        for detail in message.get("reasoning_details").and_then(Value::as_array).into_iter().flatten() {
            match self.details.last_mut() {
                Some(last) if is_more(last, detail) => join(last, detail),
                _ if detail.is_object() => self.details.push(detail.clone()),
                _ => {}
            }
        }
    }

    pub(super) fn take(&mut self) -> Vec<Value> {
        let content = std::mem::take(&mut self.content);
        let content = (!content.is_empty()).then(|| json!({ "reasoning_content": content }));
        content.into_iter().chain(std::mem::take(&mut self.details)).collect()
    }
}

/// Returns `true` if a detail continues the previous detail. In a list of complete details, each has a different index.
fn is_more(last: &Value, detail: &Value) -> bool {
    let same = |key| last.get(key).is_some() && last.get(key) == detail.get(key);
    same("type") && same("index")
}

fn join(last: &mut Value, detail: &Value) {
    let Some((last, detail)) = last.as_object_mut().zip(detail.as_object()) else { return };
    for (key, more) in detail {
        match (last.get_mut(key), more.as_str()) {
            (Some(text @ Value::String(_)), Some(more)) if matches!(&**key, "text" | "summary" | "data") => {
                append(text, more);
            }
            _ if more.is_null() => {}
            _ => drop(last.insert(key.clone(), more.clone())),
        }
    }
}

fn append(text: &mut Value, more: &str) {
    if let Value::String(text) = text {
        text.push_str(more);
    }
}

/// Converts thoughts to parts of a message.
pub(super) fn parts(thoughts: &[Value]) -> impl Iterator<Item = ContentPart> {
    thoughts.iter().filter_map(|thought| {
        let text = |key| thought.get(key).and_then(Value::as_str);
        if let Some(content) = text("reasoning_content") {
            return Some(ContentPart::ReasoningContent(content.to_owned()));
        }
        if let Some(encrypted) = text("encrypted_content") {
            return Some(ContentPart::ThoughtSignature(encrypted.to_owned()));
        }
        text("type").map(|_| ContentPart::from_custom(thought.clone(), None))
    })
}

/// Returns the stored signatures for a call. Thoughts of earlier versions only have the id of the call.
pub(super) fn signatures(thoughts: &[Value], id: &str, place: usize) -> Option<Vec<String>> {
    let is_of_call = |thought: &&Value| match (thought.get("call"), thought.get("place").and_then(Value::as_u64)) {
        (Some(_), Some(at)) => usize::try_from(at) == Ok(place),
        (call, _) => call.is_some_and(|call| call == id),
    };
    let signatures = thoughts.iter().find(is_of_call)?.get("signatures")?.as_array()?;
    Some(signatures.iter().filter_map(|signature| signature.as_str().map(str::to_owned)).collect())
}
