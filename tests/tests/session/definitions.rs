//! Definitions for the provider, and when they change.

use std::sync::Arc;

use serde_json::Value;
use tool_runtime::{Dialect, Session, Toolbox};

use super::tools::{call, group, named};

fn arithmetic() -> Session {
    let toolbox = Toolbox::builder().tool(named("first")).container(group("Math", &["add", "abs"])).build();
    toolbox.expect("all names differ").session()
}

fn definitions(session: &Session, dialect: Dialect) -> Vec<Value> {
    serde_json::from_str(&session.definitions_in(dialect).to_string()).expect("definitions are JSON")
}

#[test]
fn visible_tools_are_defined_in_order() {
    let session = arithmetic();
    let names = || -> Vec<Value> {
        definitions(&session, Dialect::ANTHROPIC).iter().map(|tool| tool["name"].clone()).collect()
    };
    assert_eq!(names(), ["first", "Math"]);
    let _ = call(&session, "Math", "");
    assert_eq!(names(), ["first", "Math", "add", "abs"]);
}

#[test]
fn a_container_takes_no_arguments_and_describes_its_members() {
    let math = &definitions(&arithmetic(), Dialect::OPENAI)[1]["function"];
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
    assert_eq!(definitions(&session, Dialect::MCP)[2]["name"], "A__add");
}

#[test]
fn existing_definitions_keep_their_bytes_after_an_expansion() {
    let session = arithmetic();
    let before = session.definitions().to_string();
    let _ = call(&session, "Math", "");
    let after = session.definitions().to_string();
    assert!(after.starts_with(before.trim_end_matches(']')), "{after}");
}

#[test]
fn dialects_are_cached_separately() {
    let session = arithmetic();
    let [open_ai, anthropic] = [Dialect::OPENAI, Dialect::ANTHROPIC].map(|dialect| session.definitions_in(dialect));
    assert_ne!(open_ai, anthropic);
    assert_eq!(session.definitions(), open_ai);
}

#[test]
fn nothing_is_rendered_twice() {
    let session = arithmetic();
    let first = session.definitions();
    assert!(Arc::ptr_eq(&first, &session.definitions()));
    let _ = call(&session, "Math", "");
    assert!(!Arc::ptr_eq(&first, &session.definitions()));
}
