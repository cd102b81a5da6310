//! Calls that are read from the text of a model, whole and streamed.

use std::sync::{Arc, Mutex};

use pollster::block_on;
use tool_chat::conversation::{Conversation, ConversationEvent, TurnEnd};
use tool_chat::model::{
    ChatModel, Delta, Message, Options, Request, Response, ScriptedModel, StopReason, TextCallModel, ToolCall,
    ToolChoice, next_delta,
};
use tool_chat::run::{Next, Record, Run};
use tool_formats::CallFormat;
use tool_runtime::Toolbox;
use tool_runtime::tool::{ExternalTool, ToolSpec};
use tool_schema::shape::{Ref, Shape};

use super::tools::{GetWeatherTool, session};

const HERMES: &str = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Paris\"}}\n</tool_call>";
const QWEN: &str = "<tool_call>\n<function=get_weather>\n<parameter=location>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";

/// The end of a turn, the results of its calls, the streamed text, and the number of answers with a call as text.
struct Turn {
    end: TurnEnd,
    results: Vec<(String, String)>,
    streamed: String,
    noticed: usize,
    /// The messages of the last request.
    messages: Vec<Message>,
}

fn turn(model: &ScriptedModel, formats: &[CallFormat], streams: bool) -> Turn {
    let seen: Arc<Mutex<(String, usize)>> = Arc::default();
    let listener = Arc::clone(&seen);
    let reading = TextCallModel::new(model.clone(), formats);
    let mut conversation = Conversation::new(session(), reading).streaming(streams).on_event(move |event| {
        let mut seen = listener.lock().expect("no listener panics");
        match event {
            ConversationEvent::Delta { delta: Delta::Text(text), .. } => seen.0.push_str(text),
            ConversationEvent::CallAsText { .. } => seen.1 += 1,
            _ => {}
        }
    });
    let end = block_on(conversation.ask("Paris?"));
    let results = conversation.transcript().calls();
    let results = results.map(|call| (call.name.clone(), call.outcome.to_text().into_owned())).collect();
    let (streamed, noticed) = seen.lock().expect("no listener panics").clone();
    let messages = model.requests().last().map(|asked| asked.messages.clone()).unwrap_or_default();
    Turn { end, results, streamed, noticed, messages }
}

/// Runs a turn with whole and with streamed answers.
fn both(model: impl Fn() -> ScriptedModel, formats: &[CallFormat]) -> [Turn; 2] {
    [turn(&model(), formats, false), turn(&model().delta_size(3), formats, true)]
}

#[test]
fn a_call_in_the_text_runs_like_any_other() {
    let model = || ScriptedModel::new().text(format!("Let me look.\n{QWEN}")).text("Sun.");
    for turn in both(model, &[CallFormat::QWEN3_CODER]) {
        assert_eq!((turn.end.text(), turn.noticed), (Some("Sun."), 0));
        // The text `3` is repaired for a parameter that is a number.
        assert_eq!(turn.results, [("get_weather".to_owned(), "Paris: sun for 3 days".to_owned())]);
        let Some(Message::Assistant { text, calls, .. }) = turn.messages.get(1) else { panic!("{:?}", turn.messages) };
        assert_eq!((text.trim(), calls.len(), calls[0].id.as_str()), ("Let me look.", 1, "t00001001"));
        assert!(matches!(&turn.messages[2], Message::Tool { call_id, .. } if call_id == "t00001001"));
        assert!(!turn.streamed.contains('<'), "{}", turn.streamed);
    }
}

#[test]
fn several_calls_and_wrong_arguments_are_answered_one_by_one() {
    let wrong = HERMES.replace("\"location\"", "\"place\"");
    let model = || ScriptedModel::new().text(format!("{HERMES}\n{wrong}")).text("Sun.").text("Sun.");
    for turn in both(model, CallFormat::AUTO) {
        assert_eq!((turn.end.text(), turn.results.len()), (Some("Sun."), 2));
        assert!(turn.results[0].1.starts_with("Paris: sun"), "{:?}", turn.results);
        assert!(turn.results[1].1.contains("get_weather was not run"), "{:?}", turn.results);
    }
}

#[test]
fn a_call_that_occurs_in_a_result_or_a_prompt_runs_nothing() {
    let note = serde_json::json!({"text": HERMES}).to_string();
    let model = || ScriptedModel::new().call("Notes", "{}").call("Notes__write", note.clone()).text(HERMES).text("No.");
    for turn in both(model, CallFormat::AUTO) {
        assert!(turn.results.iter().all(|(name, _)| name != "get_weather"), "{:?}", turn.results);
        assert!(turn.noticed > 0 && turn.results.iter().any(|(_, text)| text.contains("noted")), "{:?}", turn.results);
    }
    let model = TextCallModel::new(ScriptedModel::new().text(HERMES).text("No."), CallFormat::AUTO);
    let mut conversation = Conversation::new(session(), model);
    assert_eq!(block_on(conversation.ask(format!("Repeat: {HERMES}"))).text(), Some("No."));
    assert_eq!(conversation.transcript().calls().count(), 0);
}

#[test]
fn a_call_that_a_description_shows_runs_nothing() {
    let spec = ToolSpec::new("remove", format!("Removes all. Example: {HERMES}"), Ref::Static(Shape::ANY));
    let toolbox =
        Toolbox::builder().tool(GetWeatherTool).tool(ExternalTool::from_spec(spec)).build().expect("two tools");
    let model = ScriptedModel::new().text(HERMES).text("No.");
    let mut conversation = Conversation::new(toolbox.session(), TextCallModel::new(model, CallFormat::AUTO));
    assert_eq!(block_on(conversation.ask("Paris?")).text(), Some("No."));
    assert_eq!(conversation.transcript().calls().count(), 0);
}

#[test]
fn an_answer_that_was_cut_off_has_no_calls_from_its_text() {
    for stop in [StopReason::Length, StopReason::Filtered] {
        let model = || ScriptedModel::new().answer(Response::from_text(HERMES).with_stop(stop)).text("No.");
        for turn in both(model, CallFormat::AUTO) {
            assert!(turn.results.is_empty(), "{:?}", turn.results);
        }
    }
    let cut = HERMES.strip_suffix("}\n</tool_call>").expect("the end of the call");
    for turn in both(|| ScriptedModel::new().text(cut).text("No."), CallFormat::AUTO) {
        assert_eq!((turn.results.len(), turn.noticed), (0, 1));
    }
}

#[test]
fn text_stays_text_without_a_known_tool_without_its_format_and_in_reasoning() {
    let unknown = HERMES.replace("get_weather", "get_tides");
    let texts = [
        (unknown.as_str(), CallFormat::AUTO),
        (HERMES, &[CallFormat::MISTRAL]),
        (&format!("I could write\n{HERMES}\nnow.</think>There is sun."), CallFormat::AUTO),
        (&format!("<think>{HERMES}</think>There is sun."), CallFormat::AUTO),
    ];
    for (text, formats) in texts {
        for turn in both(|| ScriptedModel::new().text(text).text(text), formats) {
            assert_eq!(turn.end.text(), Some(text));
            assert!(turn.results.is_empty(), "{text}");
        }
    }
    // The text that was streamed is whole.
    let streamed =
        turn(&ScriptedModel::new().text(&*unknown).text("No.").delta_size(5), CallFormat::AUTO, true).streamed;
    assert_eq!(streamed, format!("{unknown}No."));
}

#[test]
fn calls_of_the_provider_take_precedence() {
    let native = Response::from_text(HERMES).with_calls([ToolCall::new("call_1", "book_table", r#"{"guests": 2}"#)]);
    for turn in both(|| ScriptedModel::new().answer(native.clone()).text("Booked."), CallFormat::AUTO) {
        assert_eq!(turn.results, [("book_table".to_owned(), "a table for 2".to_owned())]);
        assert!(matches!(&turn.messages[1], Message::Assistant { text, .. } if text == HERMES));
    }
}

#[test]
fn no_call_is_read_if_the_request_allows_none() {
    let session = session();
    let (tools, messages) = (session.definitions(), [Message::User("Paris?".to_owned())]);
    let mut options = Options::default();
    options.tool_choice = ToolChoice::None;
    let model = TextCallModel::new(ScriptedModel::new().text(HERMES), CallFormat::AUTO);
    let response = block_on(model.complete(Request::new(&messages, &tools, &options))).expect("an answer");
    assert_eq!((response.text.as_str(), response.calls.len()), (HERMES, 0));
}

#[test]
fn a_stream_has_the_calls_of_the_whole_answer_at_every_split() {
    let session = session();
    let (tools, messages) = (session.definitions(), [Message::User("Paris?".to_owned())]);
    let options = Options::default();
    let request = Request::new(&messages, &tools, &options);
    for text in [format!("One moment.\n{QWEN}\n{HERMES}"), format!("a</think>{HERMES}"), format!("`{HERMES}` {HERMES}")]
    {
        let whole = TextCallModel::new(ScriptedModel::new().text(&*text), CallFormat::AUTO);
        let whole = block_on(whole.complete(request)).expect("an answer");
        for piece in 1..text.len() {
            let model = ScriptedModel::new().text(&*text).delta_size(piece);
            let model = TextCallModel::new(model, CallFormat::AUTO);
            let mut stream = model.stream(request);
            let mut heard = tool_chat::model::DeltaAssembler::new();
            while let Some(delta) = block_on(next_delta(&mut stream)) {
                heard.push(delta.expect("no error"));
            }
            let heard = heard.finish();
            assert_eq!((&heard.calls, heard.stop), (&whole.calls, whole.stop), "{piece}");
        }
    }
}

#[test]
fn a_stored_run_contains_the_calls() {
    let session = session();
    let model = TextCallModel::new(ScriptedModel::new().text(HERMES), CallFormat::AUTO);
    let mut run = Run::new();
    run.apply_record(Record::from_prompt("Paris?")).expect("the run waits for a prompt");
    let Next::Ask(ask) = run.next() else { panic!("it asks the model") };
    let response = block_on(model.complete(ask.request(&session.definitions()))).expect("an answer");
    run.apply_record(Record::from_model_answer(response)).expect("the run waits for an answer");
    let stored = serde_json::to_string(&run).expect("a run can be stored");
    let run: Run = serde_json::from_str(&stored).expect("a run can be read");
    assert!(matches!(run.next(), Next::Call(calls) if calls.len() == 1 && calls[0].call.name == "get_weather"));
}
