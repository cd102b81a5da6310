//! Shared tool health that does not answer, and sessions outside of Restate that share the health of their tools with conversations on Restate.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::runtime::Runtime;
use tool_durable::IngressHealth;
use tool_runtime::clock::{Clock, Sleep, TokioClock};
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::session::SessionSetup;
use tool_runtime::throttle::SessionLimits;
use tool_runtime::{Session, ToolError, Toolbox, tool};

use super::cluster::Cluster;
use super::outage::{hangs, outside_key, unknown};
use super::server::until;
use crate::http::{SECRET, post};

/// A process without Restate, with two tools.
#[derive(Clone, Default)]
struct Outside(Arc<Parts>);

#[derive(Default)]
struct Parts {
    is_broken: AtomicBool,
    runs: AtomicUsize,
    requests: AtomicUsize,
    answered: AtomicUsize,
    /// The number of milliseconds by which the clock is ahead.
    ahead: AtomicU64,
    events: Mutex<Vec<String>>,
    unknown: Mutex<Vec<String>>,
}

impl Clock for Outside {
    fn now(&self) -> Duration {
        TokioClock::new().now() + Duration::from_millis(self.0.ahead.load(Ordering::Relaxed))
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        TokioClock::new().sleep(duration)
    }

    fn unix_time(&self) -> Duration {
        TokioClock::new().unix_time()
    }

    fn has_timer(&self) -> bool {
        true
    }
}

impl Observer for Outside {
    fn event(&self, event: &ToolEvent<'_>) {
        self.0.events.lock().expect("no test panics").push(format!("{event:?}"));
        if let EventKind::HealthUnknown { reason, .. } = event.kind {
            self.0.unknown.lock().expect("no test panics").push(reason.to_owned());
        }
    }
}

fn work(outside: &Outside) -> Result<&'static str, ToolError> {
    outside.0.runs.fetch_add(1, Ordering::Relaxed);
    let is_broken = outside.0.is_broken.load(Ordering::Relaxed);
    if is_broken { Err(ToolError::unavailable("The bank does not answer.")) } else { Ok("done") }
}

/// Pays.
#[tool]
fn pay(#[tool(state)] outside: &Outside) -> Result<&'static str, ToolError> {
    work(outside)
}

/// Rejects.
#[tool]
fn reject(#[tool(state)] outside: &Outside) -> Result<&'static str, ToolError> {
    work(outside)
}

impl Outside {
    fn health(&self, cluster: &Cluster) -> IngressHealth {
        let (this, ingress) = (self.clone(), cluster.server.ingress);
        let post = move |request| {
            this.0.requests.fetch_add(1, Ordering::Relaxed);
            let (this, answer) = (this.clone(), post(ingress, request));
            async move {
                let answer = answer.await;
                this.0.answered.fetch_add(1, Ordering::Relaxed);
                answer
            }
        };
        let health = IngressHealth::new(self.clone(), post, |report| drop(tokio::spawn(report)));
        let health = health.expect("the clock has a timer").time_limit(Duration::from_secs(5));
        health.key_fn(|tool| Some(outside_key(tool)))
    }

    fn session(&self, health: &IngressHealth, limits: &SessionLimits) -> Session {
        let builder = Toolbox::builder().tool(PayTool).tool(RejectTool).state(self.clone()).observer(self.clone());
        let toolbox = builder.throttle(*limits).build().expect("the registration is valid");
        toolbox.begin_session(SessionSetup::new().shared_health(health.clone())).expect("no state is missing")
    }

    fn unknown(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.unknown.lock().expect("no test panics"))
    }

    fn runs(&self) -> usize {
        self.0.runs.swap(0, Ordering::Relaxed)
    }
}

fn call(runtime: &Runtime, session: &Session, tool: &str) -> String {
    runtime.block_on(session.call("call", tool, "{}")).to_text().into_owned()
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads can be started")
}

/// Waits until the shared health of a tool has this number of pauses. Nobody waits for the reports of calls, so they may arrive later.
fn until_paused(cluster: &Cluster, tool: &str) {
    until("the tool is paused", || {
        let (status, summary) = cluster.server.post(&format!("ToolHealth/{tool}%2Foutside%20%C3%BC/summary"), None);
        (status == 200 && summary["pauses"] == json!(1)).then_some(())
    });
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn conversations_outside_and_on_restate_share_their_pauses() {
    let (cluster, outside, runtime) = (Cluster::start(), Outside::default(), runtime());
    let session = outside.session(&outside.health(&cluster), &SessionLimits::NONE);
    // Three failures on Restate.
    assert_eq!(cluster.ask("outside-1", "a reject\nb reject\nc reject").0, 200);
    until_paused(&cluster, "reject");
    let answer = call(&runtime, &session, "reject");
    assert!(answer.starts_with(r#"{"error_type":"throttled","tool":"reject","rule":"#), "{answer}");
    assert_eq!((outside.runs(), call(&runtime, &session, "pay")), (0, "done".to_owned()));
    // Three failures outside.
    outside.0.is_broken.store(true, Ordering::Relaxed);
    (0..3).for_each(|_| assert!(call(&runtime, &session, "pay").contains("unavailable")));
    until_paused(&cluster, "pay");
    assert_eq!(cluster.ask("outside-2", "a pay").0, 200);
    let answers = cluster.answers("outside-2");
    assert!(answers[0].starts_with(r#"{"error_type":"throttled","tool":"pay","rule":"#), "{answers:?}");
    assert!(cluster.ran("outside-2").is_empty() && outside.unknown().is_empty());
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn sessions_outside_go_on_while_the_server_is_stopped() {
    let (mut cluster, outside, runtime) = (Cluster::start(), Outside::default(), runtime());
    let health = outside.health(&cluster);
    let session = outside.session(&health, &SessionLimits::default());
    assert_eq!((call(&runtime, &session, "pay"), outside.unknown()), ("done".to_owned(), vec![]));
    let is_reported = || (outside.0.answered.load(Ordering::Relaxed) == 2).then_some(());
    until("the end of the call is reported", is_reported);

    cluster.server.stop();
    assert_eq!(call(&runtime, &session, "pay"), "done");
    let requests = outside.0.requests.load(Ordering::Relaxed);
    assert_eq!(outside.unknown(), ["the server has not answered in time, or the request has failed"]);
    // The throttle of the session decides alone.
    outside.0.is_broken.store(true, Ordering::Relaxed);
    (0..3).for_each(|_| assert!(call(&runtime, &session, "reject").contains("unavailable")));
    assert!(call(&runtime, &session, "reject").contains("throttled"));
    assert_eq!(outside.unknown(), ["the server has not decided lately"; 3]);
    assert_eq!(outside.0.requests.load(Ordering::Relaxed), requests, "the server is not asked for a while");

    cluster.server.restart();
    outside.0.is_broken.store(false, Ordering::Relaxed);
    let session = outside.session(&health, &SessionLimits::NONE);
    until("the server is asked again", || {
        outside.0.ahead.fetch_add(10_000, Ordering::Relaxed);
        assert_eq!(call(&runtime, &session, "pay"), "done");
        outside.unknown().is_empty().then_some(())
    });
    outside.0.is_broken.store(true, Ordering::Relaxed);
    (0..3).for_each(|_| assert!(call(&runtime, &session, "pay").contains("unavailable")));
    until_paused(&cluster, "pay");
    assert!(call(&runtime, &session, "pay").contains("throttled"));
    let events = outside.0.events.lock().expect("no test panics");
    assert!(!events.is_empty() && !events.iter().any(|event| event.contains(SECRET)), "{events:?}");
}

/// Decisions that never come: the calls run after the time limit, unless their turn has ended before.
#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn calls_on_restate_run_although_their_health_hangs() {
    let cluster = Cluster::start();
    let world = cluster.server.folder.join("world");
    fs::write(hangs(&world), "").expect("the folder can be written");
    let (status, end) = cluster.ask("limited-stuck", "late pay");
    assert!(status == 200 && end["limited"]["limit"]["time"].is_object(), "{end}");
    assert_eq!(cluster.ask("stuck", "a pay, b pay").0, 200);
    assert_eq!(cluster.answers("stuck"), ["paid", "paid"]);
    cluster.server.wait_for_calls();
    assert!(cluster.ran("limited-stuck").is_empty(), "a call ran after the end of its turn");
    let told = fs::read_to_string(unknown(&world)).expect("there were events");
    let mut told: Vec<&str> = told.lines().collect();
    told.sort_unstable();
    assert_eq!(told, ["a", "b", "late"]);

    fs::remove_file(hangs(&world)).expect("the file exists");
    assert_eq!(cluster.ask("stuck-2", "c pay").0, 200);
    assert_eq!((cluster.answers("stuck-2"), cluster.ran("stuck-2")), (vec!["paid".to_owned()], vec!["c".to_owned()]));
    let told = fs::read_to_string(unknown(&world)).expect("there were events");
    assert_eq!(told.lines().count(), 3, "{told}");
}
