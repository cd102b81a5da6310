//! Tests with real schemas and recorded calls, if they are available in the folder that `TOOLBOX_CORPORA` names. They are not in this
//! repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tool_dynamic::{InputSchema, UnknownFields};

/// Returns the folder, or prints that the test is skipped.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("TOOLBOX_CORPORA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: TOOLBOX_CORPORA is not set");
    }
    folder
}

pub(crate) fn rows(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("a file of the folder can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

pub(crate) fn files(folder: &Path, start: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("an entry of the folder can be read").path());
    let is_meant = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(start) && path.extension().is_some_and(|extension| extension == "jsonl")
    };
    let mut files: Vec<_> = paths.filter(is_meant).collect();
    files.sort();
    files
}

fn name(file: &Path) -> &str {
    file.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

#[test]
fn at_most_one_recorded_schema_in_fifty_is_rejected() {
    let Some(folder) = folder() else { return };
    println!("{:<32}{:>8}{:>8}{:>9}", "file", "schemas", "loaded", "rejected");
    let mut files = files(&folder, "tools_");
    files.extend([folder.join("mcp_tools.jsonl")]);
    for file in files {
        let rows = rows(&file);
        let mut rejected = Vec::new();
        for (line, row) in (1..).zip(&rows) {
            if let Err(error) = InputSchema::parse(&row["parameters"]) {
                rejected.push(format!("    line {line}, {}: {error}", row["name"]));
            }
        }
        println!("{:<32}{:>8}{:>8}{:>9}", name(&file), rows.len(), rows.len() - rejected.len(), rejected.len());
        for line in &rejected {
            println!("{line}");
        }
        assert!(rejected.len() * 50 <= rows.len(), "more than one schema in fifty is rejected");
    }
}

/// Returns the oracle's name of a keyword.
fn oracle_keyword(keyword: &str) -> &str {
    match keyword {
        "additionalProperties" => "unknown_param",
        "syntax" | "depth" | "multipleDocuments" | "incomplete" => "json",
        other => other,
    }
}

#[test]
fn recorded_calls_have_the_same_issues_as_with_jsonschema() {
    let Some(folder) = folder() else { return };
    let (mut all, mut causes): (usize, BTreeMap<String, Vec<String>>) = (0, BTreeMap::new());
    for file in files(&folder, "calls_") {
        let tools = folder.join(name(&file).replace("calls_", "tools_"));
        let mut schemas = BTreeMap::new();
        for tool in rows(&tools) {
            let reference = tool["ref"].as_str().unwrap_or_default().to_owned();
            let schema = InputSchema::builder(&tool["parameters"]).unknown_fields(UnknownFields::Reject).parse();
            schemas.insert(reference, schema);
        }
        for row in rows(&file) {
            all += 1;
            let id = row["id"].as_str().unwrap_or_default().to_owned();
            let raw = row["raw"].as_str().unwrap_or_default();
            let mut wanted: Vec<(String, String)> = row["issues"]
                .as_array()
                .map_or(&[][..], Vec::as_slice)
                .iter()
                .map(|issue| {
                    let text = |key: &str| issue[key].as_str().unwrap_or_default().to_owned();
                    (if text("path").is_empty() { "$".to_owned() } else { text("path") }, text("kw"))
                })
                .collect();
            wanted.sort();
            let Some(Ok(schema)) = schemas.get(row["tool_ref"].as_str().unwrap_or_default()) else {
                if row["tool_ref"].is_string() || wanted.iter().any(|(_, keyword)| keyword != "json") {
                    causes.entry(format!("no schema: {}", row["labels"])).or_default().push(id);
                }
                continue;
            };
            let issues = schema.check(&raw.into());
            let mut found: Vec<(String, String)> = issues
                .iter()
                .map(|issue| (issue.path.to_string(), oracle_keyword(issue.constraint.keyword()).to_owned()))
                .collect();
            found.sort();
            if found != wanted {
                let cause = cause(raw, &wanted, &found);
                causes.entry(cause.to_owned()).or_default().push(format!("{id} {wanted:?} {found:?}"));
            }
        }
    }
    let differences: usize = causes.values().map(Vec::len).sum();
    println!("{differences} of {all} rows differ");
    for (cause, rows) in &causes {
        println!("{:>5}  {cause}", rows.len());
        for row in rows.iter().take(6) {
            println!("         {row}");
        }
    }
    let unexplained = causes.get(UNEXPLAINED).map_or(0, Vec::len);
    assert!(differences * 100 <= all, "more than one row in a hundred differs");
    assert_eq!(unexplained, 0, "differences without a cause");
}

const UNEXPLAINED: &str = "no known cause";

type Issues = [(String, String)];

/// Returns the reason why the issues of a row differ.
fn cause(raw: &str, wanted: &Issues, found: &Issues) -> &'static str {
    let is_below = |path: &str, other: &str| path == other || path.starts_with(&format!("{other}["));
    if matches!(raw.trim(), "" | "null") {
        "no arguments at all are an empty object here"
    } else if found.is_empty()
        && wanted.iter().all(|(path, keyword)| path == "parameters" && keyword == "unknown_param")
    {
        "an object that lists no properties is open here"
    } else if !wanted.is_empty()
        && wanted
            .iter()
            .all(|(place, keyword)| keyword == "anyOf" && found.iter().any(|(path, _)| is_below(path, place)))
    {
        "a union is judged by its nearest branch here, so the fault is told below it, or as a type"
    } else if found.iter().all(|(_, keyword)| keyword == "type")
        && !found.is_empty()
        && wanted.iter().all(|(path, _)| found.iter().any(|(other, _)| other == path))
    {
        "a value of the wrong type is told once here, and not also as one that is not listed"
    } else if wanted.is_empty() && found.iter().all(|(_, keyword)| keyword == "format") {
        "formats are asserted here"
    } else {
        UNEXPLAINED
    }
}
