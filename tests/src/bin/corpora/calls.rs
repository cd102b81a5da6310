//! Compares the verdicts on recorded calls with the findings of an independent validator.

use std::error::Error;

use serde_json::Value;
use tool_schema::json::Json;

use super::command::shown;
use super::{Bench, Outcome};

const SETS: [&str; 4] = ["livemcpbench_2025", "cassettes_rig", "taubench_2024", "bfcl_gold"];

pub(super) fn judge(bench: &mut Bench) -> Outcome {
    println!("recorded calls");
    let (mut all, mut differing) = (0, 0);
    for set in SETS {
        let (rows, differences) = one(bench, set)?;
        all += rows;
        differing += differences;
    }
    // At most 1 % of the rows may differ.
    bench.figure(differing * 100 <= all, &format!("{differing} of {all} rows differ from the oracle"));
    Ok(())
}

fn one(bench: &mut Bench, set: &str) -> Result<(usize, usize), Box<dyn Error>> {
    let rows = bench.rows(&format!("calls_{set}.jsonl"))?;
    let tools = shown(&bench.folder.join(format!("tools_{set}.jsonl")));
    let calls = shown(&bench.folder.join(format!("calls_{set}.jsonl")));
    let (verdicts, complaints) = bench.command.lines(&["check", "--tools", &tools, "--calls", &calls, "--json"])?;
    for complaint in &complaints {
        bench.figure(false, &format!("{set}: {complaint}"));
    }
    if verdicts.len() != rows.len() {
        return Err(format!("{set}: {} verdicts on {} calls", verdicts.len(), rows.len()).into());
    }
    let (mut counts, mut differing, mut cut, mut truncated) = ([0; 3], 0, 0, 0);
    for (row, verdict) in rows.iter().zip(&verdicts) {
        match word(verdict, "verdict") {
            "ok" => counts[0] += 1,
            "repaired" => counts[1] += 1,
            _ => counts[2] += 1,
        }
        if is_cut_off(row) {
            truncated += 1;
            cut += usize::from(constraints(verdict).contains(&"incomplete"));
        }
        if let Some(difference) = difference(row, verdict) {
            differing += 1;
            let id = word(row, "id");
            match bench.known.cause(id) {
                Some(cause) => println!("      {id}: {cause}"),
                None => bench.figure(false, &format!("{id} differs: {difference}")),
            }
        }
    }
    let [ok, repaired, rejected] = counts;
    println!("      {set}: {} calls, {ok} ok, {repaired} repaired, {rejected} rejected", rows.len());
    if truncated > 0 {
        bench.figure(cut == truncated, &format!("{set}: {cut} of {truncated} truncated calls are incomplete"));
    }
    Ok((rows.len(), differing))
}

/// Returns `true` for truncated JSON. Apart from text around a call, the recordings contain no other kind of broken JSON.
fn is_cut_off(row: &Value) -> bool {
    labels(row).contains(&"malformed_json")
        && matches!(Json::parse(word(row, "raw")), Err(tool_schema::json::SyntaxError::Incomplete { .. }))
}

/// Returns the difference between our verdict and that of the oracle.
fn difference(row: &Value, verdict: &Value) -> Option<String> {
    let oracle = row["issues"].as_array().map(Vec::as_slice).unwrap_or_default();
    let verdict_is = word(verdict, "verdict");
    if labels(row) == ["ok"] {
        if verdict_is != "ok" {
            return Some(format!("labelled ok, but {verdict_is}"));
        }
        return (!same(word(row, "raw"), &verdict["arguments"])).then(|| "its value changed".to_owned());
    }
    match verdict_is {
        "ok" if is_empty(word(row, "raw")) => None,
        "ok" => Some(format!("labelled {}, but ok", labels(row).join(", "))),
        "repaired" => oracle.iter().find_map(|issue| {
            let path = path(issue);
            (!is_repaired(&path, verdict)).then(|| format!("nothing was repaired at {path}"))
        }),
        _ if labels(row).contains(&"unknown_tool") => {
            (word(&verdict["failure"], "error_type") != "unknown_tool").then(|| "the tool is unknown".to_owned())
        }
        _ => oracle.iter().find_map(|issue| missing(issue, verdict)),
    }
}

/// Returns `true` if there is a repair at a path. A repair has a path, except for repairs of the text itself.
fn is_repaired(path: &str, verdict: &Value) -> bool {
    verdict["repairs"].as_array().into_iter().flatten().any(|repair| {
        let at = word(repair, "path");
        at == path || path == "$" || path.starts_with(at)
    })
}

/// Returns an issue that the oracle found, and that we neither found nor repaired.
fn missing(issue: &Value, verdict: &Value) -> Option<String> {
    let (path, wanted) = (path(issue), keyword(word(issue, "kw")));
    let found = verdict["issues"].as_array().into_iter().flatten().any(|found| {
        let kind = word(found, "constraint");
        word(found, "path") == path && (kind == wanted || (wanted == "json" && JSON.contains(&kind)))
    });
    (!found && !is_repaired(&path, verdict)).then(|| format!("no {wanted} at {path}"))
}

/// Our constraints for text that is not valid JSON.
const JSON: [&str; 4] = ["syntax", "incomplete", "multipleDocuments", "depth"];

fn keyword(oracle: &str) -> &str {
    if oracle == "unknown_param" { "additionalProperties" } else { oracle }
}

fn path(issue: &Value) -> String {
    let path = word(issue, "path");
    if path.is_empty() { "$".to_owned() } else { path.to_owned() }
}

fn constraints(verdict: &Value) -> Vec<&str> {
    verdict["issues"].as_array().into_iter().flatten().map(|issue| word(issue, "constraint")).collect()
}

fn labels(row: &Value) -> Vec<&str> {
    row["labels"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn is_empty(raw: &str) -> bool {
    matches!(raw.trim(), "" | "null" | "{}")
}

fn same(raw: &str, arguments: &Value) -> bool {
    is_empty(raw) && arguments.as_object().is_some_and(serde_json::Map::is_empty)
        || Json::parse(raw).and_then(|raw| Ok(raw.same_value(&Json::from_value(arguments)?))).unwrap_or_default()
}

pub(super) fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}
