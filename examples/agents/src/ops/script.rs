//! The scripted model of the ops agent. It works with any folder, and does not trust the content of files.
//!
//! Each step follows from the answers so far. The script makes typical mistakes of models: it calls a container with arguments, sends an
//! unknown parameter, and repeats a call that cannot succeed.

use std::time::Duration;

use serde_json::{Value, json};
use tool_chat::model::{Response, ScriptedModel};

use crate::reading::{Answered, Seen};

/// The maximum number of files of each kind that are inspected.
const FILES: usize = 6;

type Calls = Vec<(String, Value)>;

/// Returns a model that finds the problems in a folder, writes a report, and checks the services. Each answer takes two seconds on its
/// clock, because without these pauses, the calls would exceed the rate limits.
pub fn operator() -> ScriptedModel {
    ScriptedModel::from_fn(|request| {
        let seen = Seen::of(request.messages);
        let calls = next(&seen);
        Ok(if calls.is_empty() { Response::from_text(answer(&seen)) } else { seen.call(calls) })
    })
    .default_delay(Duration::from_secs(2))
}

fn call(name: &str, arguments: Value) -> (String, Value) {
    (name.to_owned(), arguments)
}

fn next(seen: &Seen<'_>) -> Calls {
    let corrections = seen.corrections();
    if !corrections.is_empty() {
        return corrections;
    }
    if seen.turn > 0 {
        let metrics = || vec![call("metrics", json!({"service": "checkout"}))];
        return if seen.has_called("metrics") { Vec::new() } else { metrics() };
    }
    if !seen.has_called("Files") {
        return vec![call("Files", json!({"path": "."}))];
    }
    if !seen.has_called("list") {
        return vec![call("list", json!({}))];
    }
    let more: Calls = directories(seen).into_iter().map(|path| call("list", json!({"path": path}))).collect();
    if seen.of_name("list").count() == 1 && !more.is_empty() {
        return more;
    }
    let look = into_files(&files(seen));
    if !seen.has_called("grep") && !look.is_empty() {
        return look;
    }
    if !seen.has_called("Reports") {
        return vec![call("Reports", json!({})), call("Services", json!({}))];
    }
    report_and_ask(seen)
}

/// Returns calls that read the notes and search the other files. The first search misspells its parameter.
fn into_files(files: &[String]) -> Calls {
    let is_note = |path: &&String| path.contains("notes/") || path.starts_with("README");
    let notes = files.iter().filter(is_note).take(FILES).map(|path| call("read", json!({"path": path})));
    let others = files.iter().filter(|path| !is_note(path)).take(FILES).enumerate();
    let key = |at: usize| if at == 0 { "Text" } else { "text" };
    notes.chain(others.map(|(at, path)| call("grep", json!({"path": path, key(at): "ERROR"})))).collect()
}

fn report_and_ask(seen: &Seen<'_>) -> Calls {
    let findings: Vec<Value> = seen.of_name("grep").filter_map(finding).collect();
    if !seen.has_called("status") {
        let status = |service: &str| call("status", json!({"service": service}));
        let summary = (!findings.is_empty()).then(|| call("sum_up", json!({"findings": findings})));
        return summary.into_iter().chain([status("checkout"), status("payments")]).collect();
    }
    let metrics = || call("metrics", json!({"service": "checkout"}));
    let Some(last) = seen.of_name("metrics").next_back() else {
        let text = summary(seen).map_or("Nothing was found.", |summary| summary.text);
        return vec![call("write_report", json!({"name": "friday.md", "text": text})), metrics()];
    };
    if last.error_type() == "unavailable" { vec![metrics()] } else { Vec::new() }
}

fn finding(answered: Answered<'_>) -> Option<Value> {
    let found = answered.value();
    let path = serde_json::from_str::<Value>(&answered.call.arguments).ok()?["path"].clone();
    let found = found.as_array()?;
    Some(json!({"path": path, "errors": found.len(), "first": found.first().map(|line| &line["text"])}))
}

/// Returns the paths in all lists of files so far.
fn listed(seen: &Seen<'_>) -> Vec<String> {
    let lists = seen.of_name("list").flat_map(|answered| {
        let asked = serde_json::from_str::<Value>(&answered.call.arguments).unwrap_or_default();
        let base = asked["path"].as_str().map(|path| path.trim_end_matches('/').to_owned());
        let names = answered.value().as_array().cloned().unwrap_or_default();
        names.into_iter().filter_map(move |name| {
            let name = name.as_str()?;
            Some(base.as_ref().map_or_else(|| name.to_owned(), |base| format!("{base}/{name}")))
        })
    });
    lists.collect()
}

fn directories(seen: &Seen<'_>) -> Vec<String> {
    listed(seen).into_iter().filter(|path| path.ends_with('/')).take(FILES).collect()
}

fn files(seen: &Seen<'_>) -> Vec<String> {
    listed(seen).into_iter().filter(|path| !path.ends_with('/')).collect()
}

fn summary<'m>(seen: &Seen<'m>) -> Option<Answered<'m>> {
    seen.of_name("sum_up").rfind(|answered| answered.error_type().is_empty())
}

fn answer(seen: &Seen<'_>) -> String {
    let found = summary(seen).and_then(|summary| summary.text.lines().next());
    let written = seen.of_name("write_report").next_back().map(|answered| match &*answered.error_type() {
        "" => format!("Written: {}.", answered.text),
        "denied" => "The report was not written: it was not approved.".to_owned(),
        _ => "The report was not written.".to_owned(),
    });
    let healthy = seen.of_name("status").filter(|answered| answered.value()["healthy"] == true).count();
    let services = seen.has_called("status").then(|| format!("{healthy} services are healthy."));
    let metrics = seen.of_name("metrics").next_back().map(|answered| {
        let value = answered.value();
        let rate = (value["requests"].as_u64(), value["errors"].as_u64());
        match rate {
            (Some(requests), Some(errors)) => format!("{errors} of {requests} requests failed in the last minute."),
            _ => "There are no metrics yet.".to_owned(),
        }
    });
    let found = found.map(|line| format!("{line}."));
    found.into_iter().chain(written).chain(services).chain(metrics).collect::<Vec<_>>().join(" ")
}
