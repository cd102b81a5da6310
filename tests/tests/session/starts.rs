//! The recorder that waits before each tool runs and after each call of a batch, and the answer to a call whose end is unknown.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use tool_runtime::__private_0_1_0::internal::{self, CallMoment};
use tool_runtime::failure::FailureKind;
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::{CallContext, Container, Session, Toolbox, tool};

type Log = Arc<Mutex<Vec<String>>>;

fn note(log: &Log, line: String) {
    log.lock().expect("nothing panics under the lock").push(line);
}

fn lines(log: &Log) -> Vec<String> {
    std::mem::take(&mut log.lock().expect("nothing panics under the lock"))
}

/// Adds one.
#[tool(idempotent)]
fn count(
    #[tool(context)] cx: &CallContext,
    /// The number to which one is added.
    to: u8,
) -> u8 {
    ran(cx, "count");
    to.saturating_add(1)
}

/// Waits.
#[tool]
async fn wait(#[tool(context)] cx: &CallContext) {
    ran(cx, "wait");
}

/// Looks something up.
#[tool(read_only, blocking)]
fn look(#[tool(context)] cx: &CallContext) {
    ran(cx, "look");
}

/// Stores a file.
#[tool]
fn store(#[tool(context)] cx: &CallContext, #[tool(host)] file: String) -> String {
    ran(cx, "store");
    file
}

fn ran(cx: &CallContext, tool: &str) {
    if let Ok(log) = cx.state::<Log>() {
        note(log, format!("{tool} ran"));
    }
}

/// Returns a session whose starts are written to the log. Tools start unless their name is `rejected`.
fn session(log: &Log, rejected: &'static str) -> Session {
    let hook = |call: &ProposedCall<'_>| match (call.name(), call.call_id()) {
        ("store", _) => Verdict::RunWith(HostArguments::new().with("file", "a.txt")),
        (_, "denied") => Verdict::deny("Not now."),
        (_, "deferred") => Verdict::Defer,
        _ => Verdict::Run,
    };
    let spawner = |work: Box<dyn FnOnce() + Send>| drop(std::thread::spawn(work));
    let toolbox = Toolbox::builder()
        .tool(CountTool)
        .tool(WaitTool)
        .tool(StoreTool)
        .container(Container::new("Files", "Reading of files.").tool(LookTool))
        .state(Arc::clone(log))
        .blocking_spawner(spawner)
        .before_call(hook)
        .build();
    let session = toolbox.expect("the names differ").session();
    recorded(&session, log, rejected);
    session
}

fn recorded(session: &Session, log: &Log, rejected: &'static str) {
    let log = Arc::clone(log);
    let is_first = internal::record_calls(session, move |moment| {
        let starts = match moment {
            CallMoment::Starts { call_id, tool, is_repeatable } => {
                note(&log, format!("{call_id}: {tool}{}", if is_repeatable { ", repeatable" } else { "" }));
                tool != rejected
            }
            CallMoment::Ends { index, outcome } => {
                note(&log, format!("{index}: {}", if outcome.is_ok() { "ok" } else { "failed" }));
                true
            }
        };
        async move { starts }
    });
    assert!(is_first && !internal::record_calls(session, |_| async { true }), "a session has one recorder");
}

#[test]
fn the_start_of_every_kind_of_tool_is_recorded_before_it_runs() {
    let log = Log::default();
    let session = session(&log, "");
    assert!(pollster::block_on(session.call("c", "Files", "{}")).is_ok());
    assert!(lines(&log).is_empty(), "an expansion runs nothing");
    for (tool, arguments, start) in [
        ("count", r#"{"to": 1}"#, "c: count, repeatable"),
        ("Count", r#"{"to": 1}"#, "c: count, repeatable"),
        ("count", r#"{"to": "1"}"#, "c: count, repeatable"),
        ("wait", "{}", "c: wait"),
        ("store", "{}", "c: store"),
        ("look", "{}", "c: look, repeatable"),
    ] {
        assert!(pollster::block_on(session.call("c", tool, arguments)).is_ok(), "{tool}");
        let ran = format!("{} ran", tool.to_lowercase());
        assert_eq!(lines(&log), [start, &ran], "{tool} {arguments}");
    }
}

/// Without a hook, the arguments are decoded where the tool runs.
#[test]
fn the_start_is_recorded_without_hooks() {
    let log = Log::default();
    let toolbox = Toolbox::builder().tool(CountTool).tool(WaitTool).state(Arc::clone(&log)).build();
    let session = toolbox.expect("the names differ").session();
    recorded(&session, &log, "wait");
    assert!(pollster::block_on(session.call("c", "count", r#"{"to": 1}"#)).is_ok());
    assert_eq!(lines(&log), ["c: count, repeatable", "count ran"]);
    // A call that is repaired is recorded for each text that is decoded.
    assert!(pollster::block_on(session.call("c", "count", r#"{"to": "1"}"#)).is_ok());
    assert_eq!(lines(&log), ["c: count, repeatable", "c: count, repeatable", "count ran"]);
    assert!(!pollster::block_on(session.call("c", "wait", "{}")).is_ok());
    assert_eq!(lines(&log), ["c: wait"]);
}

#[test]
fn calls_that_do_not_run_are_not_recorded() {
    let log = Log::default();
    let session = session(&log, "");
    for (id, tool, arguments) in [
        ("c", "count", "{}"),
        ("c", "unknown", "{}"),
        ("c", "look", "{}"),
        ("denied", "wait", "{}"),
        ("deferred", "wait", "{}"),
    ] {
        assert!(!pollster::block_on(session.call(id, tool, arguments)).is_ok(), "{tool}");
        assert!(lines(&log).is_empty(), "{tool}");
    }
    assert!(pollster::block_on(session.resume("deferred")).is_ok_and(|outcome| outcome.is_ok()));
    assert_eq!(lines(&log), ["deferred: wait", "wait ran"]);
}

#[test]
fn a_tool_whose_start_is_not_recorded_does_not_run() {
    let log = Log::default();
    let session = session(&log, "wait");
    let outcome = pollster::block_on(session.call("c", "wait", "{}"));
    let failure = outcome.failure().expect("the tool did not run");
    assert_eq!(
        (failure.error_type(), failure.observer_details()),
        ("internal_error", Some("the start of the call could not be recorded"))
    );
    assert_eq!(lines(&log), ["c: wait"]);
}

#[test]
fn calls_of_a_batch_are_recorded_together_and_can_be_cancelled() {
    let session = Toolbox::builder().tool(WaitTool).build().expect("it is the only one").session();
    let open: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&open);
    internal::record_calls(&session, move |moment| {
        let starts = matches!(moment, CallMoment::Starts { .. });
        if let CallMoment::Starts { call_id, .. } = moment {
            note(&seen, call_id.to_owned());
        }
        async move { if starts { std::future::pending().await } else { true } }
    });
    let mut batch = pin!(session.call_batch([("a", "wait", "{}"), ("b", "wait", "{}")]));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(batch.as_mut().poll(&mut cx).is_pending());
    assert_eq!(lines(&open), ["a", "b"]);
    assert!(session.cancel("a") && session.cancel("b"));
    let Poll::Ready(batch) = Pin::new(&mut batch).poll(&mut cx) else { panic!("both calls are cancelled") };
    assert!(
        batch
            .outcomes()
            .iter()
            .all(|outcome| outcome.failure().is_some_and(|failure| failure.kind() == FailureKind::Cancelled))
    );
}

/// A tool that must run alone starts once the end of the call before it is recorded.
#[test]
fn the_ends_of_a_batch_are_recorded_one_by_one() {
    let log = Log::default();
    let session = session(&log, "");
    let calls = [("a", "count", r#"{"to": 1}"#), ("b", "unknown", "{}"), ("denied", "wait", "{}"), ("c", "wait", "{}")];
    let batch = pollster::block_on(session.call_batch(calls).max_concurrency(1));
    assert_eq!(batch.outcomes().len(), 4);
    let expected =
        ["a: count, repeatable", "count ran", "0: ok", "1: failed", "2: failed", "c: wait", "wait ran", "3: ok"];
    assert_eq!(lines(&log), expected);
}

#[test]
fn a_call_with_an_unknown_end_is_answered_without_running() {
    let log = Log::default();
    let session = session(&log, "");
    let outcome = internal::effect_unknown(&session, "call_1", "wait", "{}");
    assert_eq!((outcome.call_id(), outcome.tool_name()), ("call_1", "wait"));
    let failure = outcome.failure().expect("nobody knows the result");
    assert_eq!(failure.kind(), FailureKind::EffectUnknown);
    assert!(failure.to_text().contains("Ask the user to find out."), "{}", failure.to_text());
    assert!(lines(&log).is_empty());

    assert!(pollster::block_on(session.call("c", "Files", "{}")).is_ok());
    let answer = internal::effect_unknown(&session, "call_1", "wait", "{}").to_text().into_owned();
    assert!(answer.contains(r#""read_only_tools":["look"]"#), "{answer}");
}
