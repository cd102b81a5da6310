//! Texts about a field that accepts several JSON types, and about a type that only `schemars` can describe.
//!
//! A hint never names one type if several are valid, and the text is still helpful.

#![allow(dead_code)] // The decoded values are not read.

use serde::Deserialize;
use serde_json::Value;
use tool_runtime::Arguments;
use tool_runtime::RetryHint;
use tool_runtime::ToolInput;
use tool_schema::decode::decode;

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Amount {
    Number(f64),
    Text(String),
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Foreign {
    q: u8,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Call {
    amount: Option<Amount>,
    limit: Option<u8>,
    #[serde(default)]
    #[tool(schemars)]
    foreign: Option<Foreign>,
}

/// Returns the message of the only issue, and the only constraint of the hint.
fn rejected(text: &str) -> (String, Value) {
    let error = decode::<Call>(&Arguments::from(text)).err().expect("the call is rejected");
    let hint = RetryHint::from_issues("pay", error.issues()).to_json();
    let hint: Value = serde_json::from_str(&hint).expect("a hint is JSON");
    (error.issues()[0].message(), hint["constraints"][0].clone())
}

#[test]
fn a_message_names_all_types_that_a_field_accepts() {
    let (message, constraint) = rejected(r#"{"amount": true}"#);
    assert_eq!(message, "amount must be a string, a number or null");
    assert_eq!((constraint.get("type"), &constraint["example"]), (None, &1.into()));
    let (_, constraint) = rejected(r#"{"limit": true}"#);
    assert_eq!(constraint["type"], "integer");
}

#[test]
fn a_foreign_type_is_described_by_its_schema() {
    let (message, constraint) = rejected(r#"{"foreign": {"q": 300}}"#);
    assert_eq!(message, "foreign does not match its schema");
    assert_eq!(constraint["expected"], "value that fits its schema, or leave it out");
}

#[test]
fn a_foreign_type_is_checked_together_with_other_faults() {
    let text = r#"{"amount": true, "limit": 300, "foreign": {"q": 300}}"#;
    let error = decode::<Call>(&Arguments::from(text)).err().expect("the call is rejected");
    let told: Vec<_> = error.issues().iter().map(tool_runtime::Issue::message).collect();
    assert_eq!(
        told,
        ["amount must be a string, a number or null", "limit must be at most 255", "foreign does not match its schema",]
    );
    let fitting = r#"{"amount": true, "foreign": {"q": 3}}"#;
    let error = decode::<Call>(&Arguments::from(fitting)).err().expect("the call is rejected");
    assert_eq!(error.issues().len(), 1, "{error}");
}
