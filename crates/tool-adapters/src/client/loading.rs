//! Answers that load deferred definitions: [`Loading`].
//!
//! genai sends the answer to a call as a text. Anthropic loads a deferred definition if the answer to a call is a reference to it. Therefore, the
//! relay replaces such answers in genai's request. The text of the answer follows behind all answers of the message.
//!
//! Invariants: the order of the keys does not change, because it is the order of the parameters for the model. Only definitions in the
//! request are referred to, because the provider refuses any other reference.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use tool_chat::model::{Message, Request};
use tool_runtime::tool_schema::dialect::Definition;
use tool_runtime::tool_schema::json::{Json, Node};

use super::definitions::Api;

/// The tools that the answers to some calls load, by the ids of the calls.
#[derive(Default)]
pub(super) struct Loading(HashMap<String, Vec<String>>);

impl Loading {
    pub(super) fn of(request: &Request<'_>, api: Api) -> Self {
        if !api.defers() {
            return Self::default();
        }
        let deferred: HashSet<&str> =
            request.tools.iter().filter(|tool| tool.is_deferred()).map(Definition::name).collect();
        let of_message = |message: &Message| match message {
            Message::Tool { call_id, loaded, .. } => {
                let names: Vec<String> =
                    loaded.iter().filter(|name| deferred.contains(name.as_str())).cloned().collect();
                (!names.is_empty()).then(|| (call_id.clone(), names))
            }
            _ => None,
        };
        Self(request.messages.iter().filter_map(of_message).collect())
    }

    /// Replaces the answers in the body of a request.
    pub(super) fn rewrite(&self, body: Vec<u8>) -> Vec<u8> {
        if self.0.is_empty() {
            return body;
        }
        let rewritten = str::from_utf8(&body).ok().and_then(|text| {
            let mut json = Json::parse(text).ok()?;
            for message in items(member(&mut json, "messages")?)? {
                if let Some(blocks) = member(message, "content").and_then(items) {
                    self.refer(blocks);
                }
            }
            Some(json.to_text().into_bytes())
        });
        rewritten.unwrap_or(body)
    }

    /// Replaces the answers in a message, and appends their texts.
    fn refer(&self, blocks: &mut Vec<Json<'_>>) {
        let mut texts = Vec::new();
        for block in blocks.iter_mut() {
            let id = block.get("tool_use_id").and_then(Json::as_str).unwrap_or_default();
            let Some(names) = self.0.get(id) else { continue };
            let reference = |name: &String| json!({"type": "tool_reference", "tool_name": name});
            let references = Value::Array(names.iter().map(reference).collect());
            let Ok(references) = Json::from_value(&references) else { continue };
            let Some(content) = member(block, "content") else { continue };
            let text = std::mem::replace(content, references.into_owned());
            if let Node::String(text) = text.node {
                texts.push(text.into_owned());
            }
        }
        for text in texts {
            blocks.extend(Json::from_value(&json!({"type": "text", "text": text})).map(Json::into_owned));
        }
    }
}

fn member<'m, 'j>(json: &'m mut Json<'j>, key: &str) -> Option<&'m mut Json<'j>> {
    let Node::Object(members) = &mut json.node else { return None };
    members.iter_mut().find(|member| member.key == key).map(|member| &mut member.value)
}

fn items<'m, 'j>(json: &'m mut Json<'j>) -> Option<&'m mut Vec<Json<'j>>> {
    if let Node::Array(items) = &mut json.node { Some(items) } else { None }
}
