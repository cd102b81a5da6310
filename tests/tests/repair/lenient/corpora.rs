//! Tests with recorded texts: the test suites of JSON repairers, and truncated calls.
//!
//! The texts are not in this repository. If the environment variable `TOOLBOX_CORPORA` names their folder, the figures are printed and
//! checked; otherwise the test prints that it was skipped.
//! the test says that it has not looked.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tool_schema::json::Json;
use tool_schema::repair::{RepairedText, repair_text};

/// Rows with two documents. It is ambiguous which one is meant, so the expectations of the suites do not apply.
const TWO_DOCUMENTS: [&str; 2] = ["suite-0014", "suite-0768"];

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("TOOLBOX_CORPORA").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        println!("skipped: TOOLBOX_CORPORA is not set");
    }
    folder
}

fn rows(folder: &Path, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}"))).collect()
}

fn text<'r>(row: &'r Value, key: &str) -> &'r str {
    row[key].as_str().unwrap_or_else(|| panic!("{key} of {row} is not a string"))
}

#[test]
fn texts_are_parsed_as_two_other_repairers_agree() {
    let Some(folder) = folder() else { return };
    let (mut musts, mut wrong, mut clean_faults) = (0, Vec::new(), Vec::new());
    for row in rows(&folder, "malformed.jsonl") {
        let (id, input, expect) = (text(&row, "id"), text(&row, "input"), text(&row, "expect"));
        let reading = repair_text(input);
        let is_fault = matches!(expect, "error" | "no_value");
        let is_strict = serde_json::from_str::<Value>(input).is_ok();
        if is_fault && !is_strict && matches!(reading, RepairedText::Clean(_)) {
            clean_faults.push(id.to_owned());
        }
        let agreed = row["agree"].as_array().is_some_and(|names| names.len() >= 2);
        if !agreed || TWO_DOCUMENTS.contains(&id) {
            continue;
        }
        musts += 1;
        let is_right = if is_fault {
            !matches!(reading, RepairedText::Clean(_))
        } else {
            let value = match &reading {
                RepairedText::Rejected { .. } => None,
                reading => reading.partial(),
            };
            value.is_some_and(|value| {
                Json::parse(&row["expected"].to_string()).is_ok_and(|expected| value.same_value(&expected))
            })
        };
        if !is_right {
            wrong.push(format!("{id}: {} {:?} {input:?}", reading.status(), reading.partial().map(Json::to_text)));
        }
    }
    println!("malformed.jsonl: {} of {musts} musts exact\n{}", musts - wrong.len(), wrong.join("\n"));
    assert!(clean_faults.is_empty(), "clean, but not valid JSON: {clean_faults:?}");
    assert!(wrong.len() * 50 <= musts, "{} of {musts} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_truncated_call_is_incomplete() {
    let Some(folder) = folder() else { return };
    let (mut cut, mut wrong) = (0, Vec::new());
    for row in rows(&folder, "calls_cassettes_rig.jsonl") {
        if row["labels"].as_array().is_some_and(|labels| labels.iter().any(|label| label == "malformed_json")) {
            cut += 1;
            let reading = repair_text(text(&row, "raw"));
            if !matches!(reading, RepairedText::Incomplete { .. }) {
                wrong.push(format!("{}: {}", row["id"], reading.status()));
            }
        }
    }
    println!("calls_cassettes_rig.jsonl: {} of {cut} cut calls incomplete", cut - wrong.len());
    assert!(cut > 0 && wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_correct_call_needs_no_repair() {
    let Some(folder) = folder() else { return };
    for file in ["calls_bfcl_gold.jsonl", "calls_livemcpbench_2025.jsonl", "calls_taubench_2024.jsonl"] {
        for row in rows(&folder, file) {
            let Some(raw) = row["raw"].as_str() else { continue };
            let is_strict = serde_json::from_str::<Value>(raw).is_ok();
            assert_eq!(matches!(repair_text(raw), RepairedText::Clean(_)), is_strict, "{}", row["id"]);
        }
    }
}
