//! Damaged, changed and newer stored runs: a clear error, or a run whose requests are still well-formed; never a panic.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use tool_chat::run::{Record, Run};

use super::scripts::{Happens, check, config, fitting, happens, read_back, record, stored};
use super::tools::session;

/// Returns a run with a script applied, as far as it fits.
fn after(script: &[Happens]) -> Run {
    let (session, mut run) = (session(), Run::new().instructions("Use the tools."));
    for happens in script {
        if let Some(record) = record(&run, &session, &fitting(&run, happens)) {
            let _ = run.apply_record(record);
        }
    }
    run
}

fn rejection(text: &str) -> String {
    match serde_json::from_str::<Run>(text) {
        Ok(run) => panic!("{run:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_newer_version_and_another_format_are_rejected_with_a_clear_error() {
    let state = serde_json::from_str::<Value>(&stored(&Run::new())).expect("it is JSON")["state"].clone();
    let newer = json!({"format": "tool-chat run", "format_version": 2, "state": {"all": "new"}});
    let message = "the stored run has version 2 of its format, and this program reads versions up to 1: read it with a newer program";
    assert!(rejection(&newer.to_string()).starts_with(message), "{}", rejection(&newer.to_string()));
    // The keys may come in any order.
    for (format, version) in [("tool-chat run", 2), ("another", 1), ("tool-chat run", 0)] {
        let late = format!(r#"{{"state": {state}, "format_version": {version}, "format": "{format}"}}"#);
        assert!(rejection(&late).contains("stored run"), "{}", rejection(&late));
    }
    let late = format!(r#"{{"state": {state}, "note": [1], "format_version": 1, "format": "tool-chat run"}}"#);
    assert_eq!(stored(&read_back(&late)), stored(&Run::new()));
    for text in ["", "{}", "[]", "null", "3", r#"{"format": "tool-chat run"}"#, r#"{"format_version": 1, "state": {}}"#]
    {
        assert!(!rejection(text).is_empty());
    }
}

#[test]
fn a_truncated_run_is_rejected() {
    let answer = Happens::Answer {
        text: 1,
        calls: (0..12).map(|call| (call, 2)).collect(),
        stop: 1,
        is_cut: false,
        is_offered: false,
    };
    let mut script = vec![Happens::Prompt, answer];
    script.extend((0..12).map(|call| Happens::End { call, like: None, has_other_id: false }));
    let text = stored(&after(&script));
    assert!(text.len() > 5_000 && text.contains("image/png"), "{text}");
    for end in (0..text.len()).step_by(5).filter(|end| text.is_char_boundary(*end)) {
        assert!(serde_json::from_str::<Run>(&text[..end]).is_err(), "cut at {end}");
    }
}

/// Replaces one node of a tree, and returns the number of nodes before it.
fn change(tree: &mut Value, at: usize, with: &Change) -> usize {
    let mut before = 0;
    // Breadth first, so that the depth needs no bound.
    let mut nodes = std::collections::VecDeque::from([tree]);
    while let Some(node) = nodes.pop_front() {
        if at == before {
            with.apply(node);
            return before;
        }
        before += 1;
        match node {
            Value::Array(items) => nodes.extend(items),
            Value::Object(members) => nodes.extend(members.values_mut()),
            _ => {}
        }
    }
    before
}

/// A change of one node.
#[derive(Clone, Debug)]
enum Change {
    Replace(Value),
    /// Another value of the same type.
    Vary,
}

impl Change {
    fn apply(&self, node: &mut Value) {
        match (self, node) {
            (Self::Replace(value), node) => node.clone_from(value),
            (Self::Vary, Value::Number(number)) => *number = number.as_u64().unwrap_or_default().wrapping_add(1).into(),
            (Self::Vary, Value::String(text)) => text.push('a'),
            (Self::Vary, Value::Bool(is_set)) => *is_set = !*is_set,
            (Self::Vary, Value::Array(items)) if items.len() % 2 == 0 => drop(items.pop()),
            (Self::Vary, Value::Array(items)) => items.extend(items.first().cloned()),
            (Self::Vary, Value::Object(members)) => {
                let key = members.keys().next().cloned().unwrap_or_default();
                members.remove(&key);
            }
            (Self::Vary, Value::Null) => {}
        }
    }
}

fn changes() -> impl Strategy<Value = Change> {
    prop_oneof![3 => Just(Change::Vary), 2 => replacement().prop_map(Change::Replace)]
}

fn replacement() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (0..6_u64).prop_map(Value::from),
        prop::sample::select(vec![
            json!(u64::MAX),
            json!(-1),
            json!(1.5),
            json!(""),
            json!("a"),
            json!("call_1"),
            json!([])
        ]),
        prop::sample::select(vec![
            json!({}),
            json!([0, 0]),
            json!("ask"),
            json!({"prompt": 0}),
            json!({"step": {"said": null, "first": 0, "count": 9_000_000_000_000_000_000_u64}}),
            json!({"calls": {"said": {"entry": null, "thoughts": []}, "is_cut": false, "calls": []}}),
            json!({"wait": {"said": {"entry": 0, "thoughts": ["{"]}, "first": 1, "count": 3}}),
            json!({"secs": u64::MAX, "nanos": 999_999_999}),
        ]),
    ]
}

#[test]
fn a_changed_run_is_rejected_or_still_has_well_formed_requests() {
    let (mut kept, mut rejected) = (0_usize, 0_usize);
    let counts = std::cell::RefCell::new((&mut kept, &mut rejected));
    let changes = prop::collection::vec((0..4_000_usize, changes()), 1..3);
    let scripts = (prop::collection::vec(happens(), 4..30), changes, prop::collection::vec(happens(), 0..8));
    let result = TestRunner::new(config(192)).run(&scripts, |(script, changes, more)| {
        let mut tree: Value = serde_json::from_str(&stored(&after(&script))).expect("a run is JSON");
        for (at, with) in &changes {
            let nodes = change(&mut tree["state"], usize::MAX, with);
            // The envelope is tested above, and a state without members is always rejected.
            change(&mut tree["state"], 1 + at % (nodes - 1).max(1), with);
        }
        let mut counts = counts.borrow_mut();
        let Ok(mut run) = serde_json::from_value::<Run>(tree) else {
            *counts.1 += 1;
            return Ok(());
        };
        *counts.0 += 1;
        let session = session();
        for happens in more {
            // A changed file may have any texts and ids, but no call without an answer.
            if let Some(record) = record(&run, &session, &happens) {
                let _ = run.apply_record(record);
            }
            answered(&mut run).map_err(TestCaseError::fail)?;
            run = read_back(&stored(&run));
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(kept > 20 && rejected > 50, "{kept} kept, {rejected} rejected");
}

/// Checks a request as [`check`] does, except for ids and texts, which a file may change at will.
fn answered(run: &mut Run) -> Result<(), String> {
    check(run, "", None).map(drop).or_else(|violation| {
        let is_tolerated = ["ids of message", "an id of", "again, or no call", "is empty"];
        if is_tolerated.iter().any(|words| violation.contains(words)) { Ok(()) } else { Err(violation) }
    })
}

#[test]
fn json_that_is_not_a_record_is_rejected() {
    for text in
        ["{}", r#""started""#, r#"{"started": {"call": -1}}"#, r#"{"ended": {"call": 0}}"#, r#"{"unknown": {}}"#]
    {
        assert!(serde_json::from_str::<Record>(text).is_err(), "{text}");
    }
}
