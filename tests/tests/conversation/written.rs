//! Calls that the model writes as text.

use std::sync::{Arc, Mutex};

use pollster::block_on;
use tool_chat::conversation::{Conversation, ConversationEvent, TurnEnd};
use tool_chat::model::{Message, ModelError, ModelErrorKind, Response, ScriptedModel};
use tool_chat::run::{Next, Record, Run};
use tool_runtime::Toolbox;

use super::tools::session;

const WRITTEN: &str =
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Paris\"}}\n</tool_call>";
const TOLD: &str = "Your last answer contained a tool call as text (<tool_call>), so nothing was run. Make tool calls only in the way that the API provides for them, or answer without such markup.";

/// Runs a turn, and returns its end and the marks that were reported, each with `true` if the model was asked again.
fn turn(model: ScriptedModel) -> (TurnEnd, Vec<(String, bool)>) {
    let marks: Arc<Mutex<Vec<(String, bool)>>> = Arc::default();
    let listener = Arc::clone(&marks);
    let mut conversation = Conversation::new(session(), model).on_event(move |event| {
        if let ConversationEvent::CallAsText { mark, is_asked_again, .. } = event {
            listener.lock().expect("no listener panics").push(((*mark).to_owned(), *is_asked_again));
        }
    });
    let end = block_on(conversation.ask("Paris?"));
    let marks = marks.lock().expect("no listener panics").clone();
    (end, marks)
}

fn last_text(messages: &[Message]) -> &str {
    match messages.last() {
        Some(Message::User(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_model_is_told_once_and_asked_again() {
    let model = ScriptedModel::new().text(WRITTEN).call("get_weather", r#"{"location": "Paris"}"#).text("Sun.");
    let (end, marks) = turn(model.clone());
    assert_eq!((end.text(), marks), (Some("Sun."), vec![("<tool_call>".to_owned(), true)]));
    let requests = model.requests();
    assert_eq!(last_text(&requests[1].messages), format!("Paris?\n\n{TOLD}"));
    assert_eq!(requests[2].messages[0], Message::User("Paris?".to_owned()), "the history does not keep it");
    assert!(!format!("{:?}", requests[2].messages).contains("tool call as text"));
}

#[test]
fn a_second_such_answer_ends_the_turn_with_an_event() {
    let (end, marks) = turn(ScriptedModel::new().text(WRITTEN).text(WRITTEN));
    assert_eq!(end.text(), Some(WRITTEN));
    assert_eq!(marks, [("<tool_call>".to_owned(), true), ("<tool_call>".to_owned(), false)]);
}

#[test]
fn the_text_is_the_answer_if_the_further_request_is_rejected() {
    let rejected = ModelError::new(ModelErrorKind::Rejected, "no");
    let (end, _) = turn(ScriptedModel::new().text(WRITTEN).error(rejected));
    assert_eq!(end.text(), Some(WRITTEN));
    let unavailable = ModelError::new(ModelErrorKind::Transport, "no");
    let (end, _) = turn(ScriptedModel::new().text(WRITTEN).error(unavailable));
    assert!(matches!(end, TurnEnd::Failed { .. }), "{end:?}");
}

#[test]
fn a_correction_as_text_is_forced_first() {
    let model = ScriptedModel::new().call("get_weather", "{}").text(WRITTEN).text(WRITTEN).text("Sun.");
    let (end, marks) = turn(model);
    let marks: Vec<bool> = marks.into_iter().map(|(_, is_asked_again)| is_asked_again).collect();
    assert_eq!((end.text(), marks), (Some("Sun."), vec![false, true]));
}

#[test]
fn without_tools_markup_is_an_answer() {
    let toolbox = Toolbox::builder().build().expect("no tools have no clashes");
    let mut conversation = Conversation::new(toolbox.session(), ScriptedModel::new().text(WRITTEN));
    assert_eq!(block_on(conversation.ask("Paris?")).text(), Some(WRITTEN));
}

#[test]
fn a_stored_run_goes_on_with_what_it_tells() {
    let mut run = Run::new();
    let apply = |run: &mut Run, record| run.apply_record(record).expect("the record fits");
    apply(&mut run, Record::from_prompt("Paris?"));
    apply(&mut run, Record::from_model_answer(Response::from_text(WRITTEN)).with_has_tools(true));
    let stored = serde_json::to_string(&run).expect("a run is JSON");
    let mut run: Run = serde_json::from_str(&stored).expect("it was stored");
    assert_eq!(run.call_markup_in_answer(), Some("<tool_call>"));
    run.set_session_texts("", Some("A reminder."));
    let Next::Ask(ask) = run.next() else { panic!("the model is asked again") };
    assert_eq!(last_text(ask.messages), format!("Paris?\n\n{TOLD}\n\nA reminder."));
    apply(&mut run, Record::from_model_answer(Response::from_text(WRITTEN)).with_has_tools(true));
    assert!(matches!(run.next(), Next::Done(end) if end.text() == Some(WRITTEN)));
    // A record of an earlier version does not say whether there were tools.
    let mut run = Run::new();
    apply(&mut run, Record::from_prompt("Paris?"));
    apply(&mut run, Record::from_model_answer(Response::from_text(WRITTEN)));
    assert!(matches!(run.next(), Next::Done(_)));
}

#[test]
fn calls_in_the_formats_of_models_are_noticed() {
    for (text, mark) in [
        ("<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>", "<tool_call>"),
        ("I look it up.<tool_call>{\"name\": \"f\"", "<tool_call>"),
        ("<tool_call>\n<function=f>\n<parameter=city>\nParis", "<tool_call>"),
        ("<function=f>{\"city\": \"Paris\"}</function>", "<function="),
        ("<function_calls>\n<invoke name=\"f\">", "<function_calls>"),
        ("<ns:function_calls>\n<ns:invoke name=\"f\">", ":function_calls>"),
        ("<｜DSML｜invoke name=\"f\">", "<｜DSML｜"),
        ("<｜tool▁calls▁begin｜>", "<｜tool▁call"),
        ("<|tool_call>call:f{city:<|\"|>Paris<|\"|>}<tool_call|>", "<|tool_call"),
        ("<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0", "<|tool_call"),
        ("[TOOL_CALLS][{\"name\": \"f\"}]", "[TOOL_CALLS]"),
        ("<|python_tag|>f(city=\"Paris\")", "<|python_tag|>"),
        ("f<arg_key>city</arg_key><arg_value>Paris</arg_value>", "<arg_key>"),
        ("<minimax:tool_call>\n<invoke name=\"f\">", ":tool_call>"),
        ("<|channel|>commentary to=functions.f <|message|>{}", "<|channel|>commentary to="),
        ("<think>No <tool_call> needed?</think>\n<tool_call>{}", "<tool_call>"),
        ("```\ncode\n```\n<tool_call>{}</tool_call>", "<tool_call>"),
        ("```json\n<tool_call>{}</tool_call>", "<tool_call>"),
    ] {
        assert_eq!(Response::from_text(text).call_markup(), Some(mark), "{text}");
    }
}

#[test]
fn text_about_calls_is_an_answer() {
    for text in [
        "",
        "It is sunny in Paris.",
        "Hermes models write `<tool_call>` before a call.",
        "For example:\n```xml\n<tool_call>{\"name\": \"f\"}</tool_call>\n```\nThat is all.",
        "The mark is \"<tool_call>\", and Mistral uses '[TOOL_CALLS]'.",
        "<think>I could use <tool_call>.</think>\nIt is sunny.",
        "{\"name\": \"f\", \"arguments\": {}}",
        "a < b, f<arg>, <function>, <invoke>",
    ] {
        assert_eq!(Response::from_text(text).call_markup(), None, "{text}");
    }
}
