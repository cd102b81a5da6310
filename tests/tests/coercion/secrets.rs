//! No line of the ledger repeats a secret, or what may be one.

use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_runtime::json::Json;
use tool_runtime::repair::{Policy, replay_values};

use crate::coerced;

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Login {
    user: u32,
    #[tool(sensitive)]
    pin: u32,
    #[tool(sensitive)]
    #[serde(default)]
    keys: std::collections::BTreeMap<String, u8>,
    #[serde(default)]
    devices: Vec<Device>,
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Device {
    name: String,
}

fn ledger(sent: &str) -> String {
    let coerced = coerced(Login::SHAPE, sent, Policy::Assisted);
    assert!(coerced.issues.is_empty(), "{:?}", coerced.issues);
    let lines: Vec<_> = coerced.repairs.iter().map(|line| format!("{line}\n{line:?}")).collect();
    lines.join("\n")
}

#[test]
fn a_sensitive_value_is_not_in_the_ledger() {
    let sent = r#"{"user": "7", "pin": "4711", "keys": {"k-4711": "5"}}"#;
    let coerced = coerced(Login::SHAPE, sent, Policy::Lossless);
    let lines: Vec<String> = coerced.repairs.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            r#"Read user "7" as 7."#,
            r#"Read pin "<redacted>" as "<redacted>"."#,
            r#"Read keys["<redacted>"] "<redacted>" as "<redacted>"."#,
        ]
    );
}

#[test]
fn nothing_secret_is_in_the_ledger_however_it_was_sent() {
    for sent in [
        r#"{"user": 7, "pin": "4711"}"#,
        r#"{"user": 7, "pin": 4711.0}"#,
        r#"{"user": 7, "pin": "\"4711\""}"#,
        r#""{\"user\": 7, \"pin\": 4711}""#,
        r#"{"user": 7, "PIN": "4711"}"#,
        r#"{"user": 7, "pin": 1, "keys": "{\"4711\": \"47.0\"}"}"#,
        // A secret that was put into a place that has none.
        r#"{"user": 7, "pin": 1, "devices": {"name": "4711"}}"#,
        r#"{"user": 7, "pin": 1, "devices": "[{\"name\": \"4711\"}]"}"#,
    ] {
        let ledger = ledger(sent);
        assert!(!ledger.is_empty() && !ledger.contains("4711"), "{sent}: {ledger}");
    }
}

#[test]
fn what_is_redacted_can_be_replayed_where_the_rule_says_enough() {
    let sent = r#"{"user": 7, "pin": "4711.0"}"#;
    let coerced = coerced(Login::SHAPE, sent, Policy::Lossless);
    let replayed = Json::parse(sent).ok().and_then(|json| replay_values(json, &coerced.repairs));
    assert_eq!(replayed, Some(coerced.value));
}
