//! Test answers in four dialects, whole and as a stream.
//!
//! Every answer costs 12 input and 3 output tokens. If the API streams arguments, they arrive in pieces of seven bytes.

use serde_json::{Value, json};
use tool_adapters::GenAi;
use tool_adapters::genai::ClientConfig;
use tool_adapters::genai::adapter::AdapterKind;
use tool_adapters::genai::resolver::{AuthData, Endpoint};

use super::server::{Reply, Server};

pub(crate) const KEY: &str = "key-of-the-test";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    ChatCompletions,
    Responses,
    Anthropic,
    Gemini,
}

pub(crate) const ALL: [Dialect; 4] =
    [Dialect::ChatCompletions, Dialect::Responses, Dialect::Anthropic, Dialect::Gemini];

/// A call: its id, its name, and the text of its arguments. In the Responses API, `tool_search::` is the name of a search, and `Clock::hour` that
/// of a tool in a namespace.
pub(crate) type Called<'a> = (&'a str, &'a str, &'a str);

impl Dialect {
    pub(crate) fn model(self, server: &Server) -> GenAi {
        let (kind, version, name) = match self {
            Self::ChatCompletions => {
                return GenAi::openai_compatible(&format!("{}/v1", server.address()), "test-model", Some(KEY));
            }
            Self::Responses => (AdapterKind::OpenAIResp, "v1", "openai_resp::gpt-test"),
            Self::Anthropic => (AdapterKind::Anthropic, "v1", "claude-test"),
            Self::Gemini => (AdapterKind::Gemini, "v1beta", "gemini-test"),
        };
        let endpoint = Endpoint::from_owned(format!("{}/{version}/", server.address()));
        let config = ClientConfig::default().append_provider_config(kind, (endpoint, AuthData::from_single(KEY)));
        GenAi::from_config(config, name)
    }

    /// Returns an answer, whole or as a stream.
    pub(crate) fn reply(self, streams: bool, text: &str, calls: &[Called<'_>]) -> Reply {
        if streams { Reply::events(self.stream(text, calls)) } else { Reply::json(self.whole(text, calls).to_string()) }
    }

    pub(crate) fn whole(self, text: &str, calls: &[Called<'_>]) -> Value {
        match self {
            Self::ChatCompletions => {
                let calls: Vec<Value> = calls
                    .iter()
                    .map(|(id, name, arguments)| {
                        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
                    })
                    .collect();
                let reason = if calls.is_empty() { "stop" } else { "tool_calls" };
                json!({
                    "id": "chatcmpl-1",
                    "model": "test-model",
                    "choices": [{
                        "index": 0,
                        "message": {"role": "assistant", "content": text, "tool_calls": calls},
                        "finish_reason": reason,
                    }],
                    "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
                })
            }
            Self::Responses => {
                let output: Vec<Value> = items(text, calls).map(|(item, _)| item).collect();
                json!({
                    "id": "resp_1", "model": "gpt-test", "status": "completed", "output": output,
                    "usage": {"input_tokens": 12, "output_tokens": 3, "total_tokens": 15},
                })
            }
            Self::Anthropic => {
                let text = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
                let calls = calls.iter().map(|(id, name, arguments)| {
                    json!({"type": "tool_use", "id": id, "name": name, "input": parsed(arguments)})
                });
                let content: Vec<Value> = text.into_iter().chain(calls).collect();
                let reason =
                    if content.iter().any(|part| part["type"] == "tool_use") { "tool_use" } else { "end_turn" };
                json!({
                    "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test",
                    "content": content, "stop_reason": reason, "usage": {"input_tokens": 12, "output_tokens": 3},
                })
            }
            Self::Gemini => {
                let text = (!text.is_empty()).then(|| json!({"text": text}));
                // Gemini may omit ids.
                let calls = calls
                    .iter()
                    .map(|(_, name, arguments)| json!({"functionCall": {"name": name, "args": parsed(arguments)}}));
                let parts: Vec<Value> = text.into_iter().chain(calls).collect();
                json!({
                    "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
                    "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 3, "totalTokenCount": 15},
                })
            }
        }
    }

    pub(crate) fn stream(self, text: &str, calls: &[Called<'_>]) -> String {
        let mut events = Vec::new();
        match self {
            Self::ChatCompletions => {
                let chunk = |delta: Value, reason: Value| {
                    (None, json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}))
                };
                events.push(chunk(json!({"role": "assistant", "content": null}), Value::Null));
                events.extend(pieces(text).map(|piece| chunk(json!({"content": piece}), Value::Null)));
                for (index, (id, name, _)) in calls.iter().enumerate() {
                    let begun = json!([{"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}}]);
                    events.push(chunk(json!({"tool_calls": begun}), Value::Null));
                }
                // The pieces of the calls alternate, so that only the index assigns a piece to its call.
                let mut rests: Vec<_> = calls.iter().map(|(_, _, arguments)| pieces(arguments)).collect();
                loop {
                    let round: Vec<_> = rests.iter_mut().map(Iterator::next).enumerate().collect();
                    if round.iter().all(|(_, piece)| piece.is_none()) {
                        break;
                    }
                    for (index, piece) in round {
                        let Some(piece) = piece else { continue };
                        let more = json!([{"index": index, "function": {"arguments": piece}}]);
                        events.push(chunk(json!({"tool_calls": more}), Value::Null));
                    }
                }
                events.push(chunk(json!({}), if calls.is_empty() { "stop".into() } else { "tool_calls".into() }));
                events.push((None, json!({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 3}})));
                return format!("{}data: [DONE]\n\n", written(&events));
            }
            Self::Responses => {
                let mut event = |kind: &'static str, mut data: Value| {
                    data["type"] = kind.into();
                    events.push((Some(kind), data));
                };
                event("response.created", json!({"response": {"id": "resp_1", "status": "in_progress"}}));
                // All calls begin, then their pieces alternate, then all end, so that only the index assigns a piece to its call.
                let items: Vec<_> = items(text, calls).collect();
                for (index, (item, _)) in items.iter().enumerate() {
                    let mut begun = item.clone();
                    if item["type"] == "tool_search_call" {
                        (begun["arguments"], begun["call_id"]) = (json!({}), "another_id".into());
                    } else {
                        begun["arguments"] = "".into();
                    }
                    event("response.output_item.added", json!({"output_index": index, "item": begun}));
                }
                let mut rests: Vec<_> = items.iter().map(|(_, text)| pieces(text)).collect();
                while rests.iter().any(|rest| rest.clone().next().is_some()) {
                    for (index, rest) in rests.iter_mut().enumerate() {
                        let Some(piece) = rest.next() else { continue };
                        let is_text = items[index].0["type"] == "message";
                        let kind = if is_text {
                            "response.output_text.delta"
                        } else {
                            "response.function_call_arguments.delta"
                        };
                        event(kind, json!({"output_index": index, "delta": piece}));
                    }
                }
                for (index, (item, _)) in items.iter().enumerate() {
                    event("response.output_item.done", json!({"output_index": index, "item": item}));
                }
                event("response.completed", json!({"response": self.whole(text, calls)}));
            }
            Self::Anthropic => {
                let usage = json!({"input_tokens": 12, "output_tokens": 1});
                events.push((Some("message_start"), json!({"type": "message_start", "message": {"usage": usage}})));
                let mut block = |content: Value, deltas: Vec<Value>| {
                    events.push((Some("content_block_start"), json!({"content_block": content})));
                    events
                        .extend(deltas.into_iter().map(|delta| (Some("content_block_delta"), json!({"delta": delta}))));
                    events.push((Some("content_block_stop"), json!({"type": "content_block_stop"})));
                };
                if !text.is_empty() {
                    let deltas = pieces(text).map(|piece| json!({"type": "text_delta", "text": piece})).collect();
                    block(json!({"type": "text", "text": ""}), deltas);
                }
                for (id, name, arguments) in calls {
                    let delta = |piece| json!({"type": "input_json_delta", "partial_json": piece});
                    let content = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
                    block(content, pieces(arguments).map(delta).collect());
                }
                let reason = if calls.is_empty() { "end_turn" } else { "tool_use" };
                let end = json!({"delta": {"stop_reason": reason}, "usage": {"output_tokens": 3}});
                events.extend([(Some("message_delta"), end), (Some("message_stop"), json!({"type": "message_stop"}))]);
            }
            Self::Gemini => {
                let part =
                    |part: Value| (None, json!({"candidates": [{"content": {"role": "model", "parts": [part]}}]}));
                events.extend(pieces(text).map(|piece| part(json!({"text": piece}))));
                events.extend(calls.iter().map(|(_, name, arguments)| {
                    part(json!({"functionCall": {"name": name, "args": parsed(arguments)}}))
                }));
                let usage = json!({"promptTokenCount": 12, "candidatesTokenCount": 3});
                events.push((None, json!({"candidates": [{"finishReason": "STOP"}], "usageMetadata": usage})));
            }
        }
        written(&events)
    }
}

/// Returns the items of the Responses API, each with its text.
fn items<'c>(text: &'c str, calls: &'c [Called<'c>]) -> impl Iterator<Item = (Value, &'c str)> {
    let said = json!({"type": "message", "id": "msg_1", "content": [{"type": "output_text", "text": text}]});
    let calls = calls.iter().map(|&(id, name, arguments)| {
        let call =
            |name| json!({"type": "function_call", "id": "fc", "call_id": id, "name": name, "arguments": arguments});
        match name.split_once("::") {
            Some(("tool_search", _)) => {
                let mut search = json!({"type": "tool_search_call", "id": "tsc", "call_id": id, "execution": "client"});
                (search["status"], search["arguments"]) = ("completed".into(), parsed(arguments));
                (search, "")
            }
            Some((namespace, name)) => {
                let mut call = call(name);
                call["namespace"] = namespace.into();
                (call, arguments)
            }
            None => (call(name), arguments),
        }
    });
    (!text.is_empty()).then_some((said, text)).into_iter().chain(calls)
}

fn parsed(arguments: &str) -> Value {
    serde_json::from_str(arguments).expect("this dialect sends JSON")
}

fn pieces(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.as_bytes().chunks(7).map(|piece| std::str::from_utf8(piece).expect("ASCII"))
}

fn written(events: &[(Option<&str>, Value)]) -> String {
    let event = |(name, data): &(Option<&str>, Value)| match name {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    };
    events.iter().map(event).collect()
}
