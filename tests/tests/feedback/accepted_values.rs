//! Answers name the values that can be sent instead: `null`, nothing, a text of a pattern, the text of an object.

use serde_json::{Map, Value, json};
use tool_dynamic::DynamicTool;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CallContext, Session, Toolbox};

fn session(feedback: FeedbackForm) -> Session {
    let schema = json!({
        "type": "object",
        "properties": {
            "order": {"enum": ["asc", "desc", null]},
            "kind": {"type": ["string", "null"], "enum": ["bug", "task", null]},
            "level": {"type": "integer", "minimum": 1, "maximum": 5},
            "key": {"type": "string", "pattern": "^(?=.*[0-9])(?!.*-)[a-z0-9]{6}$"},
            "body": {"type": "string"},
            "note": {"type": "string", "maxLength": 5},
            "limit": {"type": ["integer", "string", "null"]},
        },
        "required": ["key", "kind"],
    });
    let echo = |arguments: Map<String, Value>, _: &CallContext| Ok::<_, String>(Value::Object(arguments));
    let tool =
        DynamicTool::builder("send", "Sends.", schema.to_string().as_str()).sync_handler(echo).expect("a schema");
    Toolbox::builder().feedback(feedback).no_throttle().tool(tool).build().expect("one tool").session()
}

fn answer(feedback: FeedbackForm, arguments: &Value) -> String {
    pollster::block_on(session(feedback).call("call_1", "send", arguments.to_string())).to_text().into_owned()
}

fn wire(arguments: &Value) -> Value {
    serde_json::from_str(&answer(FeedbackForm::Json, arguments)).expect("an answer is JSON")
}

fn entry(wire: &Value, field: &str) -> Value {
    let entries = wire["retry_hint"]["constraints"].as_array().cloned().unwrap_or_default();
    entries.into_iter().find(|entry| entry["field"] == field).unwrap_or_default()
}

#[test]
fn an_enum_names_null_where_null_is_accepted() {
    let sent = json!({"key": "abc123", "kind": "story", "order": "up"});
    let wire = wire(&sent);
    // The order of the fields in a `json!` schema depends on a feature of `serde_json`.
    let message = wire["error_message"].as_str().unwrap_or_default();
    for finding in ["kind must be one of \"bug\", \"task\" or null", "order must be one of \"asc\", \"desc\" or null"] {
        assert!(message.contains(finding), "{message}");
    }
    assert_eq!(entry(&wire, "kind")["expected"], "one of \"bug\", \"task\" or null");
    assert_eq!(entry(&wire, "kind")["allowed_values"], json!(["bug", "task", null]));
    let guidance = wire["retry_guidance"].as_str().unwrap_or_default();
    assert!(guidance.contains("kind one of \"bug\", \"task\" or null"), "{guidance}");
    for feedback in [FeedbackForm::Sentences, FeedbackForm::Markdown] {
        let text = answer(feedback, &sent);
        assert!(text.contains("one of \"bug\", \"task\" or null"), "{text}");
    }
}

#[test]
fn an_optional_field_may_be_left_out() {
    let wire = wire(&json!({"key": "abc123", "kind": "story", "level": 9}));
    assert_eq!(entry(&wire, "level")["expected"], "integer from 1 to 5, or leave it out");
    assert_eq!(entry(&wire, "kind")["expected"], "one of \"bug\", \"task\" or null");
}

#[test]
fn a_missing_text_without_an_example_has_its_type_and_its_pattern() {
    let wire = wire(&json!({"kind": null}));
    assert_eq!(wire["retry_hint"]["missing_fields"], json!(["key"]));
    let entry = entry(&wire, "key");
    assert_eq!(entry["type"], "string");
    assert_eq!(entry["pattern"], "^(?=.*[0-9])(?!.*-)[a-z0-9]{6}$");
    assert!(wire["retry_hint"].get("example_input").is_none(), "{wire}");
}

#[test]
fn an_object_in_place_of_a_text_is_shown_as_the_text_to_send() {
    let sent = json!({"key": "abc123", "kind": null, "body": {"a": [1, "x"]}});
    assert_eq!(entry(&wire(&sent), "body")["did_you_mean"], r#"{"a":[1,"x"]}"#);
    let markdown = answer(FeedbackForm::Markdown, &sent);
    assert!(markdown.contains(r#""body": "{\"a\":[1,\"x\"]}""#), "{markdown}");
    // The text is too long for the field, or too long to be shown; a list and a field that is not only a text may have another meaning.
    let others = [("body", json!({"a": "x".repeat(300)})), ("body", json!(["a"])), ("limit", json!({"a": 1}))];
    for (field, value) in others.into_iter().chain([("note", json!({"a": 1}))]) {
        let mut sent = json!({"key": "abc123", "kind": null});
        sent[field] = value;
        assert_eq!(entry(&wire(&sent), field).get("did_you_mean"), None, "{sent}");
    }
}

#[test]
fn text_that_is_not_json_is_shown_around_the_fault() {
    let rejected = |text: &str| {
        let outcome = pollster::block_on(session(FeedbackForm::Json).call("call_1", "send", text));
        serde_json::from_str::<Value>(&outcome.to_text()).expect("an answer is JSON")["errors"][0]["attempted_value"]
            .clone()
    };
    assert_eq!(rejected(r#"{"key": "abc123", "level": 1/2}"#), json!(r#"{"key": "abc123", "level": 1❌/2}"#));
    assert_eq!(rejected(r#"{"key": "abc123", "level": "#), json!(r#"{"key": "abc123", "level": ❌"#));
    let long =
        format!("{{\"body\": \"{}\", \"level\": 1/2, \"note\": \"{}\"}}", "é".repeat(500), "\u{200b}".repeat(500));
    let shown = rejected(&long);
    let shown = shown.as_str().unwrap_or_default();
    assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("1❌/2") && shown.len() <= 200, "{shown}");
}
