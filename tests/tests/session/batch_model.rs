//! Properties of any batch: one outcome for each call, in order; no call is left behind; equal inputs give equal outputs.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use proptest::prelude::*;
use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::session::CallRequest;
use tool_runtime::tool::{Payload, Retry};
use tool_runtime::{Session, ToolError, Toolbox};

use super::tools::{Hand, Log, endless, future, group, named, sync};

const SECOND: Duration = Duration::from_secs(1);

/// Names that a batch may call. Only calls of the first three can take longer than 9 seconds.
const NAMES: [&str; 14] = [
    "endless",
    "alone",
    "stuck",
    "limited",
    "ready",
    "slow",
    "slower",
    "panics",
    "panics_later",
    "flaky",
    "Ready",
    "Math",
    "add",
    "nobody",
];

/// Returns a tool that answers, or panics, after some seconds.
fn after(clock: &SimulatedClock, name: &'static str, seconds: u32, panics: bool) -> Hand {
    let clock = clock.clone();
    future(name, move || {
        let nap = clock.sleep(SECOND * seconds);
        async move {
            nap.await;
            assert!(!panics, "the test asks for a panic");
            Ok(Payload::Text(name.to_owned()))
        }
    })
}

fn session(clock: &SimulatedClock, log: &Arc<Log>) -> Session {
    let mut alone = after(clock, "alone", 2, false);
    alone.spec.settings.sequential = true;
    let mut stuck = endless("stuck");
    stuck.spec.settings.sequential = true;
    let mut limited = endless("limited");
    limited.spec.settings.time_limit = Some(SECOND * 4);
    let mut flaky = sync("flaky", |_| Err(ToolError::unavailable("Down.").into()));
    flaky.spec.settings.annotations.idempotent = Some(true);
    flaky.spec.settings.retry = Some(Retry { attempts: 3, first: SECOND, factor: 2, cap: SECOND * 9 });
    let builder = Toolbox::builder()
        .tool(endless("endless"))
        .tool(alone)
        .tool(stuck)
        .tool(limited)
        .tool(named("ready"))
        .tool(after(clock, "slow", 1, false))
        .tool(after(clock, "slower", 3, false))
        .tool(sync("panics", |_| panic!("the test asks for a panic")))
        .tool(after(clock, "panics_later", 1, true))
        .tool(flaky)
        .container(group("Math", &["add"]));
    let built = builder.no_throttle().clock(clock.clone()).observer(Arc::clone(log)).build();
    built.expect("the names differ").session()
}

/// A batch with the cancellations that happen meanwhile.
#[derive(Clone, Debug)]
struct Plan {
    /// Few different ids, so that some calls share one.
    calls: Vec<(u8, usize)>,
    most: usize,
    limit: Option<u32>,
    /// The ids to cancel before each step of the clock.
    cancelled: Vec<u8>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let calls = prop::collection::vec((0..6_u8, 0..NAMES.len()), 0..12);
    let cancelled = prop::collection::vec(0..9_u8, 0..8);
    (calls, 0..5_usize, prop::option::of(0..12_u32), cancelled).prop_map(|(calls, most, limit, cancelled)| Plan {
        calls,
        most,
        limit,
        cancelled,
    })
}

/// Returns the events and the answers of a plan, and the time that it took.
fn run(plan: &Plan) -> (Vec<String>, Vec<(String, String)>, Duration) {
    let (clock, log) = (SimulatedClock::new(), Arc::new(Log::default()));
    let session = session(&clock, &log);
    let calls = plan.calls.iter().map(|&(id, name)| CallRequest::new(id.to_string(), NAMES[name], "{}"));
    let mut batch = session.call_batch(calls).max_concurrency(plan.most);
    if let Some(limit) = plan.limit {
        batch = batch.time_limit(SECOND * limit).expect("the clock has a timer");
    }
    let (mut batch, mut cancelled) = (pin!(batch), plan.cancelled.iter());
    let batch = loop {
        if let Poll::Ready(batch) = batch.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break batch;
        }
        if let Some(id) = cancelled.next() {
            session.cancel(&id.to_string());
        } else if clock.advance_to_next().is_none() {
            // A call that waits for no time would wait for ever.
            for id in 0..6 {
                session.cancel(&id.to_string());
            }
        }
    };
    let answers: Vec<_> =
        batch.into_iter().map(|outcome| (outcome.call_id().to_owned(), outcome.to_text().into_owned())).collect();
    assert!((0..6).all(|id| !session.cancel(&id.to_string())), "no call is left to cancel");
    assert_eq!(clock.sleepers(), 0, "no timer is left");
    (log.take(), answers, clock.now())
}

proptest! {
    #[test]
    fn every_call_is_answered_in_order(plan in plan()) {
        let (events, answers, now) = run(&plan);
        let ids: Vec<_> = answers.iter().map(|(id, _)| id.clone()).collect();
        prop_assert_eq!(ids, plan.calls.iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>());
        let told = |what: &str| events.iter().filter(|line| line.contains(what)).count();
        prop_assert_eq!(told(": received "), plan.calls.len());
        let expanded = answers.iter().filter(|(_, text)| text.starts_with(r#"{"expanded""#)).count();
        prop_assert_eq!(told(": executed ") + told(": rejected ") + expanded, plan.calls.len());
        if let Some(limit) = plan.limit {
            prop_assert!(now <= SECOND * limit);
        }
        prop_assert_eq!(run(&plan), (events, answers, now));
    }

    #[test]
    fn a_dropped_batch_leaves_nothing_behind(plan in plan(), steps in 0..6_u32) {
        let (clock, log) = (SimulatedClock::new(), Arc::new(Log::default()));
        let session = session(&clock, &log);
        {
            let calls = plan.calls.iter().map(|&(id, name)| CallRequest::new(id.to_string(), NAMES[name], "{}"));
            let mut batch = pin!(session.call_batch(calls).max_concurrency(plan.most));
            for _ in 0..steps {
                if batch.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                    break;
                }
                clock.advance(SECOND);
            }
        }
        prop_assert!((0..6).all(|id| !session.cancel(&id.to_string())));
        prop_assert_eq!(clock.sleepers(), 0);
    }
}
