//! Retries of idempotent tools, on a simulated clock.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::tool::{AnswerOrFuture, CallError, Payload, Retry};
use tool_runtime::toolbox::{RegistrationError, ToolboxBuilder};
use tool_runtime::{Session, ToolError, Toolbox, TypedTool, tool};

use super::tools::{Hand, Log, drive, hand, named, rejection};

/// Returns the error of a failing tool.
type Fail = fn() -> CallError;

/// Returns an idempotent tool that fails a number of times before it answers, and a counter of its calls.
fn flaky(failures: u32, fail: Fail) -> (Hand, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let mut tool = hand(
        "search",
        Box::new(move |_| {
            let call = counted.fetch_add(1, Ordering::SeqCst);
            let answer = if call < failures { Err(fail()) } else { Ok(Payload::Done) };
            AnswerOrFuture::Pending(Box::pin(async move { answer }))
        }),
    );
    tool.spec.settings.annotations.idempotent = Some(true);
    (tool, calls)
}

fn unavailable() -> CallError {
    ToolError::unavailable("Down.").into()
}

fn on(clock: &SimulatedClock, tool: Hand, change: impl FnOnce(ToolboxBuilder) -> ToolboxBuilder) -> Session {
    change(Toolbox::builder().tool(tool).clock(clock.clone())).build().expect("the clock has a timer").session()
}

/// Calls a tool under a retry rule; returns the outcome, the number of calls, and the elapsed milliseconds.
fn under(retry: Retry, failures: u32, fail: Fail) -> (String, u32, u128) {
    let (clock, (tool, calls)) = (SimulatedClock::new(), flaky(failures, fail));
    let session = on(&clock, tool, |builder| builder.retry(retry));
    let outcome = drive(&clock, session.call("call_1", "search", "{}"));
    let came = if outcome.is_ok() { "done".to_owned() } else { rejection(&outcome)["error_type"].to_string() };
    assert!(!session.cancel("call_1") && clock.sleepers() == 0);
    (came, calls.load(Ordering::SeqCst), clock.now().as_millis())
}

#[test]
fn transient_failures_are_retried() {
    let fails: [Fail; 4] = [
        unavailable,
        || ToolError::rate_limited("Slow down.").into(),
        || ToolError::timeout("The index did not answer.").into(),
        || CallError::Failed(Box::new(ToolError::unavailable("Down."))),
    ];
    for fail in fails {
        assert_eq!(under(Retry::DEFAULT, 2, fail), ("done".to_owned(), 3, 200 + 400));
    }
}

#[test]
fn permanent_failures_are_answered_at_once() {
    let fails: [(Fail, &str); 4] = [
        (|| ToolError::new("No.").into(), "tool_error"),
        (|| ToolError::retry("Another day.").into(), "tool_error"),
        (|| CallError::Failed("No.".into()), "tool_error"),
        (|| CallError::Malformed("NaN".to_owned()), "malformed_response"),
    ];
    for (fail, error_type) in fails {
        assert_eq!(under(Retry::DEFAULT, 1, fail), (format!("{error_type:?}"), 1, 0));
    }
}

#[test]
fn attempts_and_pauses_are_bounded() {
    assert_eq!(under(Retry::DEFAULT, 9, unavailable), (r#""unavailable""#.to_owned(), 3, 600));
    let patient = Retry { attempts: 5, first: Duration::from_secs(2), factor: 3, cap: Duration::from_secs(10) };
    assert_eq!(under(patient, 9, unavailable).2, 2_000 + 6_000 + 10_000 + 10_000);
    for attempts in [0, 1] {
        assert_eq!(under(Retry { attempts, ..Retry::DEFAULT }, 9, unavailable).1, 1);
    }
}

#[test]
fn a_tool_can_set_the_pause() {
    let after_a_second = || ToolError::rate_limited("Slow down.").retry_after(Duration::from_secs(1)).into();
    assert_eq!(under(Retry::DEFAULT, 2, after_a_second), ("done".to_owned(), 3, 2_000));
    let after_a_moment = || ToolError::rate_limited("Slow down.").retry_after(Duration::from_millis(1)).into();
    assert_eq!(under(Retry::DEFAULT, 2, after_a_moment).2, 600, "not before the pause of the rule ends");
    let after_a_minute = || ToolError::rate_limited("Slow down.").retry_after(Duration::from_secs(60)).into();
    assert_eq!(under(Retry::DEFAULT, 2, after_a_minute), (r#""rate_limited""#.to_owned(), 1, 0));
}

#[test]
fn without_a_retry_rule_no_tool_is_retried() {
    let (clock, (tool, calls)) = (SimulatedClock::new(), flaky(1, unavailable));
    let session = on(&clock, tool, |builder| builder);
    assert!(!drive(&clock, session.call("call_1", "search", "{}")).is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn only_idempotent_tools_are_retried() {
    for idempotent in [None, Some(false)] {
        let (clock, (mut tool, calls)) = (SimulatedClock::new(), flaky(1, unavailable));
        tool.spec.settings.annotations.idempotent = idempotent;
        let session = on(&clock, tool, |builder| builder.retry(Retry::DEFAULT));
        assert!(!drive(&clock, session.call("call_1", "search", "{}")).is_ok());
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }
}

#[test]
fn a_tool_can_turn_off_the_retries_of_the_toolbox() {
    let (clock, (mut tool, calls)) = (SimulatedClock::new(), flaky(1, unavailable));
    tool.spec.settings.retry = Some(Retry { attempts: 1, ..Retry::DEFAULT });
    let session = on(&clock, tool, |builder| builder.retry(Retry::DEFAULT));
    assert!(!drive(&clock, session.call("call_1", "search", "{}")).is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn all_attempts_are_within_one_time_limit() {
    let (clock, (tool, calls)) = (SimulatedClock::new(), flaky(9, unavailable));
    let patient = Retry { attempts: 9, ..Retry::DEFAULT };
    let session = on(&clock, tool, |builder| builder.retry(patient).time_limit(Duration::from_secs(1)));
    let outcome = drive(&clock, session.call("call_1", "search", "{}"));
    // 200 + 400 ms have passed and 800 ms more would be too long. The error of the tool is more informative than the timeout.
    assert_eq!(rejection(&outcome)["error_type"], "unavailable");
    assert_eq!((calls.load(Ordering::SeqCst), clock.now().as_millis()), (3, 600));
}

#[test]
fn an_attempt_that_never_ends_exceeds_the_time_limit() {
    let clock = SimulatedClock::new();
    let mut tool = super::tools::endless("search");
    tool.spec.settings.annotations.idempotent = Some(true);
    let session = on(&clock, tool, |builder| builder.retry(Retry::DEFAULT).time_limit(Duration::from_secs(1)));
    let outcome = drive(&clock, session.call("call_1", "search", "{}"));
    assert_eq!(rejection(&outcome)["error_type"], "timeout");
    assert_eq!(clock.now().as_millis(), 1_000, "one limit for the whole call: no time is left for a second attempt");
    assert!(!session.cancel("call_1") && clock.sleepers() == 0);
}

#[test]
fn a_cancelled_call_is_not_retried() {
    let (clock, (tool, calls)) = (SimulatedClock::new(), flaky(9, unavailable));
    let session = on(&clock, tool, |builder| builder.retry(Retry::DEFAULT));
    let mut call = pin!(session.call("call_1", "search", "{}"));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(call.as_mut().poll(&mut cx).is_pending());
    assert!(session.cancel("call_1"), "the call can be cancelled between two attempts");
    let Poll::Ready(outcome) = call.poll(&mut cx) else { panic!("a cancelled call is answered") };
    assert_eq!(rejection(&outcome)["error_type"], "cancelled");
    assert_eq!((calls.load(Ordering::SeqCst), clock.sleepers()), (1, 0));
}

#[test]
fn a_panicking_tool_is_not_retried() {
    let clock = SimulatedClock::new();
    let mut tool = super::tools::sync("search", |_| panic!("over"));
    tool.spec.settings.annotations.idempotent = Some(true);
    let session = on(&clock, tool, |builder| builder.retry(Retry::DEFAULT));
    assert_eq!(rejection(&drive(&clock, session.call("call_1", "search", "{}")))["error_type"], "internal_error");
    assert!(clock.now().is_zero());
}

#[test]
fn the_observer_receives_each_attempt() {
    let (clock, log, (tool, _)) = (SimulatedClock::new(), Arc::new(Log::default()), flaky(1, unavailable));
    let session = on(&clock, tool, |builder| builder.retry(Retry::DEFAULT).observer(Arc::clone(&log)));
    let _ = drive(&clock, session.call("call_1", "search", "{}"));
    assert_eq!(
        log.take(),
        ["call_1: received search", "call_1: retried search: attempt 2 after 200 ms", "call_1: executed search: done"],
    );
}

#[test]
fn a_retry_rule_without_a_timer_is_a_problem() {
    let errors = |builder: ToolboxBuilder| builder.build().err().map(|error| error.errors().to_vec());
    let no_timer =
        |whose: &str| RegistrationError::NoTimer { owner: whose.to_owned(), setting: "a pause between attempts" };
    let mut tool = flaky(0, unavailable).0;
    tool.spec.settings.retry = Some(Retry::DEFAULT);
    assert_eq!(errors(Toolbox::builder().tool(tool)), Some(vec![no_timer("`search`")]));
    assert_eq!(errors(Toolbox::builder().retry(Retry::DEFAULT)), Some(vec![no_timer("the toolbox")]));
    let mut with_effects = named("send");
    with_effects.spec.settings.retry = Some(Retry::DEFAULT);
    let found = errors(Toolbox::builder().tool(with_effects).clock(SimulatedClock::new()));
    assert_eq!(found, Some(vec![RegistrationError::RetryHasEffects { tool: "send".to_owned() }]));
}

/// Looks a word up.
#[tool(idempotent, retry(attempts = 4, first_ms = 50, factor = 3, cap_ms = 1_000))]
fn look_up() -> Result<(), ToolError> {
    Err(ToolError::unavailable("The dictionary is lent out."))
}

#[test]
fn the_attribute_sets_the_retry_rule_of_a_sync_tool() {
    let clock = SimulatedClock::new();
    let spec = LookUpTool::SPEC.settings.retry.expect("the tool has a retry rule");
    assert_eq!((spec.attempts, spec.first.as_millis(), spec.factor, spec.cap.as_millis()), (4, 50, 3, 1_000));
    let session =
        Toolbox::builder().tool(LookUpTool).clock(clock.clone()).build().expect("the clock has a timer").session();
    assert!(!drive(&clock, session.call("call_1", "look_up", "{}")).is_ok());
    assert_eq!(clock.now().as_millis(), 50 + 150 + 450);
}
