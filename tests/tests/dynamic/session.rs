//! A tool from a schema in a session: definitions, answers, hints, and the arguments of its handler.

use std::task::{Context, Poll, Waker};
use std::{future::Future, pin::pin};

use serde_json::{Value, json};
use tool_dynamic::{DynamicTool, UnknownFields};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::{CallContext, Dialect, Outcome, Session, ToolError, Toolbox};

const SCHEMA: &str = r##"{
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "title": "Order",
    "properties": {
        "zone": {"type": "string", "description": "Time zone.", "default": "UTC"},
        "amount": {"$ref": "#/definitions/amount"},
        "unit": {"enum": ["kg", "lb"]}
    },
    "required": ["amount", "unit"],
    "definitions": {"amount": {"type": "number", "minimum": 0}}
}"##;

fn session(tool: DynamicTool) -> Session {
    Toolbox::builder().tool(tool).build().expect("one tool has no clashes").session()
}

fn echo(schema: &str) -> DynamicTool {
    let handler =
        |arguments: serde_json::Map<String, Value>, _: &CallContext| Ok::<_, String>(Value::Object(arguments));
    DynamicTool::builder("weigh", "Weighs something.", schema).sync_handler(handler).expect("the schema is one")
}

fn call(session: &Session, arguments: &str) -> Outcome {
    let call = pin!(session.call("call_1", "weigh", arguments));
    match call.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("nothing here waits"),
    }
}

#[test]
fn a_model_sees_the_unchanged_schema() {
    let session = session(echo(SCHEMA));
    let compact: String = tool_schema::json::Json::parse(SCHEMA).expect("it is JSON").to_text();
    for (format, key) in [
        (Dialect::OPENAI, "parameters"),
        (Dialect::ANTHROPIC, "input_schema"),
        (Dialect::GEMINI, "parametersJsonSchema"),
        (Dialect::MCP, "inputSchema"),
    ] {
        let definitions = session.definitions_in(format).to_string();
        assert!(definitions.contains(&format!("\"{key}\":")), "{definitions}");
    }
    let definitions = session.definitions_in(Dialect::MCP).to_string();
    assert!(definitions.contains(&compact), "{definitions}");
}

#[test]
fn branches_at_the_root_are_converted_for_each_provider() {
    let schema = r##"{"type":"object","oneOf":[{"$ref":"#/definitions/a"},{"properties":{"b":{"type":"integer"}},"required":["b"]}],
        "definitions":{"a":{"properties":{"a":{"type":"string"}},"required":["a"]}}}"##;
    let session = session(echo(schema));
    let root = |dialect: Dialect, key: &str| {
        let definition = session.definitions_in(dialect).to_value()[0].clone();
        definition.pointer(key).cloned().expect("the definition has a schema")
    };
    let openai = root(Dialect::OPENAI, "/function/parameters");
    assert!(
        openai["oneOf"].is_null() && openai["properties"]["a"].is_object() && openai["properties"]["b"].is_object(),
        "{openai}"
    );
    assert!(root(Dialect::MCP, "/inputSchema")["oneOf"].is_array());
    assert!(!call(&session, "{}").is_ok());
}

#[test]
fn a_valid_call_reaches_the_handler_unchanged() {
    let session = session(echo(SCHEMA));
    let sent = r#"{"amount": 5.0, "unit": "kg", "more": [1]}"#;
    let got: Value = serde_json::from_str(&call(&session, sent).to_text()).expect("the answer is JSON");
    assert_eq!(Some(got), serde_json::from_str(sent).ok());
}

fn rejection(outcome: &Outcome) -> Value {
    outcome.failure().expect("the call was rejected").to_value()
}

#[test]
fn a_rejection_has_the_same_text_as_for_typed_tools() {
    let session = session(echo(SCHEMA));
    let wire = rejection(&call(&session, r#"{"amount": -1, "unit": "KG"}"#));
    assert_eq!(
        wire["error_message"],
        "weigh was not run: unit must be one of \"kg\", \"lb\"; amount must be at least 0"
    );
    assert_eq!(wire["errors"][0]["suggestion"], "kg");
    assert_eq!(
        wire["retry_hint"]["constraints"][1],
        json!({"field": "amount", "expected": "number from 0", "type": "number", "min": 0})
    );
}

#[test]
fn allowed_values_of_other_types_are_unchanged_in_the_hint() {
    let session = session(echo(r#"{"properties": {"size": {"enum": [1, 2, 4]}}, "required": ["size"]}"#));
    let wire = rejection(&call(&session, r#"{"size": 3}"#));
    let hint = &wire["retry_hint"]["constraints"][0];
    assert_eq!((&hint["expected"], &hint["allowed_values"]), (&json!("one of 1, 2, 4"), &json!([1, 2, 4])));
    let wire = rejection(&call(&session, "{}"));
    assert_eq!(wire["retry_hint"]["example_input"], json!({"size": 1}));
}

#[test]
fn a_recursive_schema_is_described_and_checked() {
    let schema = r##"{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"required":["root"],
        "$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"next":{"$ref":"#/$defs/node"}},"required":["name"]}}}"##;
    let session = session(echo(schema));
    assert!(call(&session, r#"{"root":{"name":"a","next":{"name":"b"}}}"#).is_ok());
    let text = call(&session, r#"{"root":{"name":"a","next":{"name":5,"next":{}}}}"#).to_text().into_owned();
    assert!(text.contains("root.next.name must be a string; root.next.next.name is required"), "{text}");
}

#[test]
fn handlers_may_be_async_and_fail() {
    let tool = DynamicTool::new("weigh", "Weighs something.", "{}", |_, cx: CallContext| async move {
        if cx.call_id() == "call_1" { Err(ToolError::new("The scales are broken.")) } else { Ok(()) }
    });
    let text = call(&session(tool.expect("the schema is one")), "{}").to_text().into_owned();
    assert!(text.contains("The scales are broken."), "{text}");
    let tool = DynamicTool::new("weigh", "Weighs something.", "{}", |_, _| async { Ok::<_, String>(()) });
    assert_eq!(call(&session(tool.expect("the schema is one")), "{}").to_text(), "done");
}

#[test]
fn a_closed_object_accepts_the_fields_of_every_subschema_of_allof() {
    let schema = r##"{"type":"object","allOf":[{"$ref":"#/$defs/base"},{"properties":{"b":{"type":"object","properties":{"c":{}}}}}],
        "$defs":{"base":{"type":"object","properties":{"a":{}}}}}"##;
    let tool = DynamicTool::builder("weigh", "", schema)
        .unknown_fields(UnknownFields::Reject)
        .sync_handler(|_, _| Ok::<_, String>(()));
    let tool = tool.expect("the schema is one");
    let paths = |arguments: &str| -> Vec<String> {
        tool.schema().check(&arguments.into()).iter().map(|issue| issue.path.to_string()).collect()
    };
    assert!(paths(r#"{"a":1,"b":{"c":1}}"#).is_empty());
    assert_eq!(paths(r#"{"a":1,"b":{"d":1},"e":1}"#), ["b.d", "e"]);
}

#[test]
fn issues_can_be_read_after_their_tool_is_dropped() {
    let schema = r##"{"properties":{"next":{"$ref":"#"}},"required":["name"],"type":"object"}"##;
    let tool = echo(schema);
    let issues = tool.schema().check(&r#"{"next":{}}"#.into());
    drop(tool);
    let words: Vec<_> = issues.iter().map(|issue| issue.expected.to_string()).collect();
    assert!(words.len() == 2 && words.iter().all(|words| !words.is_empty()), "{words:?}");
}

#[test]
fn halves_of_surrogate_pairs_reach_a_handler_as_replacement_characters() {
    let sent = r#"{"text":"a\ud83d","\udc00":1}"#;
    let tool = DynamicTool::builder("act", "Acts.", r#"{"properties": {"text": {"maxLength": 2}}}"#)
        .sync_handler(|arguments, _| Ok::<_, String>(Value::Object(arguments)))
        .unwrap();
    let session = Toolbox::builder().tool(tool).build().unwrap().session();
    for (id, arguments) in [("call_1", sent.to_owned()), ("call_2", format!("{sent}{}", " ".repeat(20_000)))] {
        let outcome = pollster::block_on(session.call(id, "act", arguments.as_str()));
        let result: Value = serde_json::from_str(&outcome.to_text()).unwrap();
        assert_eq!(result, json!({"text": "a\u{fffd}", "\u{fffd}": 1}));
        assert!(outcome.repairs().is_empty());
    }
    let rejected = pollster::block_on(session.call("call_3", "act", r#"{"text":"\ud83d\ud83d\ud83d"}"#));
    assert_eq!(rejected.failure().map(|failure| failure.issues()[0].constraint.code()), Some("INVALID_LENGTH"));
}

#[test]
fn a_hook_sees_the_replacement_characters_that_a_handler_gets() {
    let hook = |call: &ProposedCall<'_>| {
        assert_eq!(call.argument("text"), Some(json!("a\u{fffd}")));
        Verdict::Run
    };
    let session = Toolbox::builder().tool(echo("{}")).before_call(hook).build().unwrap().session();
    let outcome = pollster::block_on(session.call("call_1", "weigh", r#"{"text":"a\ud83d"}"#));
    assert_eq!(outcome.to_text(), "{\"text\":\"a\u{fffd}\"}");
}

#[test]
fn the_host_of_an_external_tool_decides_about_numbers_of_any_size() {
    let schema = r#"{"properties": {"any": {"type": "number"}, "small": {"maximum": 9}}}"#;
    let tool = DynamicTool::builder("act", "Acts.", schema).external().unwrap();
    let session = Toolbox::builder().tool(tool).build().unwrap().session();
    for (id, arguments) in ["{\"any\":1e400}", "{\"x\":[-1e400]}", "{\"small\":-1e400}"].iter().enumerate() {
        let outcome = pollster::block_on(session.call(format!("call_{id}").as_str(), "act", *arguments));
        assert!(outcome.is_deferred(), "{arguments}: {}", outcome.to_text());
    }
    let rejected = pollster::block_on(session.call("call_9", "act", r#"{"small":1e400}"#));
    assert_eq!(rejected.failure().map(|failure| failure.issues()[0].constraint.code()), Some("INVALID_RANGE"));
}
