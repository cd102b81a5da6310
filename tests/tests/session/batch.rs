//! Batches, `session.call_batch`: order, concurrency, sequential tools, cancellation, time limits.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::failure::Recovery;
use tool_runtime::session::{BatchOutcome, CallRequest};
use tool_runtime::throttle::SessionLimits;
use tool_runtime::tool::{AnswerOrFuture, Payload};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Session, ToolError, Toolbox, TypedTool, tool};

use super::tools::{Hand, Log, drive, endless, future, group, hand, named, sync};

const SECOND: Duration = Duration::from_secs(1);

/// Returns a tool that answers with its own name after some seconds.
fn after(clock: &SimulatedClock, name: &'static str, seconds: u32) -> Hand {
    let clock = clock.clone();
    future(name, move || {
        let nap = clock.sleep(SECOND * seconds);
        async move {
            nap.await;
            Ok(Payload::Text(name.to_owned()))
        }
    })
}

fn alone(mut tool: Hand) -> Hand {
    tool.spec.settings.sequential = true;
    tool
}

fn on(clock: &SimulatedClock, builder: ToolboxBuilder) -> Session {
    builder.no_throttle().clock(clock.clone()).build().expect("the names differ").session()
}

/// Returns calls of these tools with the ids `0`, `1`, …
fn calls(names: &[&'static str]) -> Vec<CallRequest<'static>> {
    names.iter().enumerate().map(|(id, name)| CallRequest::new(id.to_string(), *name, "{}")).collect()
}

fn texts(batch: &BatchOutcome) -> Vec<(String, String)> {
    let text = |text: &str| {
        let rejection: Option<serde_json::Value> = serde_json::from_str(text).ok();
        let error_type = rejection.and_then(|rejection| Some(rejection.get("error_type")?.as_str()?.to_owned()));
        error_type.unwrap_or_else(|| text.to_owned())
    };
    batch.outcomes().iter().map(|outcome| (outcome.call_id().to_owned(), text(&outcome.to_text()))).collect()
}

fn pairs<'p>(pairs: &[(&'p str, &'p str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(id, text)| (id.to_owned(), text.to_owned())).collect()
}

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn calls_run_concurrently_and_are_answered_in_order() {
    let clock = SimulatedClock::new();
    let builder = Toolbox::builder().tool(after(&clock, "slow", 3)).tool(after(&clock, "quick", 1)).tool(named("sync"));
    let session = on(&clock, builder);
    let batch = drive(&clock, session.call_batch(calls(&["slow", "quick", "nobody", "sync"])));
    assert_eq!(texts(&batch), pairs(&[("0", "slow"), ("1", "quick"), ("2", "unknown_tool"), ("3", "sync")]));
    assert_eq!(clock.now(), SECOND * 3);
}

#[test]
fn two_calls_with_one_id_are_both_answered() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(after(&clock, "slow", 1)).tool(named("sync")));
    let batch = drive(&clock, session.call_batch([("a", "slow", "{}"), ("a", "sync", "{}")]));
    assert_eq!(texts(&batch), pairs(&[("a", "slow"), ("a", "sync")]));
}

#[test]
fn an_empty_batch_is_answered_at_once() {
    let session = Toolbox::builder().build().expect("an empty toolbox is valid").session();
    let batch = pollster::block_on(session.call_batch(calls(&[])));
    assert!(batch.is_ok() && batch.recovery().is_none() && batch.into_outcomes().is_empty());
}

#[test]
fn nothing_happens_before_a_batch_is_awaited() {
    let log = Arc::new(Log::default());
    let session = on(&SimulatedClock::new(), Toolbox::builder().tool(named("sync")).observer(Arc::clone(&log)));
    drop(session.call_batch(calls(&["sync"])));
    assert_eq!(log.take(), Vec::<String>::new());
}

#[test]
fn the_recovery_of_a_batch_prefers_finishing_over_correcting_over_replanning() {
    let reject = |name, error: fn() -> ToolError| sync(name, move |_| Err(error().into()));
    let builder = Toolbox::builder()
        .tool(named("fine"))
        .tool(reject("replan", || ToolError::new("No.")))
        .tool(reject("correct", || ToolError::retry("Another day.")))
        .tool(endless("finish"));
    let session = on(&SimulatedClock::new(), builder);
    let recovery = |names: &[&'static str]| {
        let mut batch = pin!(session.call_batch(calls(names)));
        if poll(batch.as_mut()).is_pending() {
            for id in 0..names.len() {
                session.cancel(&id.to_string());
            }
        } else {
            return pollster::block_on(session.call_batch(calls(names))).recovery();
        }
        pollster::block_on(batch).recovery()
    };
    assert_eq!(recovery(&["fine", "fine"]), None);
    assert_eq!(recovery(&["fine", "replan"]), Some(Recovery::Replan));
    assert_eq!(recovery(&["correct", "replan", "fine"]), Some(Recovery::CorrectCall));
    assert_eq!(recovery(&["correct", "finish", "replan"]), Some(Recovery::Finish));
}

#[test]
fn the_concurrency_limit_is_kept_and_used_fully() {
    let (clock, most) = (SimulatedClock::new(), Arc::new(AtomicUsize::new(0)));
    let running = Arc::new(AtomicUsize::new(0));
    let (inner, seen) = (clock.clone(), Arc::clone(&most));
    let tool = future("slow", move || {
        let (nap, running, seen) = (inner.sleep(SECOND), Arc::clone(&running), Arc::clone(&seen));
        async move {
            seen.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            nap.await;
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(Payload::Done)
        }
    });
    let session = on(&clock, Toolbox::builder().tool(tool).max_batch_concurrency(3));
    assert!(drive(&clock, session.call_batch(calls(&["slow"; 7]))).is_ok());
    assert_eq!((most.swap(0, Ordering::SeqCst), clock.now()), (3, SECOND * 3));
    assert!(drive(&clock, session.call_batch(calls(&["slow"; 4])).max_concurrency(0)).is_ok());
    assert_eq!((most.load(Ordering::SeqCst), clock.now()), (1, SECOND * 7));
}

#[test]
fn a_sequential_tool_runs_alone() {
    let clock = SimulatedClock::new();
    let log = Arc::new(Log::default());
    let write = alone(after(&clock, "write", 1));
    let builder = Toolbox::builder().tool(after(&clock, "slow", 3)).tool(after(&clock, "quick", 1)).tool(write);
    let session = on(&clock, builder.observer(Arc::clone(&log)));
    let batch = drive(&clock, session.call_batch(calls(&["slow", "quick", "write", "write", "slow", "quick"])));
    assert!(batch.is_ok());
    assert_eq!(clock.now(), SECOND * (3 + 1 + 1 + 3));
    let executed: Vec<_> = log.take().into_iter().filter(|line| line.contains("executed")).collect();
    let order: Vec<_> = executed.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(order, ["1", "0", "2", "3", "5", "4"]);
}

#[test]
fn a_sequential_tool_runs_alone_however_it_is_called() {
    let clock = SimulatedClock::new();
    let group = tool_runtime::Container::new("Files", "Files.").tool(alone(after(&clock, "write", 1)));
    let builder = Toolbox::builder().container(group).tool(after(&clock, "slow", 3));
    let expansion =
        ExpansionSettings::new().fixed_definitions().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun);
    let session = on(&clock, builder.expansion(expansion));
    let ways = [
        ("1", "write", "{}"),
        ("2", "Write", "{}"),
        ("3", "Files.write", "{}"),
        ("4", "Files", r#"{"function": "write"}"#),
        ("5", "call_tool", r#"{"tool": "write"}"#),
    ];
    for way in ways {
        let before = clock.now();
        let batch = drive(&clock, session.call_batch([("0", "slow", "{}"), way]));
        assert!(batch.is_ok(), "{:?}", texts(&batch));
        assert_eq!(clock.now(), before + SECOND * 4, "{way:?}");
    }
}

#[test]
fn an_expansion_applies_to_the_calls_after_it() {
    for most in [1, 2, 9] {
        let builder = Toolbox::builder().container(group("Math", &["add"])).max_batch_concurrency(most);
        let session = on(&SimulatedClock::new(), builder);
        let batch = pollster::block_on(session.call_batch(calls(&["add", "Math", "add"])));
        let texts = texts(&batch);
        assert_eq!((texts[0].1.as_str(), texts[2].1.as_str()), ("container_not_expanded", "add"));
        assert!(session.is_expanded("Math"));
    }
}

#[test]
fn cancelling_a_running_call_leaves_the_others_running() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(endless("endless")).tool(after(&clock, "slow", 1)));
    let mut batch = pin!(session.call_batch(calls(&["slow", "endless"])));
    assert!(poll(batch.as_mut()).is_pending());
    assert!(session.cancel("1"));
    assert_eq!(texts(&drive(&clock, batch)), pairs(&[("0", "slow"), ("1", "cancelled")]));
}

#[test]
fn a_call_that_has_not_started_can_be_cancelled() {
    let (clock, log) = (SimulatedClock::new(), Arc::new(Log::default()));
    let builder = Toolbox::builder().tool(after(&clock, "slow", 1)).tool(named("sync")).observer(Arc::clone(&log));
    let session = on(&clock, builder);
    let mut batch = pin!(session.call_batch(calls(&["slow", "sync", "sync"])).max_concurrency(1));
    assert!(poll(batch.as_mut()).is_pending());
    assert!(session.cancel("1") && !session.cancel("1"));
    assert_eq!(texts(&drive(&clock, batch)), pairs(&[("0", "slow"), ("1", "cancelled"), ("2", "sync")]));
    let of_the_call: Vec<_> = log.take().into_iter().filter(|line| line.starts_with("1:")).collect();
    assert_eq!(of_the_call, ["1: received sync", "1: rejected sync: cancelled (-)"]);
    assert!((0..3).all(|id| !session.cancel(&id.to_string())), "no call of the batch is left");
}

#[test]
fn a_dropped_batch_leaves_nothing_behind() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(after(&clock, "slow", 9)).time_limit(SECOND));
    {
        let limited = session.call_batch(calls(&["slow"; 5])).max_concurrency(2).time_limit(SECOND);
        let mut batch = pin!(limited.expect("the clock has a timer"));
        assert!(poll(batch.as_mut()).is_pending());
        assert!(clock.sleepers() > 0);
    }
    assert_eq!(clock.sleepers(), 0);
    assert!((0..5).all(|id| !session.cancel(&id.to_string())));
}

#[test]
fn a_batch_that_exceeds_its_time_limit_is_answered() {
    let clock = SimulatedClock::new();
    let builder = Toolbox::builder().tool(after(&clock, "slow", 2)).tool(endless("endless")).tool(named("sync"));
    let session = on(&clock, builder);
    let batch = session.call_batch(calls(&["slow", "Endless", "sync", "endless", "sync"])).max_concurrency(2);
    let batch = drive(&clock, batch.time_limit(SECOND * 5).expect("the clock has a timer"));
    let expected = [("0", "slow"), ("1", "timeout"), ("2", "sync"), ("3", "timeout"), ("4", "timeout")];
    assert_eq!(texts(&batch), pairs(&expected));
    assert_eq!((clock.now(), clock.sleepers()), (SECOND * 5, 0));
    let late = &batch.outcomes()[1];
    assert_eq!((late.tool_name(), late.repairs().len()), ("endless", 1));
    assert!((0..5).all(|id| !session.cancel(&id.to_string())));
}

#[test]
fn a_batch_within_its_time_limit_leaves_no_timer() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(after(&clock, "slow", 2)));
    let batch = session.call_batch(calls(&["slow", "slow"])).time_limit(SECOND * 5).expect("the clock has a timer");
    assert!(drive(&clock, batch).is_ok());
    assert_eq!((clock.now(), clock.sleepers()), (SECOND * 2, 0));
}

#[test]
fn calls_of_one_batch_do_not_throttle_each_other() {
    let arguments: Vec<_> = (0..8).map(|page| format!(r#"{{"page": {page}}}"#)).collect();
    let calls = || arguments.iter().map(|arguments| ("call_1", "sync", arguments));
    let builder = || Toolbox::builder().tool(named("sync")).throttle(SessionLimits::strict());
    let session = || builder().clock(SimulatedClock::new()).build();
    let together = session().expect("the toolbox is valid").session();
    assert!(pollster::block_on(together.call_batch(calls())).is_ok());
    let apart = session().expect("the toolbox is valid").session();
    let apart: Vec<_> =
        calls().map(|(id, name, arguments)| pollster::block_on(apart.call(id, name, arguments)).is_ok()).collect();
    assert!(apart.contains(&false), "one by one, the calls exceed the rate");
}

/// Counts how often the task was woken.
#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn only_woken_calls_are_polled() {
    let (clock, polls) = (SimulatedClock::new(), Arc::new(AtomicUsize::new(0)));
    let (inner, counted, next) = (clock.clone(), Arc::clone(&polls), AtomicUsize::new(0));
    let tool = hand(
        "slow",
        Box::new(move |_| {
            // Each call ends at a different time.
            let mut nap = inner.sleep(SECOND * u32::try_from(next.fetch_add(1, Ordering::SeqCst)).unwrap_or(0));
            let counted = Arc::clone(&counted);
            AnswerOrFuture::Pending(Box::pin(std::future::poll_fn(move |cx| {
                counted.fetch_add(1, Ordering::SeqCst);
                nap.as_mut().poll(cx).map(|()| Ok(Payload::Done))
            })))
        }),
    );
    let session = on(&clock, Toolbox::builder().tool(tool));
    let (woken, mut batch) = (Arc::new(Count::default()), pin!(session.call_batch(calls(&["slow"; 1_000]))));
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        if let Poll::Ready(batch) = batch.as_mut().poll(&mut Context::from_waker(&waker)) {
            assert!(batch.is_ok() && batch.outcomes().len() == 1_000);
            break;
        }
        let before = woken.0.load(Ordering::SeqCst);
        clock.advance_to_next().expect("a call waits");
        assert_eq!(woken.0.load(Ordering::SeqCst), before + 1, "the task was woken");
    }
    // The first call ends at once; each of the others is polled when it starts and when it is woken.
    assert_eq!(polls.load(Ordering::SeqCst), 1 + 2 * 999);
}

/// Writes a file.
#[tool(sequential)]
fn write() {}

#[test]
fn the_sequential_attribute_is_in_the_spec() {
    assert!(WriteTool::SPEC.settings.sequential);
}
