//! What the provider is told, and when it changes.

use std::sync::Arc;

use serde_json::Value;
use tool_runtime::{Format, Session, Toolbox};

use super::tools::{call, group, named};

fn arithmetic() -> Session {
    let toolbox = Toolbox::builder().tool(named("first")).container(group("Math", &["add", "abs"])).build();
    toolbox.expect("all names differ").session()
}

fn definitions(session: &Session, format: Format) -> Vec<Value> {
    serde_json::from_str(&session.definitions(format).to_string()).expect("definitions are JSON")
}

#[test]
fn what_is_visible_is_defined_in_order() {
    let session = arithmetic();
    let names =
        || -> Vec<Value> { definitions(&session, Format::Anthropic).iter().map(|tool| tool["name"].clone()).collect() };
    assert_eq!(names(), ["first", "Math"]);
    let _ = call(&session, "Math", "");
    assert_eq!(names(), ["first", "Math", "add", "abs"]);
}

#[test]
fn a_container_takes_nothing_and_says_what_it_contains() {
    let math = &definitions(&arithmetic(), Format::OpenAi)[1]["function"];
    assert_eq!(math["description"], "A group. Contains 2 functions: add, abs");
    assert_eq!(
        (&math["parameters"]["properties"], &math["parameters"]["additionalProperties"]),
        (&serde_json::json!({}), &false.into())
    );
}

#[test]
fn a_member_is_defined_under_its_advertised_name() {
    let toolbox = Toolbox::builder().container(group("A", &["add"])).container(group("B", &["add"])).build();
    let session = toolbox.expect("qualified names differ").session();
    let _ = call(&session, "A", "");
    assert_eq!(definitions(&session, Format::Mcp)[2]["name"], "A__add");
}

#[test]
fn what_stood_there_before_keeps_its_bytes() {
    let session = arithmetic();
    let before = session.definitions(Format::OpenAi).to_string();
    let _ = call(&session, "Math", "");
    let after = session.definitions(Format::OpenAi).to_string();
    assert!(after.starts_with(before.trim_end_matches(']')), "{after}");
}

#[test]
fn formats_are_kept_apart() {
    let session = arithmetic();
    let [open_ai, anthropic] = [Format::OpenAi, Format::Anthropic].map(|format| session.definitions(format));
    assert_ne!(open_ai, anthropic);
    assert_eq!(session.definitions(Format::OpenAi), open_ai);
}

#[test]
fn nothing_is_rendered_twice() {
    let session = arithmetic();
    let first = session.definitions(Format::OpenAi);
    assert!(Arc::ptr_eq(&first, &session.definitions(Format::OpenAi)));
    let _ = call(&session, "Math", "");
    assert!(!Arc::ptr_eq(&first, &session.definitions(Format::OpenAi)));
}
