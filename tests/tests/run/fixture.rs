//! A run and its records that version 1 of the format stored. They must be readable by every later version, so these files never change.

use tool_chat::model::{Message, Response, ToolCall, Usage};
use tool_chat::run::{Next, Record, Run, TurnEnd};

use super::scripts::{read_back, stored};
use super::tools::{CALLS, outcome, session};

const RUN: &str = include_str!("fixtures/run-1.json");
const RECORDS: &str = include_str!("fixtures/records-1.jsonl");

/// The things that happened in the fixture.
fn records() -> Vec<Record> {
    let session = session();
    let id = |index: usize| format!("toolu_{index}");
    let calls = CALLS.iter().enumerate().map(|(index, (name, arguments))| ToolCall::new(id(index), *name, *arguments));
    let thoughts = vec![serde_json::json!({"signature": "c2ln"})];
    let answer =
        Response::from_text("I look it up.").with_calls(calls).with_thoughts(thoughts).with_usage(Usage::new(900, 80));
    let took = std::time::Duration::from_millis(1_500);
    let mut records = vec![
        Record::from_prompt("What is the weather?"),
        Record::from_model_answer(Response::from_text("Where?")).with_time_since_previous(took),
        Record::from_prompt("In Paris."),
        Record::from_model_answer(Response::from_calls([ToolCall::new("toolu_web", "Web", "{}")]))
            .with_time_since_previous(took),
        Record::from_call_end(0, outcome(&session, "toolu_web", CALLS[9])),
        Record::from_collapsed_containers(["Web"]),
        Record::from_model_answer(answer).with_time_since_previous(took),
        Record::from_call_start(0),
    ];
    records.extend(
        CALLS
            .iter()
            .enumerate()
            .map(|(index, call)| Record::from_call_end(index, outcome(&session, &id(index), *call))),
    );
    records
}

/// Writes the fixtures if they do not exist. Run it once for each new version of the format, with the new names of the files.
#[test]
#[ignore = "it writes the files of a new version"]
fn write_the_fixtures() {
    use std::fs;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/fixtures");
    let mut run = Run::new().instructions("Use the tools.");
    let mut lines = String::new();
    for record in records() {
        lines += &(serde_json::to_string(&record).expect("a record is JSON") + "\n");
        run.apply_record(record).expect("it fits");
    }
    for (name, text) in [("run-1.json", stored(&run) + "\n"), ("records-1.jsonl", lines)] {
        let path = folder.join(name);
        assert!(!path.exists() || fs::read_to_string(&path).is_ok_and(|text| text.is_empty()), "{name} never changes");
        fs::write(path, text).expect("it can be written");
    }
}

#[test]
fn a_run_of_version_1_continues() {
    let mut run = read_back(RUN);
    let Next::Wait(calls) = run.next() else { panic!("{:?}", run.next()) };
    let waiting: Vec<_> = calls.iter().map(|waits| (waits.index, waits.call.outcome.call_id())).collect();
    assert_eq!(waiting, [(11, "toolu_11")]);
    let kinds: Vec<_> = run
        .transcript()
        .calls()
        .map(|call| call.outcome.failure().map_or("ok", tool_runtime::Failure::error_type))
        .collect();
    let mut expected = vec!["ok", "ok", "ok"];
    expected.extend(["validation_error", "invalid_json", "tool_error", "unavailable", "unknown_tool"]);
    expected.extend(["ok", "ok", "ok", "container_invocation_error", "deferred"]);
    assert_eq!(kinds, expected);
    run.apply_record(Record::from_call_end(11, outcome(&session(), "toolu_11", CALLS[0]))).expect("the call waits");
    let Next::Ask(ask) = run.next() else { panic!("{:?}", run.next()) };
    let Message::Assistant { text, calls, thoughts, .. } = &ask.messages[6] else { panic!("{:?}", ask.messages) };
    assert_eq!((text.as_str(), calls.len(), thoughts.len()), ("I look it up.", 12, 1));
    let collapsed = "Web has collapsed. To see its functions again, call Web.";
    assert_eq!((ask.messages[0].text(), ask.messages[5].text()), ("Use the tools.", collapsed));
    let read: Vec<&str> = ask.messages[7..].iter().map(Message::text).collect();
    assert_eq!(read[0], "Paris: sun for 1 days");
    assert!(read[2].starts_with(r#"{"error_type":"validation_error","tool":"get_weather","error_message":"get_weather was not run: location is required"#), "{}", read[2]);
    assert_eq!(read[7], "Sales:\n[image/png, 4 bytes, not shown]");
    run.apply_record(Record::from_model_answer(Response::from_text("Sun."))).expect("the model is asked");
    assert!(matches!(run.next(), Next::Done(TurnEnd::Answered { text, .. }) if text == "Sun."));
}

#[test]
fn stored_records_of_version_1_rebuild_the_stored_run_of_version_1() {
    let mut run = Run::new().instructions("Use the tools.");
    let mut lines = 0;
    for line in RECORDS.lines() {
        run.apply_record(serde_json::from_str(line).expect("it is a record")).expect("it fits");
        lines += 1;
    }
    assert_eq!((lines, stored(&run)), (records().len(), stored(&read_back(RUN))));
}
