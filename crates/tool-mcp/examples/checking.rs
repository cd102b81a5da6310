//! Uses our client to check servers that we have not written: `scripts/judges-mcp` runs it with the official SDKs and with published
//! servers.
//!
//! `checking URL` or `checking PROGRAM ARGUMENT...` checks a server that has the tools of `tests/judges/mcp/python_server.py`. `checking
//! --only TOOL GOOD TEXT BAD PROGRAM ARGUMENT...` calls a tool of any server twice: the answer to the arguments GOOD must contain TEXT, and
//! the arguments BAD must be rejected before anything is sent. `checking --tasks ...` checks a server that has the tools of `task_server.py`,
//! which creates a task for each call. With `--legacy` as the first argument, the handshake is that of the revisions before 2026-07-28. Prints
//! a line for each check. The exit code is 1 if a check fails.

use std::error::Error;
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tool_mcp::client::{Elicitation, ElicitationKind, ElicitationReply, Endpoint, RemoteServer};
use tool_mcp::connect;
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::failure::FailureKind;
use tool_runtime::tool::{JsonText, Payload};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Outcome, Session, Toolbox};

/// The time after which a check fails.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Checks {
    failed: usize,
}

impl Checks {
    fn check(&mut self, name: &str, holds: bool, found: &str) {
        if holds {
            println!("ok   {name}");
        } else {
            println!("FAIL {name}: {found}");
            self.failed += 1;
        }
    }
}

/// The progress reports of all calls.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<String>>>);

impl Observer for Reports {
    fn event(&self, event: &ToolEvent<'_>) {
        if let EventKind::Progressed { done, total, message, .. } = event.kind {
            let report = format!("{done}/{}: {message}", total.unwrap_or_default());
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(report);
        }
    }
}

fn session(server: &RemoteServer, reports: Reports) -> Result<Session, Box<dyn Error>> {
    let builder = server.tools().into_iter().fold(Toolbox::builder(), ToolboxBuilder::tool);
    Ok(builder.observer(reports).no_throttle().build()?.session())
}

async fn reply(elicitation: Elicitation) -> ElicitationReply {
    let ElicitationKind::Form { schema } = elicitation.kind else { return ElicitationReply::Decline };
    let is_known = schema["properties"]["nights"]["maximum"] == 30 && elicitation.message == "Who stays?";
    match json!({"name": "Ada", "nights": 3}) {
        Value::Object(values) if is_known => ElicitationReply::Accept(values),
        _ => ElicitationReply::Decline,
    }
}

fn is_rejected(outcome: &Outcome) -> bool {
    outcome.failure().is_some_and(|failure| failure.kind() == FailureKind::InvalidCall)
}

/// Checks a server of which only one tool is known.
async fn check_one(
    checks: &mut Checks,
    server: &RemoteServer,
    [tool, good, text, bad]: [&str; 4],
) -> Result<(), Box<dyn Error>> {
    let session = session(server, Reports::default())?;
    println!("     {} tools, {} left out", server.tools().len(), server.skipped_tools().len());
    checks.check(
        "no definition is left out",
        server.skipped_tools().is_empty(),
        &format!("{:?}", server.skipped_tools()),
    );
    let outcome = session.call("call_1", tool, good).await;
    checks.check("a good call is answered", outcome.is_ok() && outcome.to_text().contains(text), &outcome.to_text());
    let outcome = session.call("call_2", tool, bad).await;
    checks.check("a bad call is rejected", is_rejected(&outcome), &outcome.to_text());
    Ok(())
}

/// Checks a server with the tools of `python_server.py`.
async fn check_all(checks: &mut Checks, server: &RemoteServer) -> Result<(), Box<dyn Error>> {
    let reports = Reports::default();
    let session = session(server, reports.clone())?;
    let names: Vec<String> = server.tools().iter().map(|tool| tool.spec().name.to_string()).collect();
    let expected = ["add", "book_room", "count", "wait", "counted", "reject", "grow", "ask"];
    checks.check("every tool is listed", names == expected, &format!("{names:?} {:?}", server.skipped_tools()));
    let instructions = server.instructions().unwrap_or_default();
    checks.check("the instructions arrive", instructions == "Try every tool.", &instructions);

    let outcome = session.call("add", "add", r#"{"a": 19.5, "b": "22.5",}"#).await;
    let structured = match outcome.payload() {
        Some(Payload::Parts(parts)) => parts.structured_content().map(JsonText::as_str).unwrap_or_default(),
        _ => "",
    };
    let sum = serde_json::from_str::<Value>(structured).unwrap_or_default()["sum"].as_f64();
    let is_repaired = outcome.repairs().len() == 2;
    checks.check("a good call has structured content", sum == Some(42.0) && is_repaired, &outcome.to_text());
    let has_schema = server.tools().iter().any(|tool| tool.spec().name == "add" && tool.spec().output.is_some());
    checks.check("its output schema is known", has_schema && outcome.warnings().is_empty(), &outcome.to_text());

    let outcome = session.call("bad", "book_room", r#"{"nights": 90}"#).await;
    let text = outcome.to_text();
    checks.check(
        "a bad call is rejected",
        is_rejected(&outcome) && text.contains("guest") && text.contains("30"),
        &text,
    );
    let outcome = session.call("booked", "counted", r#"{"what": "booked"}"#).await;
    checks.check("the server has not been asked", outcome.to_text() == "0", &outcome.to_text());
    let outcome = session.call("good", "book_room", r#"{"guest": "Ada", "nights": 3}"#).await;
    checks.check("the corrected call runs", outcome.to_text() == "Ada stays for 3 nights.", &outcome.to_text());
    let outcome = session.call("reject", "reject", "{}").await;
    let message = outcome.failure().map(|failure| failure.to_value()["error_message"].clone()).unwrap_or_default();
    let is_shown = message.as_str().is_some_and(|message| message.ends_with("The account is closed."));
    checks.check("an error of a tool is shown", is_shown, &outcome.to_text());

    let outcome = session.call("count", "count", r#"{"to": 3}"#).await;
    let reported = reports.0.lock().unwrap_or_else(PoisonError::into_inner).join(", ");
    let expected = "0/3: step 0, 1/3: step 1, 2/3: step 2, 3/3: step 3";
    checks.check(
        "progress arrives before the answer",
        outcome.to_text() == "counted" && reported == expected,
        &reported,
    );

    cancel(checks, &session, "counted", r#"{"what": "cancelled"}"#).await?;

    let outcome = session.call("ask", "ask", "{}").await;
    checks.check("a question is answered", outcome.to_text() == "Ada stays for 3 nights.", &outcome.to_text());

    let changed = server.changed();
    let _ = session.call("grow", "grow", "{}").await;
    let is_reported = tokio::time::timeout(PATIENCE, changed).await.is_ok();
    let is_new = server.refresh().await? && server.tools().iter().any(|tool| tool.spec().name == "grown");
    checks.check("a changed list is reported and listed", is_reported && is_new, &format!("{is_reported} {is_new}"));
    Ok(())
}

/// Checks a server with the tools of `task_server.py`.
async fn check_tasks(checks: &mut Checks, server: &RemoteServer) -> Result<(), Box<dyn Error>> {
    let reports = Reports::default();
    let session = session(server, reports.clone())?;
    let outcome = session.call("double", "double", r#"{"number": "21"}"#).await;
    let text = outcome.to_text();
    checks.check("a task is polled until its result", outcome.is_ok() && text.contains("42"), &text);
    let reported = reports.0.lock().unwrap_or_else(PoisonError::into_inner).join(", ");
    checks.check("its status message is progress", reported.contains("doubling"), &reported);
    let outcome = session.call("reject", "reject", "{}").await;
    let is_error = outcome.failure().is_some_and(|failure| failure.kind() == FailureKind::DomainRejection);
    let text = outcome.to_text();
    checks.check("an error of a task is shown", is_error && text.contains("The account is closed."), &text);
    let outcome = session.call("ask", "ask", "{}").await;
    let text = outcome.to_text();
    checks.check("a question of a task is answered", text.contains("Ada stays for 3 nights."), &text);
    cancel(checks, &session, "cancelled", "{}").await
}

/// Cancels a call of `wait`, then asks a tool for the number of cancelled calls until it is 1.
async fn cancel(checks: &mut Checks, session: &Session, tool: &str, what: &str) -> Result<(), Box<dyn Error>> {
    let waiting = {
        let session = session.clone();
        tokio::spawn(async move { session.call("wait", "wait", "{}").await })
    };
    tokio::time::sleep(Duration::from_millis(300)).await;
    session.cancel("wait");
    let outcome = waiting.await?;
    let is_cancelled = outcome.failure().is_some_and(|failure| failure.kind() == FailureKind::Cancelled);
    checks.check("a call is cancelled", is_cancelled, &outcome.to_text());
    let counted = tokio::time::timeout(PATIENCE, async {
        while !session.call("counted", tool, what).await.to_text().contains('1') {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    checks.check("the server has stopped it", counted.await.is_ok(), "the call still runs");
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (is_legacy, arguments) = match &*arguments {
        ["--legacy", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (has_tasks, only, server) = match arguments {
        ["--only", tool, good, text, bad, server @ ..] => (false, Some([*tool, *good, *text, *bad]), server),
        ["--tasks", server @ ..] => (true, None, server),
        server => (false, None, server),
    };
    let endpoint = match server {
        [url] if url.contains("://") => Endpoint::http(*url),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments);
            Endpoint::from(command)
        }
        [] => return Err("name a server".into()),
    };
    let connecting = connect("server", endpoint).prefix("").elicitation(reply);
    let server = if is_legacy { connecting.legacy() } else { connecting }.await?;
    println!("     protocol version {}", server.protocol_version().unwrap_or_default());
    let mut checks = Checks::default();
    match only {
        Some(calls) => check_one(&mut checks, &server, calls).await?,
        None if has_tasks => check_tasks(&mut checks, &server).await?,
        None => check_all(&mut checks, &server).await?,
    }
    server.close().await;
    println!("{} checks failed", checks.failed);
    Ok(if checks.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
