//! The ledger contains no secrets and no possible secrets.

use serde::Deserialize;
use tests::replay::{replay, replay_values};
use tool_runtime::ToolInput;
use tool_runtime::{Repair, RepairPolicy};
use tool_schema::json::Json;
use tool_schema::repair::{RepairedArguments, repair_arguments};
use tool_schema::shape::Ref;

use crate::repair::coerce::coerced;

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
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Device {
    name: String,
}

fn ledger(sent: &str) -> String {
    let coerced = coerced(Login::SHAPE, sent, RepairPolicy::Assisted);
    assert!(coerced.issues.is_empty(), "{:?}", coerced.issues);
    let lines: Vec<_> = coerced.repairs.iter().map(|line| format!("{line}\n{line:?}")).collect();
    lines.join("\n")
}

#[test]
fn sensitive_values_are_not_in_the_ledger() {
    let sent = r#"{"user": "7", "pin": "4711", "keys": {"k-4711": "5"}}"#;
    let coerced = coerced(Login::SHAPE, sent, RepairPolicy::Lossless);
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
fn secrets_are_not_in_the_ledger_in_whatever_form_they_were_sent() {
    for sent in [
        r#"{"user": 7, "pin": "4711"}"#,
        r#"{"user": 7, "pin": 4711.0}"#,
        r#"{"user": 7, "pin": "\"4711\""}"#,
        r#""{\"user\": 7, \"pin\": 4711}""#,
        r#"{"user": 7, "PIN": "4711"}"#,
        r#"{"user": 7, "pin": 1, "keys": "{\"4711\": \"47.0\"}"}"#,
        // A secret in a location that is not sensitive.
        r#"{"user": 7, "pin": 1, "devices": {"name": "4711"}}"#,
        r#"{"user": 7, "pin": 1, "devices": "[{\"name\": \"4711\"}]"}"#,
    ] {
        let ledger = ledger(sent);
        assert!(!ledger.is_empty() && !ledger.contains("4711"), "{sent}: {ledger}");
    }
}

#[test]
fn a_redacted_repair_can_be_replayed_if_its_rule_is_sufficient() {
    let sent = r#"{"user": 7, "pin": "4711.0"}"#;
    let coerced = coerced(Login::SHAPE, sent, RepairPolicy::Lossless);
    let replayed = Json::parse(sent).ok().and_then(|json| replay_values(json, &coerced.repairs));
    assert_eq!(replayed, Some(coerced.value));
}

/// Returns the ledger of the whole repair of a text.
fn ledger_of_a_text(sent: &str) -> Vec<Repair> {
    let arguments = sent.into();
    match repair_arguments("login", &Ref::Static(Login::SHAPE), &arguments, RepairPolicy::Lossless) {
        RepairedArguments::Repaired { repairs, .. } | RepairedArguments::Rejected { repairs, .. } => repairs,
        other => panic!("{sent}: {other:?}"),
    }
}

#[test]
fn secrets_are_not_in_the_ledger_of_a_repaired_text() {
    for sent in [
        r#"{"arguments": {"user": 7, "pin": 4711}}"#,
        r#"{"arguments": "{\"user\": 7, \"pin\": 4711}"}"#,
        r#""{\"user\": 7, \"pin\": 4711}""#,
        r#"{"user": 7, "pin": 0x1267}"#,
        r#"{"user": 7, "pin": +4711}"#,
        r#"{"user": 7, "pin": 4_711}"#,
        r#"The pin is 4711: {"user": 7, "pin": 4711}"#,
        r#"{"user": 7, /* 4711 */ "pin": 4711}"#,
        r#"{"user": 7, "pin": 1, "keys": {k4711: 1}}"#,
    ] {
        let ledger = ledger_of_a_text(sent);
        let told: Vec<_> = ledger.iter().map(|line| format!("{line}\n{line:?}")).collect();
        let told = told.join("\n");
        let is_told = ["4711", "4_711", "1267", "u0034"].iter().any(|secret| told.contains(secret));
        assert!(!ledger.is_empty() && !is_told, "{sent}: {told}");
    }
}

#[test]
fn errors_of_a_text_with_secrets_quote_nothing() {
    for sent in [r#"{"user": 7, "pin": 4711 + 1}"#, r#"{"user": 7, "pin": 4711"#] {
        let arguments = sent.into();
        let mended = repair_arguments("login", &Ref::Static(Login::SHAPE), &arguments, RepairPolicy::Lossless);
        let (RepairedArguments::Incomplete { errors, .. } | RepairedArguments::Unreadable { errors, .. }) = mended
        else {
            panic!("{sent} is not a call");
        };
        assert!(!errors.is_empty() && !format!("{errors:?}").contains("4711"), "{errors:?}");
    }
}

#[test]
fn a_redacted_omission_can_be_replayed() {
    let sent = r#"Here: {'user': 7, /* mine */ "pin": 4711,}"#;
    assert_eq!(replay(sent, &ledger_of_a_text(sent)).as_deref(), Some(r#"{"user": 7,  "pin": 4711}"#));
}
