//! Answers that come in pieces.

use std::sync::{Arc, Mutex};

use tool_runtime::conversation::{Conversation, End, Event};
use tool_runtime::model::{Assembler, Delta, Response, ScriptedModel, StopReason, ToolCall, Usage};

use super::tools::session;

/// A turn with answers in pieces of three characters; what was told of them.
fn streamed(model: ScriptedModel) -> (End, Vec<String>, Conversation) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let conversation = Conversation::new(session(), model.in_pieces_of(3)).streaming(true);
    let mut conversation = conversation.on_event(move |event| {
        let line = match event {
            Event::Doubtful { tool, issues, .. } => format!("doubtful {tool}: {}", issues[0].message()),
            Event::CutOff { tool, .. } => format!("cut off {tool}"),
            _ => return,
        };
        heard.lock().expect("nobody panics under the lock").push(line);
    });
    let end = pollster::block_on(conversation.ask("Paris?"));
    let told = told.lock().expect("nobody panics under the lock").clone();
    (end, told, conversation)
}

#[test]
fn arguments_are_put_together() {
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Zürich", "days": 3}"#).text("Sun.");
    let (end, told, conversation) = streamed(model);
    assert_eq!((end.text(), told.len()), (Some("Sun."), 0));
    assert_eq!(
        conversation.transcript().calls().next().map(|call| call.outcome.to_text()).as_deref(),
        Some("Zürich: sun for 3 days")
    );
}

#[test]
fn what_a_repair_may_mend_is_told_and_read_on() {
    let model = ScriptedModel::new().call("get_weather", r#"{"location": "Paris", "days": "3"}"#).text("Sun.");
    let (end, told, conversation) = streamed(model);
    assert_eq!(end.text(), Some("Sun."));
    assert_eq!(told, ["doubtful get_weather: days must be an integer"]);
    assert!(conversation.transcript().calls().all(|call| call.outcome.is_ok()));
}

#[test]
fn what_nothing_can_mend_is_not_read_on() {
    let long = format!(r#"{{"days": 1/6, "location": "{}"}}"#, "x".repeat(1_000));
    let model = ScriptedModel::new().call("get_weather", long).call("get_weather", r#"{"location": "Paris"}"#);
    let (end, told, conversation) = streamed(model.text("Sun."));
    assert_eq!((end.text(), told), (Some("Sun."), vec!["cut off get_weather".to_owned()]));
    let first = conversation.transcript().calls().next();
    assert!(first.is_some_and(|call| call.arguments.len() < 20 && !call.outcome.is_ok()));
}

fn piece(index: usize, id: Option<&str>, name: Option<&str>, arguments: &str) -> Delta {
    Delta::Call { index, id: id.map(str::to_owned), name: name.map(str::to_owned), arguments: arguments.to_owned() }
}

fn assembled(deltas: impl IntoIterator<Item = Delta>) -> Response {
    let mut assembler = Assembler::new();
    deltas.into_iter().for_each(|delta| assembler.push(delta));
    assembler.finish()
}

#[test]
fn pieces_of_two_calls_may_alternate() {
    let response = assembled([
        piece(0, Some("a"), Some("add"), "{\"a\""),
        piece(1, Some("b"), Some("now"), "{"),
        piece(0, None, None, ": 1}"),
        piece(1, None, None, "}"),
    ]);
    assert_eq!(response.calls, [ToolCall::new("a", "add", "{\"a\": 1}"), ToolCall::new("b", "now", "{}")]);
}

#[test]
fn an_index_may_be_any_number() {
    let response = assembled([piece(usize::MAX, Some("a"), Some("now"), "{}")]);
    assert_eq!(response.calls, [ToolCall::new("a", "now", "{}")]);
}

#[test]
fn an_id_and_a_name_may_stand_in_each_piece() {
    let response = assembled([piece(0, Some("a"), Some("now"), "{"), piece(0, Some("a"), Some("now"), "}")]);
    assert_eq!(response.calls, [ToolCall::new("a", "now", "{}")]);
}

#[test]
fn usage_may_be_told_in_parts() {
    let first = Usage { input_tokens: 12, output_tokens: 1 };
    let last = Usage { input_tokens: 0, output_tokens: 7 };
    let response = assembled([Delta::Usage(first), Delta::Usage(last), Delta::Stop(StopReason::Length)]);
    assert_eq!((response.usage, response.stop), (Usage { input_tokens: 12, output_tokens: 7 }, StopReason::Length));
}
