//! Conversations as recordings of calls, and as pages.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tests::obedient::obedient;
use tool_chat::conversation::Conversation;
use tool_chat::model::{Response, ScriptedModel, ToolCall, Usage};
use tool_report::{CallRecorder, CallReport, RecordedLine, Redaction};
use tool_runtime::{Toolbox, tool};
use tool_testkit::{Scenario, ScenarioError, calls};

use super::tools::builder;

/// Logs the user in.
#[tool]
fn log_in(
    /// The PIN.
    #[tool(sensitive)]
    pin: String,
) -> String {
    format!("welcome, {pin}")
}

/// Returns a recorder and the lines that it has written.
fn recorder() -> (CallRecorder, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let written = Arc::clone(&lines);
    (CallRecorder::new(move |line| written.lock().expect("not poisoned").push(line.to_owned())), lines)
}

fn report(lines: &[String]) -> CallReport {
    let mut report = CallReport::new();
    for line in lines {
        report.add_line(line.parse::<RecordedLine>().expect("it is a line of a recording"));
    }
    report
}

/// Returns the kind of each line: the text of a message, or the tool and the verdict of a call.
fn kinds(lines: &[String]) -> Vec<Value> {
    let kind = |line: &String| {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let message = ["prompt", "text", "rejected"].into_iter().find(|key| line[*key].is_string());
        message.map_or_else(|| json!([line["tool"], line["verdict"]]), |key| json!([key, line[key]]))
    };
    lines.iter().filter(|line| !line.contains("\"tools\"")).map(kind).collect()
}

#[test]
fn a_recording_of_a_conversation_and_its_transcript_have_the_same_lines() {
    let (recorder, lines) = recorder();
    let toolbox = builder().observer(recorder.clone()).build().expect("the toolbox is valid");
    recorder.record_toolbox(&toolbox);
    let attempts = [
        ("get_weather", r#"{"days": 30}"#),
        ("Math", r#"{"function": "add", "a": 5, "b": 10}"#),
        ("get_wether", r#"{"location": "Oslo"#),
    ];
    let mut conversation = Conversation::new(toolbox.session(), obedient(attempts)).recorder(&recorder);
    pollster::block_on(conversation.ask("Do all of it."));
    pollster::block_on(conversation.ask("And thanks."));
    let live = lines.lock().expect("not poisoned").clone();
    let redaction = Redaction::new().add_toolbox(&toolbox);
    let stored: Vec<String> = conversation.transcript().to_lines(&redaction).map(|line| line.to_json()).collect();
    let said = |kinds: Vec<Value>| kinds.into_iter().filter(|kind| *kind != json!(["text", ""])).collect::<Vec<_>>();
    assert!(said(kinds(&live)).len() > 6, "{live:#?}");
    assert_eq!(said(kinds(&live)), said(kinds(&stored)));
    let (live, stored) = (report(&live), report(&stored));
    assert_eq!(live.calls(), conversation.transcript().calls().count());
    for (name, counts) in live.tools() {
        let other = &stored.tools()[name];
        assert_eq!(
            (counts.calls, counts.repaired, counts.rejected, counts.corrected, counts.failed),
            (other.calls, other.repaired, other.rejected, other.corrected, other.failed),
            "{name}"
        );
    }
}

#[test]
fn a_page_shows_batches_and_what_came_back() {
    let toolbox = builder().build().expect("the toolbox is valid");
    let rome = [("get_weather", r#"{"location": "Rome"}"#), ("get_weather", r#"{"location": "Oslo", "days": "3"}"#)];
    let model = ScriptedModel::new().calls(rome).call("Math", "{}").text("Sun & <rain>.");
    let mut conversation = Conversation::new(toolbox.session(), model);
    pollster::block_on(conversation.ask("Weather in Rome and Oslo?"));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("weather.html");
    conversation
        .transcript()
        .write_html(&path, &Redaction::new().add_toolbox(&toolbox))
        .expect("the folder can be written");
    let page = std::fs::read_to_string(&path).expect("it was just written");
    for text in [
        "<h1>weather</h1>",
        "Weather in Rome and Oslo?",
        "A batch of 2 calls",
        "expands Math",
        "Sun &amp; &lt;rain&gt;.",
        "<del>",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn tokens_are_counted_for_the_tools_of_an_answer() {
    let (recorder, lines) = recorder();
    let toolbox = Toolbox::builder().tool(LogInTool).observer(recorder.clone()).build().expect("the toolbox is valid");
    recorder.record_toolbox(&toolbox);
    let model = ScriptedModel::from_fn(|request| {
        let call = ToolCall::new("call_1", "log_in", r#"{"pin": "8315"}"#);
        let is_first = request.messages.len() == 1;
        let response = if is_first { Response::from_calls([call]) } else { Response::from_text("Done.") };
        Ok(response.with_usage(Usage::new(100, 20)))
    });
    pollster::block_on(Conversation::new(toolbox.session(), model).recorder(&recorder).ask("Log me in."));
    let lines = lines.lock().expect("not poisoned").clone();
    assert!(!lines.join("\n").contains("8315"), "{lines:#?}");
    let report = report(&lines);
    assert_eq!((report.tokens().input, report.tools()["log_in"].output_tokens), (200, 20.0));
}

#[test]
fn a_failed_scenario_has_its_page() {
    let toolbox = Toolbox::builder().tool(LogInTool).build().expect("the toolbox is valid");
    let redaction = Redaction::new().add_toolbox(&toolbox);
    let begin = move || {
        let model = ScriptedModel::new().call("log_in", r#"{"pin": "8315"}"#).text("Hello.");
        Conversation::new(toolbox.session(), model)
    };
    let scenario = || Scenario::new(begin.clone()).prompt("Log me in.").expect(calls("greet"));
    let Err(ScenarioError::Failed(failed)) = pollster::block_on(scenario().run()) else { panic!("it must fail") };
    let page = failed.transcript().to_html("Log in", &redaction);
    assert!(page.contains("Parts of this call are redacted.") && page.contains("Hello.") && !page.contains("8315"));
    let Err(ScenarioError::Unreliable(runs)) = pollster::block_on(scenario().runs(3).run()) else {
        panic!("it must fail")
    };
    assert_eq!((runs.failed_transcripts().len(), runs.failed_transcripts()[2].last_text()), (3, "Hello."));
}
