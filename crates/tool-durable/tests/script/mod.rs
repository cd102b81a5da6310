//! A conversation of 40 steps that uses every kind of tool, for tests that kill its process: the model of the conversation. Its answer depends
//! only on the number of its earlier answers.

pub(crate) mod compare;
pub(crate) mod tools;

use tool_chat::model::{ChatModel, Message, Request, Response, ResponseFuture, ToolCall};

pub(crate) struct Script;

/// Returns the calls of a step. The last step has none.
fn calls(step: usize) -> Vec<(&'static str, String)> {
    let to = |tool, value: usize| (tool, format!(r#"{{"value":{value}}}"#));
    if step >= 40 {
        return Vec::new();
    }
    // The same call is repeated until the throttle stops it.
    if (30..35).contains(&step) {
        return vec![to("poll", 1)];
    }
    match step % 10 {
        0 => vec![to("look", step)],
        1 => vec![to("put", step), to("pay", step)],
        2 => vec![("Files", "{}".to_owned()), to("read_file", step)],
        3 => vec![to("slow", step), to("slow", step + 1), to("pay", step), to("alone", step)],
        4 => vec![to("flaky", step)],
        5 => vec![to("deploy", step), to("put", step)],
        6 => vec![to("report", step), to("pay", 1_000)],
        7 => vec![to("poll", step)],
        8 => vec![("pay", r#"{"value":"7"}"#.to_owned()), to("unknown_tool", step), to("pay", 300)],
        _ => vec![to("slow", step), to("put", step), to("report", step), to("deploy", step), to("flaky", step + 1)],
    }
}

impl ChatModel for Script {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let step = request.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
            let calls: Vec<ToolCall> = calls(step)
                .into_iter()
                .enumerate()
                .map(|(index, (tool, arguments))| ToolCall::new(format!("call_{step}_{index}"), tool, arguments))
                .collect();
            let text = if calls.is_empty() { "That is all." } else { "" };
            Ok(Response::from_text(text).with_calls(calls))
        })
    }
}
