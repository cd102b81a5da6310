//! Optional arguments that were left out, although the model may have wanted to clear a value.

use serde_json::{Value, json};
use tool_dynamic::DynamicTool;
use tool_runtime::tool::Annotations;
use tool_runtime::{CallContext, Outcome, RepairPolicy, Toolbox};

use super::{call, session};

fn task() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "due": {"type": "string", "format": "date"},
            "kind": {"enum": ["bug", "task"]},
            "note": {"type": ["string", "null"]},
            "owner": {"nullable": true, "oneOf": [{"enum": ["ann", "bob"]}, {"type": "integer"}]},
            "place": {"nullable": true, "anyOf": [{"type": "string"}]},
        },
        "required": ["id"],
    })
}

#[test]
fn the_model_reads_that_null_was_left_out() {
    let session = session("update", &task(), RepairPolicy::Lossless);
    let outcome = call(&session, "update", r#"{"id": 1, "due": null}"#);
    assert_eq!(outcome.value(), Some(json!({"id": 1})));
    assert_eq!(outcome.remark(), Some("due was left out of the call, because its schema does not allow null."));
    assert_eq!(outcome.to_text(), format!("{}\n{}", r#"{"id":1}"#, outcome.remark().unwrap_or_default()));
    assert_eq!(outcome.to_text().into_owned(), outcome.into_text());

    let outcome = call(&session, "update", r#"{"id": 1, "kind": ""}"#);
    assert_eq!(outcome.value(), Some(json!({"id": 1})));
    assert_eq!(outcome.remark(), Some(r#"kind was left out of the call, because its schema does not allow ""."#));

    let outcome = call(&session, "update", r#"{"id": 1, "due": null, "kind": null}"#);
    assert_eq!(outcome.remark(), Some("due, kind were left out of the call, because their schemas do not allow null."));
    let stored = serde_json::to_string(&outcome).expect("an outcome is JSON");
    let again: Outcome = serde_json::from_str(&stored).expect("it was stored");
    assert_eq!(again.to_text(), outcome.to_text());
}

#[test]
fn null_that_the_schema_allows_is_kept() {
    let session = session("update", &task(), RepairPolicy::Lossless);
    for sent in [json!({"id": 1, "note": null}), json!({"id": 1, "owner": null}), json!({"id": 1, "place": null})] {
        let outcome = call(&session, "update", &sent.to_string());
        assert_eq!((outcome.value(), outcome.remark()), (Some(sent.clone()), None), "{sent}");
    }
}

#[test]
fn other_repairs_and_failed_calls_have_no_remark() {
    let session = session("update", &task(), RepairPolicy::Lossless);
    assert_eq!(call(&session, "update", r#"{"id": "1"}"#).remark(), None);
    assert_eq!(call(&session, "update", r#"{"id": "one", "due": null}"#).remark(), None);
}

#[test]
fn a_tool_that_changes_nothing_needs_no_remark() {
    let read_only = Annotations { read_only: Some(true), ..Annotations::default() };
    let tool = DynamicTool::builder("find", "Finds.", task().to_string().as_str())
        .annotations(read_only)
        .sync_handler(|arguments: serde_json::Map<String, Value>, _: &CallContext| {
            Ok::<_, String>(Value::Object(arguments))
        })
        .expect("the schema is one");
    let session = Toolbox::builder().tool(tool).build().expect("one tool").session();
    let outcome = call(&session, "find", r#"{"id": 1, "due": null}"#);
    assert_eq!((outcome.to_text().as_ref(), outcome.remark()), (r#"{"id":1}"#, None));
}

#[test]
fn the_model_reads_that_a_word_for_nothing_was_left_out() {
    let session = session("update", &task(), RepairPolicy::Lossless);
    let outcome = call(&session, "update", r#"{"id": 1, "kind": "None"}"#);
    assert_eq!(outcome.value(), Some(json!({"id": 1})));
    assert_eq!(outcome.remark(), Some(r#"kind was left out of the call, because its schema does not allow "None"."#));
    let outcome = call(&session, "update", r#"{"id": 1, "kind": "undefined", "due": null}"#);
    let remark = "due, kind were left out of the call, because their schemas do not allow an empty value.";
    assert_eq!(outcome.remark(), Some(remark));
    let outcome = call(&session, "update", r#"{"id": 1, "owner": "null", "note": "None"}"#);
    assert_eq!((outcome.value(), outcome.remark()), (Some(json!({"id": 1, "owner": null, "note": "None"})), None));
}

#[test]
fn the_example_of_an_object_that_must_not_be_empty_has_a_member() {
    let changes = json!({"type": "object", "properties": {"title": {"type": "string"}}, "minProperties": 1});
    let schema = json!({"type": "object", "properties": {"changes": changes}, "required": ["changes"]});
    let session = session("update", &schema, RepairPolicy::Lossless);
    for sent in [r#"{"changes": {"title": null}}"#, r#"{"changes": {}}"#, "{}"] {
        let answer = call(&session, "update", sent).to_text().into_owned();
        assert!(answer.contains(r#"{"title":"text"}"#) && !answer.contains(r#""example":{}"#), "{sent}: {answer}");
    }
}
