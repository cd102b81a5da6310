//! An obedient model, which mechanically follows the answers to its calls.
//!
//! From the messages of a request, it makes the next call, or answers with prose if there is none left. It only uses these messages: the
//! fixer corrects arguments from the hint, names come from the answers, and the intended calls are read from its own earlier calls.
//!
//! Invariant: equal messages give equal answers.

use serde_json::{Map, Value};
use tool_chat::model::{Message, Response, ScriptedModel, ToolCall};

use crate::fixer::fix;

/// A name and arguments.
pub type Attempt = (String, String);

/// Returns a model that attempts these calls one after another, and corrects each call as its answer demands before it continues.
pub fn obedient<N: Into<String>, A: Into<String>>(attempts: impl IntoIterator<Item = (N, A)>) -> ScriptedModel {
    let attempts: Vec<Attempt> =
        attempts.into_iter().map(|(name, arguments)| (name.into(), arguments.into())).collect();
    ScriptedModel::from_fn(move |request| {
        let id = format!("call_{}", request.messages.len());
        Ok(match next(request.messages, &attempts) {
            Some((name, arguments)) => Response::from_calls([ToolCall::new(id, name, arguments)]),
            None => Response::from_text("Done."),
        })
    })
}

fn next(messages: &[Message], attempts: &[Attempt]) -> Option<Attempt> {
    let begin = messages.iter().rposition(|message| matches!(message, Message::User(_))).unwrap_or(0);
    let messages = &messages[begin..];
    let made: Vec<&ToolCall> = messages.iter().flat_map(calls).collect();
    if let Some(Message::Tool { call_id, text, .. }) = messages.last()
        && let Some(call) = made.iter().rfind(|call| call.id == *call_id)
        && let Some(corrected) = corrected(call, &answer(text), &made)
    {
        return Some(corrected);
    }
    let is_settled = |message: &&Message| match message {
        Message::Tool { text, .. } => {
            let answer = answer(text);
            answer.get("expanded").is_none() && !may_be_corrected(&answer)
        }
        _ => false,
    };
    attempts.get(messages.iter().filter(is_settled).count()).cloned()
}

fn calls(message: &Message) -> &[ToolCall] {
    if let Message::Assistant { calls, .. } = message { calls } else { &[] }
}

fn answer(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn may_be_corrected(answer: &Value) -> bool {
    answer["recovery"] == "correct_call" || answer["error_type"] == "unknown_tool"
}

/// Returns the next call if an answer demands one.
fn corrected(call: &ToolCall, answer: &Value, made: &[&ToolCall]) -> Option<Attempt> {
    let first = |key: &str| answer[key][0].as_str().map(str::to_owned);
    if let Some(functions) = answer["functions"].as_array() {
        // A container was expanded, so its intended member is called.
        return made.iter().rev().find_map(|call| wanted(call, functions));
    }
    let same = |name: String| (name, call.arguments.clone());
    match answer["error_type"].as_str()? {
        "unknown_tool" => first("did_you_mean").or_else(|| first("available_tools")).map(same),
        "ambiguous_tool" => first("candidates").map(same),
        "container_invocation_error" | "container_not_expanded" => {
            Some((answer["container_name"].as_str()?.to_owned(), "{}".to_owned()))
        }
        // Invalid JSON contains no usable arguments, so the model starts with none and learns which are missing.
        "invalid_json" => Some((call.name.clone(), "{}".to_owned())),
        _ if answer["recovery"] == "correct_call" => {
            Some((call.name.clone(), fix(&answer["retry_hint"].to_string(), &call.arguments)))
        }
        _ => None,
    }
}

/// Returns the call of a member that an earlier call intended.
fn wanted(call: &ToolCall, functions: &[Value]) -> Option<Attempt> {
    if functions.iter().any(|function| function == &call.name) {
        return Some((call.name.clone(), call.arguments.clone()));
    }
    let mut arguments: Map<String, Value> = serde_json::from_str(&call.arguments).ok()?;
    let function = arguments.remove("function")?;
    if !functions.contains(&function) {
        return None;
    }
    Some((function.as_str()?.to_owned(), Value::Object(arguments).to_string()))
}

/// Returns a model that always makes the same call.
pub fn stubborn(name: &str, arguments: &str) -> ScriptedModel {
    let (name, arguments) = (name.to_owned(), arguments.to_owned());
    ScriptedModel::from_fn(move |request| {
        let id = format!("call_{}", request.messages.len());
        Ok(Response::from_calls([ToolCall::new(id, name.clone(), arguments.clone())]))
    })
}
