//! Field reports: arguments that models sent as text, and the intended values.
//!
//! The reports are in the folder that `TOOLBOX_CORPORA` names; without it, the test prints that it was skipped. A report without a quoted
//! call is tested with both kinds of containers that it names.

use std::path::Path;

use serde_json::{Value, json};
use tests::private::repair::coerce;
use tool_runtime::RepairPolicy;
use tool_runtime::ToolInput;
use tool_schema::json::Json;
use tool_schema::shape::Shape;

type List = Vec<Value>;
type Map = std::collections::BTreeMap<String, Value>;

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(untagged)]
enum ListOrMap {
    List(List),
    Map(Map),
}

#[test]
fn each_report_is_repaired_to_the_intended_value() {
    let Ok(folder) = std::env::var("TOOLBOX_CORPORA") else {
        println!("skipped: TOOLBOX_CORPORA is not set");
        return;
    };
    let text = std::fs::read_to_string(Path::new(&folder).join("field_reports.jsonl")).expect("the reports are there");
    let reports: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a report is JSON")).collect();
    let wrong: Vec<_> = reports.iter().filter_map(unread).collect();
    println!("field reports: {} of {}", reports.len() - wrong.len(), reports.len());
    assert!(!reports.is_empty() && wrong.is_empty(), "{wrong:?}");
}

/// Returns the result for a report if it is not the intended value.
fn unread(report: &Value) -> Option<String> {
    let shape = match report["schema_type"].as_str() {
        Some("array") => List::SHAPE,
        Some("object") => Map::SHAPE,
        Some("number") => f64::SHAPE,
        Some("array|object") => ListOrMap::SHAPE,
        other => return Some(format!("{}: unknown type {other:?}", report["id"])),
    };
    let calls = match &report["sent"] {
        Value::Null => vec![(json!("[1, \"a\"]"), json!([1, "a"])), (json!("{\"a\": [1]}"), json!({"a": [1]}))],
        sent => vec![(sent.clone(), report["wanted"].clone())],
    };
    let wrong = calls.iter().find(|(sent, wanted)| read(shape, sent) != Some(wanted.clone()));
    wrong.map(|(sent, _)| format!("{}: {:?}", report["id"], read(shape, sent)))
}

fn read(shape: &Shape, sent: &Value) -> Option<Value> {
    let coerced = coerce(shape, Json::from_value(sent).ok()?, RepairPolicy::Lossless);
    coerced.issues.is_empty().then(|| coerced.value.to_value())
}
