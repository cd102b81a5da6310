//! A parser for answers of `OpenAI`'s Responses API, which genai uses for newer models of `OpenAI`.
//!
//! Invariants: the arguments of a call are the text that was sent. If a call does not arrive in pieces, but only at the end of its item or
//! of the answer, it is not lost. No call is emitted twice.

use std::collections::HashMap;

use serde_json::Value;
use tool_chat::model::{Delta, ModelError, Response, StopReason, ToolCall, Usage};

use super::stop_reason::normal_stop_reason;
use super::{convert_answer, convert_error, thought_signatures};

/// Parses a whole answer. Returns `None` if the body is in another dialect. `search` is the name of the tool that is sent as a `tool_search`.
pub(super) fn parse_answer(body: &Value, search: &str) -> Option<Result<Response, ModelError>> {
    let output = body.get("output")?.as_array()?;
    let is_failed = body.get("error").is_some_and(|error| !error.is_null());
    if is_failed || matches!(body.get("status").and_then(Value::as_str), Some("failed" | "cancelled")) {
        return Some(Err(convert_error::reported(body)));
    }
    let (mut response, mut is_refusal) = (Response::default(), false);
    for item in output {
        match text(item, "type") {
            "message" => {
                for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                    is_refusal |= text(part, "type") == "refusal";
                    response.text.extend(part.get("text").or_else(|| part.get("refusal")).and_then(Value::as_str));
                }
            }
            "function_call" | "tool_search_call" => {
                let Some(call) = called(item, search) else { continue };
                response.thoughts.extend(thought_signatures::placed(item, response.calls.len()));
                response.calls.push(call);
            }
            _ if is_thought(item) => response.thoughts.push(item.clone()),
            _ => {}
        }
    }
    let tokens = |key| body.pointer(key).and_then(Value::as_u64).unwrap_or_default();
    response.usage = Usage::new(tokens("/usage/input_tokens"), tokens("/usage/output_tokens"));
    let stop = match body.pointer("/incomplete_details/reason").and_then(Value::as_str) {
        Some("content_filter") => StopReason::Filtered,
        Some(_) => StopReason::Length,
        None if text(body, "status") == "incomplete" => StopReason::Length,
        None => StopReason::Finished,
    };
    response.stop = normal_stop_reason(stop, !response.calls.is_empty(), is_refusal);
    Some(Ok(response))
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the call in an item; `None` if it is another item, or a search that the provider executes.
fn called(item: &Value, search: &str) -> Option<ToolCall> {
    match (text(item, "type"), text(item, "execution")) {
        ("function_call", _) => Some(ToolCall::new(text(item, "call_id"), text(item, "name"), text(item, "arguments"))),
        ("tool_search_call", "client") => {
            let arguments = item.get("arguments").cloned().unwrap_or_default();
            Some(ToolCall::new(text(item, "call_id"), search, convert_answer::arguments(arguments)))
        }
        _ => None,
    }
}

/// Returns `true` for reasoning that can be sent back. It must contain encrypted content, because genai's requests tell the server not to
/// store anything.
fn is_thought(item: &Value) -> bool {
    text(item, "type") == "reasoning" && !text(item, "encrypted_content").is_empty()
}

/// A parser for streams.
#[derive(Default)]
pub(super) struct Reader {
    /// The name of the tool that is sent as a `tool_search`.
    search: String,
    /// The positions of the searches.
    searches: Vec<u64>,
    is_spoken: bool,
    is_ended: bool,
    has_text: bool,
    is_refusal: bool,
    has_thoughts: bool,
    /// For each call, keyed by its position in the answer: its index, and the number of bytes of its arguments that were emitted.
    open: HashMap<u64, (usize, usize)>,
    /// The positions of the calls, keyed by id.
    places: HashMap<String, u64>,
}

impl Reader {
    pub(super) fn new(search: &str) -> Self {
        Self { search: search.to_owned(), ..Self::default() }
    }

    /// Returns `true` if the stream so far is in this dialect.
    pub(super) const fn is_spoken(&self) -> bool {
        self.is_spoken
    }

    /// Returns `true` if the answer has ended.
    pub(super) const fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Parses the pieces of the answer in one event.
    pub(super) fn read(&mut self, kind: &str, event: &Value, mut give: impl FnMut(Delta)) -> Result<(), ModelError> {
        self.is_spoken = true;
        let place = event.get("output_index").and_then(Value::as_u64).unwrap_or_default();
        let delta = text(event, "delta");
        let item = event.get("item").unwrap_or(&Value::Null);
        let (is_call, is_done) = (text(item, "type") == "function_call", kind == "response.output_item.done");
        match kind {
            "response.output_text.delta" | "response.refusal.delta" if !delta.is_empty() => {
                self.has_text = true;
                self.is_refusal |= kind == "response.refusal.delta";
                give(Delta::Text(delta.to_owned()));
            }
            "response.output_item.added" | "response.output_item.done" if !is_thought(item) => {
                let Some(mut call) = called(item, &self.search) else { return Ok(()) };
                if !is_call && !self.open.contains_key(&place) {
                    self.searches.push(place);
                }
                if !is_call && !is_done {
                    // At its beginning, a search has no arguments, and sometimes another id than at its end. The stored item has the last id.
                    call.arguments.clear();
                }
                let index = self.call(place, call, &mut give);
                if let Some(placed) = thought_signatures::placed(item, index).filter(|_| is_done) {
                    self.has_thoughts = true;
                    give(Delta::Thought(placed));
                }
            }
            "response.function_call_arguments.delta" => {
                // Pieces before the beginning of the item are ignored, because the end of the item repeats them.
                if let Some((index, given)) = self.open.get_mut(&place) {
                    *given += delta.len();
                    give(Delta::Call { index: *index, id: None, name: None, arguments: delta.to_owned() });
                }
            }
            "response.output_item.done" if is_thought(item) => {
                self.has_thoughts = true;
                give(Delta::Thought(item.clone()));
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                return self.end(event.get("response").unwrap_or(&Value::Null), give);
            }
            _ => {}
        }
        Ok(())
    }

    /// Emits the part of a call that was not emitted yet. Returns the index of the call.
    fn call(&mut self, place: u64, call: ToolCall, give: &mut impl FnMut(Delta)) -> usize {
        let count = self.open.len();
        let is_new = !self.open.contains_key(&place);
        let (index, given) = self.open.entry(place).or_insert((count, 0));
        let more = call.arguments.get(*given..).unwrap_or_default().to_owned();
        *given += more.len();
        let index = *index;
        if is_new {
            self.places.insert(call.id.clone(), place);
            give(Delta::Call { index, id: Some(call.id), name: Some(call.name), arguments: more });
        } else if !more.is_empty() {
            give(Delta::Call { index, id: None, name: None, arguments: more });
        }
        index
    }

    /// Emits the rest of the answer. The last event usually repeats the whole answer.
    fn end(&mut self, body: &Value, mut give: impl FnMut(Delta)) -> Result<(), ModelError> {
        let response = match parse_answer(body, &self.search) {
            Some(response) => response?,
            None if body.get("error").is_some_and(|error| !error.is_null()) => {
                return Err(convert_error::reported(body));
            }
            None => {
                let mut without = body.clone();
                without["output"] = Value::Array(Vec::new());
                parse_answer(&without, &self.search).unwrap_or_else(|| Ok(Response::default()))?
            }
        };
        if !self.has_thoughts {
            response.thoughts.into_iter().map(Delta::Thought).for_each(&mut give);
        }
        if !self.has_text && !response.text.is_empty() {
            give(Delta::Text(response.text));
        }
        let mut searches = std::mem::take(&mut self.searches).into_iter();
        for (place, call) in (1_u64 << 32..).zip(response.calls) {
            let known = self.places.get(&call.id).copied();
            let known = if call.name == self.search { searches.next().or(known) } else { known };
            let place = known.unwrap_or(place);
            self.call(place, call, &mut give);
        }
        self.is_ended = true;
        give(Delta::Usage(response.usage));
        give(Delta::Stop(normal_stop_reason(response.stop, !self.open.is_empty(), self.is_refusal)));
        Ok(())
    }
}
