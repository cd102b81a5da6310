//! Events: the observer receives every event, in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_runtime::clock::{Clock, SimulatedClock, Sleep};
use tool_runtime::event::{EventCounter, EventKind};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::tool::{CallError, Payload};
use tool_runtime::{
    ToolError, Toolbox,
    event::{Observer, ToolEvent},
};

use super::tools::{Log, call, group, named, sync};

fn check(calls: &[(&str, &str)], expect: &[&str]) {
    let log = Arc::new(Log::default());
    let fails = |_: &_| Err(CallError::Tool(ToolError::new("Closed.").caused_by("disk 3 is full")));
    let builder =
        Toolbox::builder().tool(named("get_time")).tool(sync("fails", fails)).container(group("Math", &["add"]));
    let session = builder.observer(Arc::clone(&log)).build().expect("all names differ").session();
    for (name, arguments) in calls {
        let _ = call(&session, name, arguments);
    }
    assert_eq!(log.take(), expect.iter().map(|line| format!("call_1: {line}")).collect::<Vec<_>>());
}

#[test]
fn a_successful_call_is_observed() {
    check(&[("get_time", "{}")], &["received get_time", "executed get_time: get_time"]);
}

#[test]
fn a_repaired_name_is_observed() {
    check(&[("GetTime", "{}")], &["received GetTime", "repaired GetTime to get_time", "executed get_time: get_time"]);
}

#[test]
fn an_expansion_and_a_call_of_its_member_are_observed() {
    check(
        &[("add", ""), ("Math", ""), ("add", "")],
        &[
            "received add",
            "rejected add: container_not_expanded (-)",
            "received Math",
            "expanded Math",
            "received add",
            "executed add: add",
        ],
    );
}

#[test]
fn an_error_is_observed_with_its_causes() {
    check(&[("fails", "{}")], &["received fails", "rejected fails: tool_error (Closed.: disk 3 is full)"]);
}

#[test]
fn an_unknown_tool_is_observed() {
    check(&[("nobody", "{}")], &["received nobody", "rejected nobody: unknown_tool (-)"]);
}

/// Records the time of each event.
#[derive(Clone, Default)]
struct Times(Arc<Mutex<Vec<(&'static str, Duration)>>>);

impl Observer for Times {
    fn event(&self, event: &ToolEvent<'_>) {
        self.0.lock().expect("the lock is not poisoned").push((event.kind.name(), event.at));
    }
}

#[test]
fn event_times_count_from_the_beginning_of_the_session() {
    let (clock, times) = (SimulatedClock::new(), Times::default());
    let works = {
        let clock = clock.clone();
        sync("works", move |_| {
            clock.advance(Duration::from_secs(2));
            Ok(Payload::Done)
        })
    };
    let toolbox = Toolbox::builder().tool(works).observer(times.clone()).clock(clock.clone()).build();
    clock.advance(Duration::from_secs(60));
    let session = toolbox.expect("the toolbox is valid").session();
    clock.advance(Duration::from_secs(3));
    let _ = call(&session, "works", "{}");
    let times = times.0.lock().expect("the lock is not poisoned").clone();
    assert_eq!(times, [("received", Duration::from_secs(3)), ("executed", Duration::from_secs(5))]);
}

/// A clock that counts the reads of its time.
struct Asked(Arc<AtomicUsize>);

impl Clock for Asked {
    fn now(&self) -> Duration {
        self.0.fetch_add(1, Ordering::Relaxed);
        Duration::ZERO
    }

    fn sleep(&self, _: Duration) -> Sleep {
        Box::pin(std::future::pending())
    }
}

#[test]
fn the_clock_is_read_for_events_only_with_an_observer() {
    let reads = |is_observed: bool| {
        let asked = Arc::new(AtomicUsize::new(0));
        let builder = Toolbox::builder().tool(named("get_time")).clock(Asked(Arc::clone(&asked)));
        let builder = if is_observed { builder.observer(Log::default()) } else { builder };
        let session = builder.build().expect("the toolbox is valid").session();
        let _ = call(&session, "get_time", "{}");
        asked.load(Ordering::Relaxed)
    };
    // The start of the session, the received event and the executed event.
    assert_eq!(reads(true) - reads(false), 3);
}

#[test]
fn several_observers_receive_the_same_events() {
    let logs: [Arc<Log>; 2] = Default::default();
    let observer = (vec![Arc::clone(&logs[0])], Some(Arc::clone(&logs[1])));
    let session =
        Toolbox::builder().tool(named("get_time")).observer(observer).build().expect("the toolbox is valid").session();
    let _ = call(&session, "get_time", "{}");
    let [first, second] = logs.map(|log| log.take());
    assert_eq!((first.len(), first), (2, second));
}

#[test]
fn every_kind_of_event_is_counted() {
    let counts = EventCounter::default();
    let tell = |kind| counts.event(&ToolEvent::new(Duration::ZERO, "call_1", kind));
    for rule in [ThrottleRule::SameError, ThrottleRule::SameError, ThrottleRule::OverallRate] {
        tell(EventKind::Throttled { tool: "a", rule, retry_after: None });
    }
    tell(EventKind::Deferred { tool: "a", needs_approval: true });
    tell(EventKind::Retried { tool: "a", attempt: 2, wait: Duration::ZERO });
    tell(EventKind::Warned { tool: "a", warning: "Tool succeeded but returned nothing." });
    tell(EventKind::Expanded { container: "A", is_answer: true });
    tell(EventKind::Collapsed { container: "A" });
    let json = serde_json::to_value(counts.snapshot()).expect("counts are data");
    assert_eq!(json["throttled"], serde_json::json!({"overall_rate": 1, "same_error": 2}));
    for kind in ["deferred", "retried", "warnings", "expanded", "collapsed"] {
        assert_eq!(json[kind], 1, "{kind}");
    }
    assert_eq!((&json["calls"], &json["rejected"]), (&0.into(), &0.into()));
}
