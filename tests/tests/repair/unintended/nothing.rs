//! `[]` in place of the arguments.

use serde_json::json;
use tool_runtime::RepairPolicy;

use super::{call, ran, session};

#[test]
fn an_empty_list_means_no_arguments_where_nothing_else_can_be_meant() {
    for schema in [
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"limit": {"type": "integer"}, "near": {"type": "object"}}}),
    ] {
        let session = session("list", &schema, RepairPolicy::Lossless);
        for arguments in ["[]", " [ ] ", r#""[]""#] {
            let is_text = arguments.starts_with('"');
            assert_eq!(ran(&session, "list", arguments).is_some(), !is_text, "{schema} {arguments}");
        }
        assert_eq!(call(&session, "list", "[]").repairs()[0].to_string(), "Read [] as {}.");
        assert_eq!(ran(&session, "list", "[1]"), None);
        assert_eq!(ran(&session, "list", "[[]]"), None);
    }
}

#[test]
fn an_empty_list_is_rejected_where_it_may_be_an_argument() {
    for schema in [
        json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}),
        json!({"type": "object", "properties": {"tags": {"type": "array"}}}),
        json!({"type": "object", "properties": {"tags": {"type": ["array", "null"]}}}),
        json!({"type": "object", "properties": {"tags": {"anyOf": [{"type": "string"}, {"type": "array"}]}}}),
        json!({"type": "object", "properties": {"any": {}}}),
    ] {
        let lossless = session("list", &schema, RepairPolicy::Assisted);
        assert_eq!(ran(&lossless, "list", "[]"), None, "{schema}");
    }
    let strict = session("list", &json!({"type": "object"}), RepairPolicy::Strict);
    assert_eq!(ran(&strict, "list", "[]"), None);
}

#[test]
fn two_objects_in_one_call_are_answered_with_the_way_to_make_two_calls() {
    let session = session("run", &json!({"type": "object"}), RepairPolicy::Lossless);
    let answer = call(&session, "run", r#"{"command": "ls"}{"command": "pwd"}"#).to_text().into_owned();
    assert!(answer.contains("If you mean several calls, make one call for each object."), "{answer}");
}
