//! Answers that load deferred definitions: [`DeferredLoading`].
//!
//! genai sends a call as a function, and its answer as a text. Anthropic loads a deferred definition if the answer to a call is a reference to
//! it. The text of the answer follows behind all answers of the message. The Responses API loads the definitions in the answer to a
//! `tool_search`, or in an item behind the answer to another call. It rejects a call of a loaded tool without its namespace. Therefore, the
//! relay replaces such calls and answers in genai's request.
//!
//! Invariants: the order of the keys does not change, because it is the order of the parameters for the model. Only definitions in the
//! request are referred to, because the provider rejects any other reference. The items of a search are sent back as they were received.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};
use tool_chat::model::{Message, Request};
use tool_runtime::tool_schema::dialect::Definition;
use tool_runtime::tool_schema::json::{Json, Member, Node, Span};

use super::definitions::{Api, loads_from_answers, members, search_name};
use super::request::object;
use super::thought_signatures;

/// The calls and answers that the relay replaces, by the ids of the calls.
#[derive(Default)]
pub(super) struct DeferredLoading {
    /// For Anthropic, the tools that the answers load.
    references: HashMap<String, Vec<String>>,
    /// For the Responses API, the calls.
    calls: HashMap<String, Call>,
}

/// A call in the Responses API.
#[derive(Default)]
struct Call {
    /// The item, if the call is a search.
    search: Option<Value>,
    namespace: Option<String>,
    /// The definitions that the answer loads, as a JSON array.
    definitions: Option<String>,
}

impl DeferredLoading {
    pub(super) fn of(request: &Request<'_>, api: Api) -> Self {
        match api {
            Api::Messages { .. } => Self { references: references(request), ..Self::default() },
            Api::Responses if loads_from_answers(request) => {
                let search = search_name(request).unwrap_or_default();
                Self { calls: calls(request.messages, search), ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// Replaces the calls and answers in the body of a request.
    pub(super) fn rewrite(&self, body: Vec<u8>) -> Vec<u8> {
        if self.references.is_empty() && self.calls.is_empty() {
            return body;
        }
        let rewritten = str::from_utf8(&body).ok().and_then(|text| {
            let mut json = Json::parse(text).ok()?;
            if let Some(input) = member(&mut json, "input").and_then(items) {
                *input = self.load(std::mem::take(input));
            }
            for message in member(&mut json, "messages").and_then(items).into_iter().flatten() {
                if let Some(blocks) = member(message, "content").and_then(items) {
                    self.refer(blocks);
                }
            }
            Some(json.to_text().into_bytes())
        });
        rewritten.unwrap_or(body)
    }

    /// Replaces the answers in a message of Anthropic, and appends their texts.
    fn refer(&self, blocks: &mut Vec<Json<'_>>) {
        let mut texts = Vec::new();
        for block in blocks.iter_mut() {
            let id = block.get("tool_use_id").and_then(Json::as_str).unwrap_or_default();
            let Some(names) = self.references.get(id) else { continue };
            let reference = |name: &String| json!({"type": "tool_reference", "tool_name": name});
            let Some(references) = tree(&names.iter().map(reference).collect()) else { continue };
            let Some(content) = member(block, "content") else { continue };
            let text = std::mem::replace(content, references);
            if let Node::String(text) = text.node {
                texts.push(text.into_owned());
            }
        }
        for text in texts {
            blocks.extend(tree(&json!({"type": "text", "text": text})));
        }
    }

    /// Replaces the items of the Responses API. Texts of searches follow behind all answers to the calls of one answer of the model.
    fn load<'j>(&self, input: Vec<Json<'j>>) -> Vec<Json<'j>> {
        let (mut loaded, mut texts) = (Vec::with_capacity(input.len()), Vec::new());
        for mut item in input {
            let is_answer = item.get("type").and_then(Json::as_str) == Some("function_call_output");
            if !is_answer {
                loaded.append(&mut texts);
            }
            let Some(call) = item.get("call_id").and_then(Json::as_str).and_then(|id| self.calls.get(id)) else {
                loaded.push(item);
                continue;
            };
            match (&call.search, is_answer) {
                (Some(search), false) => loaded.extend(tree(search)),
                (None, false) => {
                    if let (Some(namespace), Node::Object(members)) = (&call.namespace, &mut item.node) {
                        let value = Json::from_node(Node::String(namespace.clone().into()));
                        members.push(Member { key: "namespace".into(), key_span: Span::default(), value });
                    }
                    loaded.push(item);
                }
                (Some(search), true) => {
                    let output = json!({"type": "tool_search_output", "execution": "client", "call_id": search["call_id"], "status": "completed"});
                    let tools = call.definitions.as_deref().and_then(|definitions| with_tools(&output, definitions));
                    loaded.extend(tools.or_else(|| with_tools(&output, "[]")));
                    let text = item.get("output").and_then(Json::as_str).unwrap_or_default();
                    if call.definitions.is_none() || says_more(text) {
                        let content = json!([{"type": "input_text", "text": text}]);
                        texts.extend(tree(&json!({"type": "message", "role": "user", "content": content})));
                    }
                }
                (None, true) => {
                    loaded.push(item);
                    let tools = json!({"type": "additional_tools", "role": "developer"});
                    loaded.extend(call.definitions.as_deref().and_then(|definitions| with_tools(&tools, definitions)));
                }
            }
        }
        loaded.append(&mut texts);
        loaded
    }
}

fn references(request: &Request<'_>) -> HashMap<String, Vec<String>> {
    let deferred: HashSet<&str> =
        request.tools.iter().filter(|tool| tool.is_deferred()).map(Definition::name).collect();
    let of_message = |message: &Message| match message {
        Message::Tool { call_id, loaded, .. } => {
            let names: Vec<String> = loaded.iter().filter(|name| deferred.contains(name.as_str())).cloned().collect();
            (!names.is_empty()).then(|| (call_id.clone(), names))
        }
        _ => None,
    };
    request.messages.iter().filter_map(of_message).collect()
}

/// Returns the calls of a conversation in the Responses API. If another provider has sent a call, its item or its namespace is missing. Then the
/// call is sent like one of the Responses API.
fn calls(messages: &[Message], search: &str) -> HashMap<String, Call> {
    let mut calls: HashMap<String, Call> = HashMap::new();
    let mut namespaces: HashMap<String, String> = HashMap::new();
    for message in messages {
        match message {
            Message::Assistant { calls: made, thoughts, .. } => {
                for (place, call) in made.iter().enumerate() {
                    let received = thought_signatures::item(thoughts, place);
                    let namespace = received.and_then(|item| item.get("namespace")).and_then(Value::as_str);
                    let known = || namespaces.get(&call.name).cloned();
                    let item = received.filter(|item| item.get("namespace").is_none());
                    let is_search = item.is_some() || received.is_none() && call.name == search;
                    let search = is_search.then(|| {
                        let mut item = item.cloned().unwrap_or_else(|| {
                            json!({"type": "tool_search_call", "execution": "client", "status": "completed", "arguments": object(&call.arguments)})
                        });
                        if item.get("call_id").and_then(Value::as_str).is_none_or(str::is_empty) {
                            item["call_id"] = call.id.as_str().into();
                        }
                        item
                    });
                    let namespace = namespace.map(str::to_owned).or_else(known);
                    calls.insert(call.id.clone(), Call { search, namespace, definitions: None });
                }
            }
            Message::Tool { call_id, definitions: Some(definitions), .. } => {
                calls.entry(call_id.clone()).or_default().definitions = Some(definitions.clone());
                for (namespace, function) in members(definitions) {
                    if let Some(name) = function.get("name").and_then(Value::as_str) {
                        namespaces.entry(name.to_owned()).or_insert(namespace);
                    }
                }
            }
            _ => {}
        }
    }
    calls
}

/// Returns `true` if the text of a search says more than the definitions that follow it, for example the instructions of a container.
fn says_more(text: &str) -> bool {
    let members: Result<Map<String, Value>, _> = serde_json::from_str(text);
    members.map_or(true, |members| members.keys().any(|key| !matches!(&**key, "found" | "message")))
}

/// Returns an item with these tools, which are a JSON array.
fn with_tools(item: &Value, tools: &str) -> Option<Json<'static>> {
    let (mut item, value) = (tree(item)?, Json::parse(tools).ok()?.into_owned());
    if let Node::Object(members) = &mut item.node {
        members.push(Member { key: "tools".into(), key_span: Span::default(), value });
    }
    Some(item)
}

fn tree(value: &Value) -> Option<Json<'static>> {
    Json::from_value(value).ok().map(Json::into_owned)
}

fn member<'m, 'j>(json: &'m mut Json<'j>, key: &str) -> Option<&'m mut Json<'j>> {
    let Node::Object(members) = &mut json.node else { return None };
    members.iter_mut().find(|member| member.key == key).map(|member| &mut member.value)
}

fn items<'m, 'j>(json: &'m mut Json<'j>) -> Option<&'m mut Vec<Json<'j>>> {
    if let Node::Array(items) = &mut json.node { Some(items) } else { None }
}
