//! The envelope of a call inside its arguments.

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::fixer::fix;
use tool_runtime::RepairPolicy;

use super::{call, ran, session};

fn user(is_closed: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"],
    });
    if is_closed {
        schema["additionalProperties"] = false.into();
    }
    schema
}

fn weather(is_closed: bool) -> Value {
    let mut schema = json!({"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]});
    if is_closed {
        schema["additionalProperties"] = false.into();
    }
    schema
}

#[test]
fn the_tools_own_call_is_unwrapped() {
    let inner = json!({"name": "Ada", "age": 3});
    let text = inner.to_string();
    for is_closed in [true, false] {
        let session = session("create_user", &user(is_closed), RepairPolicy::Lossless);
        for sent in [
            json!({"name": "create_user", "arguments": inner}),
            json!({"name": "create_user", "parameters": inner}),
            json!({"tool": "create_user", "args": inner}),
            json!({"function": "functions.create_user", "arguments": text}),
            json!({"type": "function", "function": {"name": "create_user", "arguments": text}}),
            json!({"type": "tool_use", "id": "call_1", "tool_name": "createUser", "input": inner}),
            json!({"arguments": inner}),
            json!({"arguments": {"arguments": text}}),
            json!({"params": {"name": "Ada", "age": "3"}}),
            json!({"create_user": inner}),
            json!({"properties": inner, "type": "object", "required": ["name", "age"]}),
        ] {
            assert_eq!(
                ran(&session, "create_user", &sent.to_string()),
                Some(inner.clone()),
                "{sent}, closed: {is_closed}"
            );
        }
    }
}

#[test]
fn an_envelope_that_is_not_certain_is_rejected_with_the_way_out() {
    let inner = json!({"name": "Ada", "age": 3});
    for is_closed in [true, false] {
        let session = session("create_user", &user(is_closed), RepairPolicy::Assisted);
        for (sent, wanted) in [
            (json!({"name": "Bob", "arguments": inner}), Some(&inner)),
            (json!({"name": "Bob", "arguments": {"age": 3}}), Some(&json!({"name": "Bob", "age": 3}))),
            (json!({"name": "create_user", "arguments": {"age": 3}}), None),
            (json!({"name": "delete_user", "arguments": inner}), Some(&inner)),
            (json!({"age": 4, "arguments": inner}), Some(&inner)),
            (json!({"user": inner}), Some(&inner)),
            (json!({"name": "create_user", "arguments": {"name": "Ada", "age": "old"}}), None),
        ] {
            let outcome = call(&session, "create_user", &sent.to_string());
            assert_eq!(outcome.value(), None, "{sent}");
            let answer: Value = serde_json::from_str(&outcome.to_text()).expect("a rejection is JSON");
            assert!(
                answer["retry_guidance"].as_str().is_some_and(|text| text.contains("at the top level")),
                "{sent}: {answer}"
            );
            let next = fix(&answer["retry_hint"].to_string(), &sent.to_string());
            if let Some(wanted) = wanted {
                assert_eq!(ran(&session, "create_user", &next).as_ref(), Some(wanted), "{sent}: {next}");
            }
        }
    }
}

#[test]
fn the_name_of_the_tool_never_becomes_a_value() {
    for is_closed in [true, false] {
        let session = session("create_user", &user(is_closed), RepairPolicy::Assisted);
        for content in [json!({}), json!({"years": 3}), json!({"age": 3}), json!("{}"), json!({"name": 5})] {
            let mut sent = json!({"name": "create_user", "arguments": content}).to_string();
            for _ in 0..4 {
                let outcome = call(&session, "create_user", &sent);
                if let Some(value) = outcome.value() {
                    assert_ne!(value["name"], "create_user", "{content}");
                    break;
                }
                let answer: Value = serde_json::from_str(&outcome.to_text()).expect("a rejection is JSON");
                sent = fix(&answer["retry_hint"].to_string(), &sent);
            }
        }
    }
}

#[test]
fn two_objects_with_arguments_are_not_chosen_from() {
    let session = session("get_weather", &weather(false), RepairPolicy::Assisted);
    for sent in [
        json!({"old": {"city": "A"}, "new": {"city": "B"}}),
        json!({"arguments": {"city": "A"}, "parameters": {"city": "B"}}),
        json!({"exclude": {"city": "A"}}),
        json!({"error": {"city": "must not be A"}}),
        json!({"type": "object", "properties": {"city": {"type": "string"}}}),
    ] {
        let outcome = call(&session, "get_weather", &sent.to_string());
        assert!(!outcome.is_ok() && !outcome.to_text().contains("at the top level"), "{sent}: {}", outcome.to_text());
    }
    let repeated = r#"{"arguments": {"city": "A", "city": "B"}}"#;
    assert!(!call(&session, "get_weather", repeated).is_ok());
}

#[test]
fn a_key_beside_a_wrapper_is_a_part_of_a_call_only_if_the_object_is_one() {
    let schema = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "all": {"type": "boolean"}},
        "additionalProperties": false,
    });
    for is_closed in [true, false] {
        let mut schema = schema.clone();
        schema["additionalProperties"] = (!is_closed).into();
        let session = session("rm", &schema, RepairPolicy::Assisted);
        for sent in [
            json!({"id": "a.txt", "arguments": {}}),
            json!({"title": "keep b", "arguments": {"all": true}}),
            json!({"required": false, "arguments": {"all": true}}),
            json!({"definitions": {"days": 3}, "parameters": {"all": true}}),
            json!({"index": 3, "args": {"all": true}}),
            json!({"rm": {"all": true}, "title": "keep"}),
            json!({"name": "rm", "id": {"path": "b"}, "arguments": {"all": true}}),
            json!({"name": "rm", "title": "keep", "arguments": {"all": true}}),
            json!({"title": "keep", "properties": {"all": true}}),
        ] {
            let ran = ran(&session, "rm", &sent.to_string());
            assert!(ran.is_none() || ran.as_ref() == Some(&sent) && !is_closed, "{sent}: {ran:?}");
        }
    }
    let required = session(
        "rm",
        &json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}),
        RepairPolicy::Assisted,
    );
    assert_eq!(ran(&required, "rm", r#"{"title": "keep", "arguments": {"path": "a"}}"#), None);
    assert_eq!(
        ran(&required, "rm", r#"{"name": "rm", "id": "call_1", "arguments": {"path": "a"}}"#),
        Some(json!({"path": "a"}))
    );
}

#[test]
fn a_call_of_a_tool_in_a_namespace_is_another_call() {
    let schema = json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]});
    let session = session("delete", &schema, RepairPolicy::Assisted);
    let outcome = call(&session, "delete", r#"{"tool": "drafts.delete", "arguments": {"id": 1}}"#);
    assert!(
        outcome.value().is_none() && outcome.to_text().contains("If you mean drafts.delete, call it"),
        "{}",
        outcome.to_text()
    );
    let own = r#"{"tool": "functions.delete", "arguments": {"id": 1}}"#;
    assert_eq!(ran(&session, "delete", own), Some(json!({"id": 1})));
}

#[test]
fn the_parts_of_a_call_never_become_values() {
    let event = json!({
        "type": "object",
        "properties": {"title": {"type": "string"}, "id": {"type": "string"}, "type": {"type": "string"}},
        "required": ["title"], "additionalProperties": false,
    });
    let session_of_event = session("ev", &event, RepairPolicy::Lossless);
    let sent = json!({"type": "tool_use", "id": "toolu_1", "name": "ev", "input": {"title": "x"}});
    let answer = call(&session_of_event, "ev", &sent.to_string()).to_text().into_owned();
    assert!(answer.contains("Call ev again with only the content of input, at the top level."), "{answer}");

    let user = json!({
        "type": "object",
        "properties": {"email": {"type": "string"}, "name": {"type": "string"}, "phone": {"type": "string"}},
        "required": ["email"], "additionalProperties": false,
    });
    let session = session("create_user", &user, RepairPolicy::Lossless);
    let sent = json!({"name": "create_user", "arguments": {"email": "x"}, "phone": "5"});
    let answer = call(&session, "create_user", &sent.to_string()).to_text().into_owned();
    let guidance = "Call create_user again with the content of arguments at the top level and without name. Keep the other arguments as they were.";
    assert!(answer.contains(guidance), "{answer}");
    assert!(answer.contains(r#""content":"joins_arguments","of_tool":"create_user","without":"name""#), "{answer}");
}

#[test]
fn the_call_of_another_tool_names_that_tool() {
    let session = session("get_weather", &weather(false), RepairPolicy::Lossless);
    let text =
        call(&session, "get_weather", r#"{"name": "get_time", "arguments": {"city": "Paris"}}"#).to_text().into_owned();
    assert!(text.contains("If you mean get_time, call it under that name. Otherwise call get_weather again"), "{text}");
    assert!(text.contains(r#""of_tool":"get_time""#), "{text}");
}

#[test]
fn arguments_beside_a_wrapper_are_kept() {
    let session = session("get_weather", &weather(true), RepairPolicy::Lossless);
    let sent = r#"{"arguments": {"city": "Paris"}, "days": "3"}"#;
    let outcome = call(&session, "get_weather", sent);
    let answer: Value = serde_json::from_str(&outcome.to_text()).expect("a rejection is JSON");
    assert!(
        answer["retry_guidance"].as_str().is_some_and(|text| text.ends_with("Keep the other arguments as they were.")),
        "{answer}"
    );
    let next = fix(&answer["retry_hint"].to_string(), sent);
    assert_eq!(ran(&session, "get_weather", &next), Some(json!({"city": "Paris", "days": 3})));
}

#[test]
fn a_parameter_is_never_a_wrapper() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
        "required": ["name", "arguments"],
    });
    let session = session("run", &schema, RepairPolicy::Assisted);
    let mut closed = schema;
    closed["additionalProperties"] = false.into();
    let closed = super::session("run", &closed, RepairPolicy::Assisted);
    let text = call(&closed, "run", r#"{"name": "t", "parameters": {"a": 1}}"#).to_text().into_owned();
    assert!(text.contains("arguments in place of parameters if you mean it"), "{text}");
    let sent = json!({"name": "run", "arguments": {"name": "other", "arguments": {"a": 1}}});
    assert_eq!(ran(&session, "run", &sent.to_string()), Some(sent));
    for sent in [
        json!({"arguments": {"name": "other", "arguments": {}}}),
        json!({"name": "t", "parameters": {"a": 1}}),
        json!({"name": "run", "parameters": {"a": 1}}),
    ] {
        assert_eq!(ran(&session, "run", &sent.to_string()), None, "{sent}");
    }
}

#[test]
fn a_schema_that_is_sent_back_is_no_value() {
    let session = session("get_weather", &weather(false), RepairPolicy::Assisted);
    let sent = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
    assert_eq!(ran(&session, "get_weather", sent), None);
    assert_eq!(ran(&session, "get_weather", r#"{"arguments": "Paris"}"#), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: tests::cases(256), ..ProptestConfig::default() })]

    /// The tool runs with the inner arguments or not at all, also after the hint was followed.
    #[test]
    fn an_envelope_never_becomes_a_value(
        name_key in prop::sample::select(vec!["name", "tool", "function", "type", "label"]),
        name in prop::sample::select(vec!["create_user", "createUser", "delete_user", "Bob", "function"]),
        content in prop::sample::select(vec!["arguments", "parameters", "args", "input", "create_user", "payload"]),
        is_text in any::<bool>(), is_closed in any::<bool>(), age in prop::sample::select(vec![json!(3), json!("3")]),
    ) {
        let session = session("create_user", &user(is_closed), RepairPolicy::Assisted);
        let inner = json!({"name": "Ada", "age": age});
        let sent = json!({name_key: name, content: if is_text { inner.to_string().into() } else { inner }}).to_string();
        let intended = json!({"name": "Ada", "age": 3});
        let outcome = call(&session, "create_user", &sent);
        let value = outcome.value().or_else(|| {
            let answer: Value = serde_json::from_str(&outcome.to_text()).expect("a rejection is JSON");
            ran(&session, "create_user", &fix(&answer["retry_hint"].to_string(), &sent))
        });
        if let Some(mut value) = value {
            // An open schema keeps keys that it does not list.
            value.as_object_mut().expect("it is an object").retain(|key, _| key == "name" || key == "age");
            prop_assert_eq!(value, intended, "{}", sent);
        }
    }
}
