//! A future that is dropped after any number of polls leaves no running call, no waiting call, no timer and no probe behind.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::tool::{Answer, CallError, Payload, Retry};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Session, ToolError, Toolbox};

use super::tools::{Hand, drive, future, named};

const SECOND: Duration = Duration::from_secs(1);
/// More polls than any of the futures here needs.
const MOST: usize = 40;

/// A future that is pending for a number of polls.
struct Steps(u8);

impl Future for Steps {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Returns a tool that is pending for a number of polls and then answers.
fn stepping(name: &'static str, steps: u8, answer: fn() -> Answer) -> Hand {
    future(name, move || async move {
        Steps(steps).await;
        answer()
    })
}

fn down() -> Answer {
    Err(CallError::Tool(ToolError::unavailable("Down.")))
}

#[expect(clippy::unnecessary_wraps, reason = "has the signature of functions that fail")]
fn done() -> Answer {
    Ok(Payload::Done)
}

type Change = fn(ToolboxBuilder) -> ToolboxBuilder;

/// No hook, and a hook that is pending before it allows the call or leaves it to a human.
const CHANGES: [Change; 2] = [
    |builder| builder,
    |builder| {
        builder.before_call(|call: &ProposedCall<'_>| {
            let is_for_a_human = call.name() == "human";
            async move {
                Steps(2).await;
                if is_for_a_human { Verdict::Defer } else { Verdict::Run }
            }
        })
    },
];

fn tools(clock: &SimulatedClock, change: Change) -> Session {
    let mut flaky = stepping("flaky", 1, down);
    flaky.spec.settings.annotations.idempotent = Some(true);
    let mut alone = stepping("alone", 2, done);
    alone.spec.settings.sequential = true;
    let builder = Toolbox::builder().tool(stepping("slow", 3, done)).tool(flaky).tool(alone).tool(named("human"));
    let builder = builder.tool(named("sync")).retry(Retry::DEFAULT).time_limit(60 * SECOND).clock(clock.clone());
    change(builder).build().expect("the registration is valid").session()
}

/// Polls up to a number of times, advancing the clock in between, and returns whether the future was ready.
fn poll_times<F: Future>(clock: &SimulatedClock, future: F, times: usize) -> bool {
    let mut future = pin!(future);
    (0..times).any(|_| {
        clock.advance(SECOND / 10);
        future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
    })
}

const CALLS: [(&str, &str, &str); 5] =
    [("1", "slow", "{}"), ("2", "flaky", "{}"), ("3", "alone", "{}"), ("4", "human", "{}"), ("5", "sync", "{}")];

#[track_caller]
fn is_clean(session: &Session, clock: &SimulatedClock, what: &str) {
    let waits: Vec<_> = session.deferred_calls().iter().map(|call| call.call_id().to_owned()).collect();
    for (id, ..) in CALLS {
        // A call that the host has to answer is no leftover: it waits, once.
        assert_eq!(session.cancel(id), waits.iter().any(|waits| waits == id), "{what}: {id}");
        assert!(!session.cancel(id), "{what}: {id}");
    }
    assert!(waits.len() <= 1 && session.deferred_calls().is_empty(), "{what}");
    assert_eq!(clock.sleepers(), 0, "{what}");
    let statistics = session.statistics();
    for tool in &statistics.tools {
        let judged = tool.failures + tool.undecided;
        assert!(judged <= tool.calls && tool.calls <= 1, "{what}: {tool:?}");
    }
    for name in ["slow", "alone", "sync"] {
        assert!(drive_stepping(session, clock, name), "{what}: {name} can be called");
    }
}

fn drive_stepping(session: &Session, clock: &SimulatedClock, name: &str) -> bool {
    let mut call = pin!(session.call("after", name, "{}"));
    for _ in 0..MOST {
        clock.advance(SECOND);
        if let Poll::Ready(outcome) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return outcome.is_ok();
        }
    }
    false
}

#[test]
fn a_call_can_be_dropped_after_any_number_of_polls() {
    for change in CHANGES {
        for (id, name, arguments) in CALLS {
            let polls = (0..MOST).find(|&times| {
                let clock = SimulatedClock::new();
                let session = tools(&clock, change);
                let is_done = poll_times(&clock, session.call(id, name, arguments), times);
                is_clean(&session, &clock, &format!("{name} after {times} polls"));
                is_done
            });
            assert!(polls.is_some_and(|polls| polls > 0), "{name} ends");
        }
    }
}

#[test]
fn a_resumed_call_can_be_dropped_after_any_number_of_polls() {
    let polls = (0..MOST).find(|&times| {
        let clock = SimulatedClock::new();
        let session = tools(&clock, |builder| builder.before_call(|_: &ProposedCall<'_>| Verdict::Defer));
        assert!(drive(&clock, session.call("1", "slow", "{}")).is_deferred());
        let is_done = poll_times(&clock, session.resume("1"), times);
        assert_eq!(session.deferred_calls().len(), usize::from(times == 0), "after {times} polls");
        session.cancel("1");
        assert!(!session.cancel("1") && clock.sleepers() == 0, "after {times} polls");
        assert_eq!(session.statistics().tools.iter().map(|tool| tool.calls).sum::<u64>(), 1);
        is_done
    });
    assert!(polls.is_some_and(|polls| polls > 1));
}

#[test]
fn a_batch_can_be_dropped_after_any_number_of_polls() {
    let limited = |session: &Session, clock: &SimulatedClock, most: usize, times: usize| {
        let batch =
            session.call_batch(CALLS).max_concurrency(most).time_limit(30 * SECOND).expect("the clock has a timer");
        poll_times(clock, batch, times)
    };
    for change in CHANGES {
        for most in [1, 2, 5] {
            let polls = (0..MOST).find(|&times| {
                let clock = SimulatedClock::new();
                let session = tools(&clock, change);
                let is_done = limited(&session, &clock, most, times);
                is_clean(&session, &clock, &format!("{most} at once after {times} polls"));
                is_done
            });
            assert!(polls.is_some_and(|polls| polls > 2), "{most} at once are done at last");
        }
    }
}

/// Cancels a call of the session when woken.
struct Canceller(Session);

impl Wake for Canceller {
    fn wake(self: Arc<Self>) {
        self.0.cancel("1");
    }
}

#[test]
fn a_call_that_is_cancelled_after_any_number_of_polls_is_answered() {
    for change in CHANGES {
        for (id, name, arguments) in CALLS {
            for times in 1..MOST {
                let clock = SimulatedClock::new();
                let session = tools(&clock, change);
                let mut call = pin!(session.call(id, name, arguments));
                if poll_times(&clock, call.as_mut(), times) {
                    break;
                }
                assert!(session.cancel(id), "{name} after {times} polls");
                let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                let Poll::Ready(outcome) = polled else { panic!("{name} after {times} polls: not answered at once") };
                assert!(outcome.to_text().contains("\"cancelled\""), "{name} after {times} polls");
                is_clean(&session, &clock, &format!("{name} cancelled after {times} polls"));
            }
        }
    }
}

#[test]
fn a_call_that_is_cancelled_by_its_own_waker_is_answered() {
    let clock = SimulatedClock::new();
    let session = tools(&clock, |builder| builder);
    let waker = Waker::from(Arc::new(Canceller(session.clone())));
    let mut call = pin!(session.call("1", "slow", "{}"));
    let answered = (0..MOST).find_map(|_| match call.as_mut().poll(&mut Context::from_waker(&waker)) {
        Poll::Ready(outcome) => Some(outcome.is_ok()),
        Poll::Pending => None,
    });
    assert_eq!(answered, Some(false));
}

#[test]
fn a_call_of_a_batch_can_be_cancelled_after_any_number_of_polls() {
    for change in CHANGES {
        for (place, (id, ..)) in CALLS.into_iter().enumerate() {
            for (most, times) in [1, 2, 5].into_iter().flat_map(|most| (1..MOST).map(move |times| (most, times))) {
                let clock = SimulatedClock::new();
                let session = tools(&clock, change);
                let mut batch = pin!(session.call_batch(CALLS).max_concurrency(most));
                if poll_times(&clock, batch.as_mut(), times) {
                    break;
                }
                let was_deferred = !session.deferred_calls().is_empty();
                let is_cancelled = session.cancel(id);
                let answered = (0..MOST).find_map(|_| {
                    clock.advance(SECOND);
                    match batch.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                        Poll::Ready(answered) => Some(answered.into_outcomes()),
                        Poll::Pending => None,
                    }
                });
                let outcomes = answered.expect("the batch ends");
                let what = format!("{id}, {most} at once after {times} polls");
                let ids: Vec<_> = outcomes.iter().map(tool_runtime::Outcome::call_id).collect();
                assert_eq!(ids, CALLS.map(|(id, ..)| id), "{what}");
                for (other, outcome) in outcomes.iter().enumerate() {
                    let is_told = outcome.to_text().contains("\"cancelled\"");
                    // A call that waited for the host already had its outcome, a deferral.
                    let expected = other == place && is_cancelled && !(id == "4" && was_deferred);
                    assert_eq!(is_told, expected, "{what}: {}", outcome.to_text());
                }
            }
        }
    }
}
