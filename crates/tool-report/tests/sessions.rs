//! Recordings of sessions: every way in which a call ends, and no secrets.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;
use tool_report::Redaction;
use tool_runtime::container::Container;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::Completion;
use tool_runtime::tool::ExternalTool;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Session, ToolError, ToolInput, Toolbox, tool};

use super::Lines;

/// Searches.
#[tool]
fn search(
    /// Words.
    query: String,
    /// How many.
    #[tool(range(max = 5))]
    limit: Option<u8>,
) -> Result<String, ToolError> {
    if query == "nothing" { Err(ToolError::new("nothing was found")) } else { Ok(format!("{query}: {limit:?}")) }
}

/// Deletes a file.
#[tool(destructive)]
fn delete(
    /// Which.
    path: String,
) -> String {
    format!("{path} is gone")
}

/// Logs the user in.
#[tool]
fn log_in(
    /// The name.
    name: String,
    /// The PIN.
    #[tool(sensitive)]
    pin: String,
) -> Result<String, ToolError> {
    if pin.len() < 4 { Err(ToolError::new(format!("{pin} is too short"))) } else { Ok(format!("{name}, {pin}")) }
}

/// Fails in a way that is not its own issue.
#[tool]
fn panics() -> u8 {
    panic!("a bug")
}

#[derive(serde::Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Question {
    /// The question.
    question: String,
}

fn hook(call: &ProposedCall<'_>) -> Verdict {
    match call.name() {
        "delete" => Verdict::Defer,
        "panics" if call.call_id() == "no" => Verdict::deny("not now"),
        _ => Verdict::Run,
    }
}

fn session(lines: &Lines, bytes: Option<usize>, build: impl FnOnce(ToolboxBuilder) -> ToolboxBuilder) -> Session {
    let recorder = lines.recorder();
    let recorder = bytes.map_or(recorder.clone(), |bytes| recorder.include_results(bytes));
    let more = Container::new("More", "Other tools.").tool(PanicsTool);
    let builder = Toolbox::builder().tool(SearchTool).tool(DeleteTool).container(more).before_call(hook);
    let toolbox = build(builder).observer(recorder.clone()).build().expect("the toolbox is valid");
    recorder.record_toolbox(&toolbox);
    toolbox.session()
}

fn call(session: &Session, id: &str, tool: &str, arguments: &str) {
    let _ = pollster::block_on(session.call(id, tool, arguments));
}

#[test]
fn a_session_records_every_way_in_which_a_call_ends() {
    let lines = Lines::default();
    let asks = ExternalTool::typed::<Question>("ask", "Asks the user.");
    let session = session(&lines, Some(30), |builder| builder.tool(asks));
    call(&session, "1", "search", "{\n \"query\": \"rain\"}");
    call(&session, "2", "Search", r#"{"query": "rain", "limit": "2"}"#);
    call(&session, "3", "search", r#"{"limit": 9}"#);
    call(&session, "4", "search", "{\"query\": \"rain");
    call(&session, "5", "search", r#"{"query": "nothing"}"#);
    call(&session, "6", "serach_for", "{}");
    call(&session, "7", "More", "{}");
    call(&session, "8", "panics", "");
    call(&session, "no", "panics", "{}");
    for (id, answer) in [("9", Some("no")), ("10", None)] {
        call(&session, id, "delete", r#"{"path": "a"}"#);
        let _ = match answer {
            Some(reason) => session.complete(id, Completion::denied(reason)),
            None => pollster::block_on(session.resume(id)),
        };
    }
    call(&session, "11", "ask", r#"{"question": "Why?"}"#);
    let _ = session.complete("11", "because");
    call(&session, "12", "ask", r#"{"question": "And then?"}"#);
    drop(session);
    let calls = lines.calls();
    let short = |line: &serde_json::Value| {
        json!([
            line["id"],
            line["tool"],
            line["verdict"],
            line["result"],
            line["approval"],
            line["issues"],
            line["expands"]
        ])
    };
    let ends: Vec<_> = calls.iter().map(short).collect();
    let missing = json!([{"code": "REQUIRED_FIELD", "path": "query"}, {"code": "INVALID_RANGE", "path": "limit"}]);
    let expected = json!([
        ["1", "search", "ok", "result", null, null, null],
        ["2", "Search", "repaired", "result", null, null, null],
        ["3", "search", "rejected", null, null, missing, null],
        ["4", "search", "rejected", null, null, [{"code": "INVALID_JSON", "path": "$"}], null],
        ["5", "search", "ok", "failure", null, null, null],
        ["6", "serach_for", "rejected", null, null, [{"code": "unknown_tool"}], null],
        ["7", "More", "ok", "result", null, null, "More"],
        ["8", "panics", "ok", "error", null, null, null],
        ["no", "panics", "ok", null, "denied", null, null],
        ["9", "delete", "ok", null, "denied", null, null],
        ["10", "delete", "ok", "result", "accepted", null, null],
        ["11", "ask", "ok", "result", null, null, null],
        ["12", "ask", "ok", "open", null, null, null],
    ]);
    assert_eq!(json!(ends), expected);
    assert_eq!(calls[0]["arguments"], json!({"query": "rain"}));
    assert_eq!(calls[0]["answer"], "rain: None");
    assert_eq!(
        calls[1]["repairs"][0],
        json!({"rule": "tool_name", "path": "$", "before": "Search", "after": "search"})
    );
    assert_eq!(calls[3]["arguments"], "{\"query\": \"rain");
    assert!(calls[3]["answer"].as_str().is_some_and(|answer| answer.len() <= 33), "{}", calls[3]);
    let report = lines.report();
    assert_eq!((report.calls(), report.tools()["search"].corrected), (13, 1));
}

#[test]
fn answers_are_only_recorded_if_the_host_asks() {
    let lines = Lines::default();
    let session = session(&lines, None, |builder| builder);
    call(&session, "1", "search", r#"{"query": "rain"}"#);
    call(&session, "2", "search", "{}");
    assert!(lines.calls().iter().all(|line| line["answer"].is_null()), "{:#?}", lines.calls());
}

#[test]
fn a_throttled_call_has_the_time_of_the_pause() {
    let lines = Lines::default();
    let session = session(&lines, None, |builder| builder);
    for id in 0..30 {
        call(&session, &id.to_string(), "search", r#"{"query": "nothing"}"#);
    }
    let throttled: Vec<_> = lines.calls().into_iter().filter(|line| line["verdict"] == "throttled").collect();
    assert!(
        !throttled.is_empty() && throttled.iter().any(|line| line["retry_ms"].as_u64() > Some(0)),
        "{throttled:#?}"
    );
    assert!(lines.report().to_html("Loop").contains("search paused"));
}

/// Calls of two sessions have the same ids.
#[test]
fn sessions_of_one_toolbox_are_told_apart() {
    let lines = Lines::default();
    let first = session(&lines, Some(100), |builder| builder);
    let recorder = lines.recorder();
    let toolbox =
        Toolbox::builder().tool(DeleteTool).before_call(hook).observer(recorder.clone()).build().expect("valid");
    recorder.record_toolbox(&toolbox);
    drop(first);
    let (a, b) = (toolbox.session(), toolbox.session());
    call(&a, "1", "delete", r#"{"path": "a"}"#);
    call(&b, "1", "delete", r#"{"path": "b"}"#);
    let _ = pollster::block_on(b.resume("1"));
    let _ = pollster::block_on(a.resume("1"));
    let paths: Vec<_> = lines.calls().iter().map(|line| line["arguments"]["path"].clone()).collect();
    assert_eq!(json!(paths), json!(["b", "a"]));
}

#[test]
fn an_observer_without_tools_records_no_arguments() {
    let lines = Lines::default();
    let toolbox =
        Toolbox::builder().tool(SearchTool).observer(lines.recorder().include_results(100)).build().expect("valid");
    call(&toolbox.session(), "1", "search", r#"{"query": "hunter2"}"#);
    assert!(!lines.texts().join("\n").contains("hunter2"), "{:#?}", lines.texts());
}

#[test]
fn keys_of_the_host_are_hidden_too() {
    let lines = Lines::default();
    let recorder = lines.recorder().redact(Redaction::new().add_key("query")).include_results(1_000);
    let toolbox = Toolbox::builder().tool(SearchTool).observer(recorder.clone()).build().expect("valid");
    recorder.record_toolbox(&toolbox);
    call(&toolbox.session(), "1", "search", r#"{"query": "hunter2", "limit": "3"}"#);
    let line = &lines.calls()[0];
    assert!(!lines.texts().join("\n").contains("hunter2"), "{:#?}", lines.texts());
    assert_eq!(json!([line["redacted"], line["repairs"]]), json!([true, [{"rule": "text"}]]));
}

#[test]
fn a_later_redaction_or_toolbox_does_not_uncover_secrets() {
    /// Logs the user in, too.
    #[tool(name = "log_in")]
    fn harmless(
        /// The name.
        name: String,
    ) -> String {
        name
    }

    let lines = Lines::default();
    let recorder = lines.recorder();
    let first = Toolbox::builder().tool(LogInTool).observer(recorder.clone()).build().expect("valid");
    recorder.record_toolbox(&first);
    recorder.record_toolbox(&Toolbox::builder().tool(HarmlessTool).build().expect("valid"));
    call(&first.session(), "1", "log_in", r#"{"name": "Ada", "code": "8315"}"#);
    let recorder = recorder.redact(Redaction::new());
    call(&first.session(), "2", "log_in", r#"{"name": "Ada", "pin": "8315"}"#);
    drop(recorder);
    assert_eq!(lines.calls().len(), 2);
    assert!(!lines.texts().join("\n").contains("8315"), "{:#?}", lines.texts());
}

/// A model writes the PIN wherever it likes.
#[test]
fn secrets_are_in_no_line_and_on_no_page() {
    let arguments = [
        r#"{"name": "Ada", "pin": "8315"}"#,
        r#"{"name": "Ada", "pin": 8315}"#,
        r#"{"name": 1, "PIN": "8315"}"#,
        r#"{"name": "Ada", "pin": {"value": "8315"}}"#,
        r#"{"name": "Ada", "8315": "pin"}"#,
        r#"{"name": "Ada", "pin": "8315"#,
        "name: Ada, pin: 8315",
        r#""{\"name\": \"Ada\", \"pin\": \"8315\"}""#,
        r#"["Ada", "8315"]"#,
        r#"{"name": "Ada", "p\u0069n": "8315"}"#,
    ];
    let lines = Lines::default();
    let session = session(&lines, Some(4_000), |builder| builder.tool(LogInTool).no_throttle());
    for tool in ["log_in", "Log-In", "login", "log_on", "unknown"] {
        for (index, text) in arguments.iter().enumerate() {
            // A tool without secrets gets no PIN by accident: its arguments are not hidden.
            call(&session, &format!("{tool} {index}"), tool, text);
        }
    }
    let texts = lines.texts().join("\n");
    assert_eq!(lines.calls().len(), 50);
    assert!(!texts.contains("8315"), "{:#?}", lines.texts().iter().find(|line| line.contains("8315")));
    assert!(!lines.report().to_html("PIN").contains("8315"));
}

#[test]
fn times_are_those_of_the_session() {
    let clock = tool_runtime::clock::SimulatedClock::new();
    let lines = Lines::default();
    let session = session(&lines, None, |builder| builder.clock(clock.clone()));
    call(&session, "1", "delete", r#"{"path": "a"}"#);
    clock.advance(Duration::from_millis(1_250));
    let _ = pollster::block_on(session.resume("1"));
    clock.set_unix_time(Duration::from_secs(7));
    call(&session, "2", "search", "{}");
    assert!(lines.texts()[1].contains(r#""ms":1250.0"#), "{:?}", lines.texts());
    assert!(lines.texts()[2].contains(r#""at_ms":7000,"#), "{:?}", lines.texts());
}

proptest! {
    /// Whatever a model sends, a call has one line, and the line can be read.
    #[test]
    fn every_call_has_one_line(arguments in ".{0,40}", tool in "[a-z_\u{1F600}\"\\\\\n]{0,8}") {
        let lines = Lines::default();
        let session = session(&lines, Some(50), |builder| builder);
        call(&session, "1", &tool, &arguments);
        call(&session, "2", "search", &arguments);
        drop(session);
        prop_assert_eq!(lines.calls().len(), 2);
        prop_assert_eq!(lines.report().calls(), 2);
    }
}
