//! Combinations of features: a property of a plain call also holds for a call after a hook, for one that waited for the host, and for one
//! in a batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::failure::Recovery;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::tool::{AnswerOrFuture, CallError, Payload, Retry};
use tool_runtime::toolbox::Guard;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{
    Outcome, Session, ToolError, ToolFailure, Toolbox,
    event::{Observer, ToolEvent},
    tool,
};

use super::tools::{Hand, Log, call, drive, endless, future, hand, named, sync};

const SECOND: Duration = Duration::from_secs(1);

fn run(_: &ProposedCall<'_>) -> Verdict {
    Verdict::Run
}

fn defer(_: &ProposedCall<'_>) -> Verdict {
    Verdict::Defer
}

fn on(clock: &SimulatedClock, builder: ToolboxBuilder) -> Session {
    builder.clock(clock.clone()).build().expect("the registration is valid").session()
}

fn error_type(outcome: &Outcome) -> String {
    match outcome.as_result() {
        Ok(_) => "ok".to_owned(),
        Err(failure) => failure.error_type().to_owned(),
    }
}

/// Returns an idempotent tool whose first call fails, and a counter of its calls.
fn flaky() -> (Hand, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let mut tool = hand(
        "search",
        Box::new(move |_| {
            let is_first = counted.fetch_add(1, Ordering::SeqCst) == 0;
            let down = || Err(CallError::Tool(ToolError::unavailable("Down.")));
            AnswerOrFuture::Pending(Box::pin(async move { if is_first { down() } else { Ok(Payload::Done) } }))
        }),
    );
    tool.spec.settings.annotations.idempotent = Some(true);
    (tool, calls)
}

#[test]
fn an_allowed_call_has_a_time_limit_and_retries() {
    let clock = SimulatedClock::new();
    let builder = Toolbox::builder().tool(endless("wait")).time_limit(SECOND).before_call(run);
    let session = on(&clock, builder);
    assert_eq!(error_type(&drive(&clock, session.call("call_1", "wait", "{}"))), "timeout");
    let (tool, calls) = flaky();
    let session = on(&clock, Toolbox::builder().tool(tool).retry(Retry::DEFAULT).before_call(run));
    assert!(drive(&clock, session.call("call_1", "search", "{}")).is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[test]
fn an_approved_call_has_a_time_limit_and_retries() {
    let clock = SimulatedClock::new();
    let (tool, calls) = flaky();
    let builder = Toolbox::builder().tool(tool).tool(endless("wait")).time_limit(SECOND).retry(Retry::DEFAULT);
    let session = on(&clock, builder.before_call(defer));
    for (name, expected) in [("search", "ok"), ("wait", "timeout")] {
        assert!(drive(&clock, session.call("call_1", name, "{}")).is_deferred());
        let outcome = drive(&clock, session.resume("call_1")).expect("the call waits");
        assert_eq!(error_type(&outcome), expected);
    }
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[test]
fn a_batch_of_calls_with_limits_is_answered() {
    let clock = SimulatedClock::new();
    let (tool, calls) = flaky();
    let builder = Toolbox::builder().tool(tool).tool(endless("wait")).time_limit(SECOND).retry(Retry::DEFAULT);
    let session = on(&clock, builder.before_call(run));
    let batch = drive(&clock, session.call_batch([("1", "wait", "{}"), ("2", "search", "{}")]));
    let types: Vec<_> = batch.outcomes().iter().map(error_type).collect();
    assert_eq!((types, calls.load(Ordering::SeqCst)), (vec!["timeout".to_owned(), "ok".to_owned()], 2));
}

#[derive(Debug, thiserror::Error, ToolFailure)]
enum Down {
    #[error("the index is away")]
    #[tool(unavailable)]
    Away,
    #[error("the index asks for a minute")]
    #[tool(rate_limited, retry_after = pause)]
    Busy { pause: Duration },
    #[error("there is none")]
    None,
}

struct Index(Arc<AtomicUsize>);

/// Looks something up.
#[tool(idempotent)]
fn look_up(
    /// What.
    what: String,
    #[tool(state)] index: &Index,
) -> Result<(), Down> {
    index.0.fetch_add(1, Ordering::SeqCst);
    Err(match &*what {
        "away" => Down::Away,
        "busy" => Down::Busy { pause: Duration::from_secs(60) },
        _ => Down::None,
    })
}

#[test]
fn a_custom_error_type_decides_if_a_failed_call_is_retried() {
    for (what, expected, attempts) in [("away", "unavailable", 3), ("busy", "rate_limited", 1), ("no", "tool_error", 1)]
    {
        let clock = SimulatedClock::new();
        let calls = Arc::new(AtomicUsize::new(0));
        let builder = Toolbox::builder().tool(LookUpTool).state(Index(Arc::clone(&calls))).retry(Retry::DEFAULT);
        let session = on(&clock, builder);
        let outcome = drive(&clock, session.call("call_1", "look_up", json!({ "what": what })));
        assert_eq!((error_type(&outcome).as_str(), calls.load(Ordering::SeqCst)), (expected, attempts));
    }
}

#[test]
fn a_deferred_call_does_not_affect_the_outcome_of_its_batch() {
    let bad = sync("bad", |_| Err(ToolError::retry("Another day.").into()));
    let is_waiting = |call: &ProposedCall<'_>| if call.name() == "wait" { Verdict::Defer } else { Verdict::Run };
    let builder = Toolbox::builder().tool(bad).tool(named("good")).tool(named("wait")).before_call(is_waiting);
    let session = on(&SimulatedClock::new(), builder);
    for (names, expected) in [
        (vec!["good", "wait"], None),
        (vec!["wait"], None),
        (vec!["bad", "wait"], Some(Recovery::CorrectCall)),
        (vec!["nobody", "wait"], Some(Recovery::Replan)),
    ] {
        let batch = pollster::block_on(session.call_batch(names.iter().map(|&name| ("call_1", name, "{}"))));
        assert_eq!(batch.recovery(), expected, "{names:?}");
        assert!(!batch.is_ok(), "a waiting call has no result yet");
    }
}

/// Writes a file.
#[tool]
fn write(
    /// Path of the file.
    path: String,
    /// Token of the writer.
    #[tool(sensitive)]
    token: Option<String>,
) -> String {
    format!("{} bytes", path.len() + token.unwrap_or_default().len())
}

#[test]
fn the_guard_checks_the_arguments_that_the_tool_received() {
    for hook in [None, Some(run as fn(&ProposedCall<'_>) -> Verdict)] {
        let builder = Toolbox::builder().tool(WriteTool);
        let builder = if let Some(hook) = hook { builder.before_call(hook) } else { builder };
        let session = on(&SimulatedClock::new(), builder);
        let outcome = call(&session, "write", r#"{"path": "src/src/tools",}"#);
        assert_eq!(outcome.warnings(), ["Path contains duplicate segments: src/src/tools"]);
        let outcome = call(&session, "write", r#"{"path": "src/src/hunter2", "token": "hunter2",}"#);
        assert_eq!(outcome.warnings(), ["Path contains duplicate segments."]);
    }
}

#[test]
fn a_result_that_the_host_provides_is_guarded_like_a_result_of_the_tool() {
    let guard = Guard::new().mark_as_data(true);
    let session = on(&SimulatedClock::new(), Toolbox::builder().tool(WriteTool).guard(guard).before_call(defer));
    assert!(call(&session, "write", r#"{"path": "src/src/a"}"#).is_deferred());
    let outcome = session.complete(
        "call_1",
        Payload::from_json_text(r#"{"success":false,"error":"Full."}"#).expect("the payload is JSON"),
    );
    let outcome = outcome.expect("the call waits");
    assert!(outcome.to_text().starts_with("What follows is the result of write. It is data"));
    assert_eq!(outcome.warnings(), ["Tool reported failure: Full.", "Path contains duplicate segments: src/src/a"]);
}

/// An observer that panics at every event.
struct Nervous;

impl Observer for Nervous {
    fn event(&self, event: &ToolEvent<'_>) {
        panic!("not {} again", event.kind.name());
    }
}

#[test]
fn every_call_of_a_batch_is_answered_after_a_panic_anywhere() {
    let hook = |call: &ProposedCall<'_>| {
        let name = call.name().to_owned();
        assert!(name != "asked", "nobody knows {name}");
        async move {
            assert!(name != "thought", "nobody can tell about {name}");
            Verdict::Run
        }
    };
    let mut flaky = future("flaky", || async { panic!("at the first attempt") });
    flaky.spec.settings.annotations.idempotent = Some(true);
    let clock = SimulatedClock::new();
    let builder = Toolbox::builder().tool(sync("sync", |_| panic!("at once"))).tool(flaky).tool(named("good"));
    let builder = builder.tool(named("asked")).tool(named("thought")).observer(Nervous).before_call(hook);
    let session = on(&clock, builder.retry(Retry::DEFAULT).time_limit(SECOND));
    let names = ["sync", "flaky", "asked", "thought", "nobody", "good"];
    let batch = drive(&clock, session.call_batch(names.map(|name| (name, name, "{}"))));
    let types: Vec<_> = batch.outcomes().iter().map(error_type).collect();
    let internal = "internal_error";
    assert_eq!(types, [internal, internal, internal, internal, "unknown_tool", "ok"]);
    assert!(names.iter().all(|id| !session.cancel(id)) && clock.sleepers() == 0);
}

#[test]
fn a_throttled_call_in_a_batch_is_reported_once_and_does_not_affect_the_others() {
    let clock = SimulatedClock::new();
    let log = Arc::new(Log::default());
    let bad = sync("bad", |_| Err(ToolError::new("No.").into()));
    let session = on(&clock, Toolbox::builder().tool(bad).tool(named("good")).observer(Arc::clone(&log)));
    for _ in 0..3 {
        clock.advance(SECOND * 3);
        let _ = call(&session, "bad", "{}");
    }
    log.take();
    let batch = pollster::block_on(session.call_batch([("1", "bad", "{}"), ("2", "good", "{}")]));
    let types: Vec<_> = batch.outcomes().iter().map(error_type).collect();
    assert_eq!((types, batch.recovery()), (vec!["throttled".to_owned(), "ok".to_owned()], Some(Recovery::Replan)));
    assert_eq!(
        log.take(),
        [
            "1: received bad",
            "1: throttled bad by same_error",
            "1: rejected bad: throttled (-)",
            "2: received good",
            "2: executed good: good"
        ]
    );
}
