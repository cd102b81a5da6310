//! The rules of providers for messages, written from their documentation. They share no code with the turn loop.
//!
//! - Chat Completions of `OpenAI`: an assistant message with `tool_calls` must be followed by tool messages responding to each
//!   `tool_call_id`, and a tool message must follow such an assistant message.
//! - Messages of Anthropic: roles alternate, beginning with the user; ids of `tool_use` blocks are unique; the next user message begins
//!   with one `tool_result` for each of them, before any text; the last message is the user's.

use std::collections::HashSet;

use tool_chat::model::Message;

/// Returns the first violation of a rule.
pub(crate) fn violation(messages: &[Message]) -> Option<String> {
    let body = match messages {
        [Message::System(text), rest @ ..] if !text.is_empty() => rest,
        _ => messages,
    };
    chat_completions(body).or_else(|| anthropic(body))
}

fn chat_completions(messages: &[Message]) -> Option<String> {
    let mut rest = messages.iter().enumerate().peekable();
    while let Some((position, message)) = rest.next() {
        match message {
            Message::Assistant { text, calls, .. } => {
                if text.is_empty() && calls.is_empty() {
                    return Some(format!("message {position} is empty"));
                }
                let mut missing: HashSet<&str> = calls.iter().map(|call| &*call.id).collect();
                if missing.len() < calls.len() || missing.contains("") {
                    return Some(format!("ids of message {position} are missing or repeated"));
                }
                while let Some((at, Message::Tool { call_id, .. })) = rest.peek() {
                    if !missing.remove(&**call_id) {
                        return Some(format!("message {at} answers {call_id:?} again, or no call"));
                    }
                    rest.next();
                }
                if !missing.is_empty() {
                    return Some(format!("the calls {missing:?} of message {position} have no answer"));
                }
            }
            Message::Tool { call_id, .. } => {
                return Some(format!("message {position} answers {call_id:?} out of place"));
            }
            Message::User(text) if text.is_empty() => return Some(format!("message {position} is empty")),
            Message::User(_) => {}
            _ => return Some(format!("message {position} has a role that may only come first")),
        }
    }
    None
}

/// A message of Anthropic.
enum Turn<'m> {
    User { results: Vec<&'m str>, has_text: bool },
    Assistant { uses: Vec<&'m str> },
}

fn anthropic(messages: &[Message]) -> Option<String> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for message in messages {
        match (message, turns.last_mut()) {
            (Message::Assistant { calls, .. }, _) => {
                turns.push(Turn::Assistant { uses: calls.iter().map(|call| &*call.id).collect() });
            }
            (Message::Tool { call_id, .. }, Some(Turn::User { results, has_text: false })) => results.push(call_id),
            (Message::Tool { call_id, .. }, Some(Turn::User { .. })) => {
                return Some(format!("the result of {call_id:?} follows a text"));
            }
            (Message::Tool { call_id, .. }, _) => {
                turns.push(Turn::User { results: vec![call_id], has_text: false });
            }
            (_, Some(Turn::User { has_text, .. })) => *has_text = true,
            (..) => turns.push(Turn::User { results: Vec::new(), has_text: true }),
        }
    }
    let mut used = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    for (position, turn) in turns.iter().enumerate() {
        match turn {
            Turn::Assistant { .. } if position % 2 == 0 => return Some("roles do not alternate".to_owned()),
            Turn::Assistant { uses } => {
                if !uses.iter().all(|id| used.insert(*id)) {
                    return Some(format!("an id of {uses:?} is not unique"));
                }
                open.clone_from(uses);
            }
            Turn::User { results, .. } => {
                if *results != open {
                    return Some(format!("results of {results:?} follow uses of {open:?}"));
                }
                open.clear();
            }
        }
    }
    matches!(turns.last(), Some(Turn::Assistant { .. }) | None).then(|| "the last message is not the user's".to_owned())
}

#[test]
fn the_rules_find_violations() {
    use tool_chat::model::{Response, ToolCall};

    let user = || Message::User("Hello.".to_owned());
    let calls =
        |ids: &[&str]| Message::from(Response::from_calls(ids.iter().map(|id| ToolCall::new(*id, "now", "{}"))));
    let answer = |id: &str| Message::tool(id, "now", "12:00");
    let good = [user(), calls(&["a", "b"]), answer("a"), answer("b"), user()];
    assert_eq!(violation(&good), None);
    let bad = [
        vec![user(), calls(&["a", "b"]), answer("a"), user()],
        vec![user(), calls(&["a"]), answer("a"), answer("a")],
        vec![user(), calls(&["a"]), user(), answer("a")],
        vec![user(), calls(&["a", "a"]), answer("a"), answer("a")],
        vec![user(), calls(&[""]), answer("")],
        vec![user(), calls(&["a"]), answer("a"), calls(&["a"]), answer("a")],
        vec![user(), answer("a")],
        vec![user(), calls(&["a"])],
        vec![user(), Message::from(Response::from_text("Hello."))],
        vec![user(), Message::System("Be brief.".to_owned())],
        vec![calls(&["a"]), answer("a")],
        Vec::new(),
    ];
    for messages in bad {
        assert!(violation(&messages).is_some(), "{messages:?}");
    }
}
