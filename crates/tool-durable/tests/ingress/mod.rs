//! Sessions and conversations outside of Restate that share the health of their tools: one probe for all, and calls that run if nobody answers.
//!
//! The server is replaced by a function that applies the messages to a `ToolHealth`. `scripts/judges-restate` uses a real server.

mod servers;

use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use serde_json::{Value, json};
use tool_chat::model::ScriptedModel;
use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore, IngressHealth, IngressPost};
use tool_runtime::clock::{Clock, SimulatedClock, SystemClock};
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::session::SessionSetup;
use tool_runtime::throttle::{HealthEnd, HealthPermit, HealthRules, SessionLimits, ToolHealth};
use tool_runtime::{Session, ToolError, Toolbox, tool};

const TODAY: Duration = Duration::from_secs(1_800_000_000);

/// The server, and the service behind the tool.
#[derive(Clone, Default)]
struct World(Arc<Parts>);

#[derive(Default)]
struct Parts {
    health: Mutex<ToolHealth>,
    /// The paths of all requests.
    requests: Mutex<Vec<String>>,
    is_down: AtomicBool,
    is_broken: AtomicBool,
    never_ends: AtomicBool,
    runs: AtomicUsize,
    /// The reasons of the events.
    unknown: Mutex<Vec<String>>,
    clock: SimulatedClock,
}

impl World {
    fn now(&self) -> Duration {
        TODAY + self.0.clock.now()
    }

    fn answer(&self, request: &IngressPost) -> String {
        self.0.requests.lock().expect("no test panics").push(request.path.clone());
        let body: Value = serde_json::from_str(&request.body).expect("the body is JSON");
        let (mut health, rules) = (self.0.health.lock().expect("no test panics"), HealthRules::default());
        if request.path == "/ToolHealth/forecast%2Foslo/report/send" {
            let permit: HealthPermit = serde_json::from_value(body["permit"].clone()).expect("a permit");
            let end: HealthEnd = serde_json::from_value(body["end"].clone()).expect("an end");
            health.report_end(&rules, permit, &end, self.now());
            return r#"{"invocationId":"inv_1","status":"Accepted"}"#.to_owned();
        }
        assert_eq!(request.path, "/ToolHealth/forecast%2Foslo/admit");
        match health.admit(&rules, body["tool"].as_str().expect("a name"), self.now()) {
            Ok(permit) => json!({"admitted": {"permit": permit}}).to_string(),
            Err(refusal) => json!({"refused": {
                "rule": refusal.rule, "count": refusal.count, "message": refusal.message, "retry_after": refusal.retry_after,
            }})
            .to_string(),
        }
    }

    fn health(&self) -> IngressHealth {
        let world = self.clone();
        let post = move |request: IngressPost| {
            let answer = (!world.0.is_down.load(Ordering::Relaxed)).then(|| world.answer(&request));
            async move {
                match answer {
                    Some(answer) => Ok::<_, std::io::Error>(answer),
                    None => pending().await,
                }
            }
        };
        // The function answers at once, or never.
        let spawn = |work: Pin<Box<dyn Future<Output = ()> + Send>>| {
            let _ = poll_once(work);
        };
        let health = IngressHealth::new(self.0.clock.clone(), post, spawn).expect("the clock has a timer");
        health.key_fn(|tool| Some(format!("{tool}/oslo")))
    }

    fn toolbox(&self, limits: &SessionLimits) -> Toolbox {
        let approves = |call: &ProposedCall<'_>| if call.call_id() == "later" { Verdict::Defer } else { Verdict::Run };
        let builder = Toolbox::builder().tool(ForecastTool).state(self.clone()).clock(self.0.clock.clone());
        let builder = builder.throttle(*limits).observer(self.clone()).before_call(approves);
        builder.build().expect("the registration is valid")
    }

    fn session(&self) -> Session {
        self.limited(&SessionLimits::NONE)
    }

    fn limited(&self, limits: &SessionLimits) -> Session {
        self.toolbox(limits)
            .begin_session(SessionSetup::new().shared_health(self.health()))
            .expect("no state is missing")
    }

    fn runs(&self) -> usize {
        self.0.runs.swap(0, Ordering::Relaxed)
    }

    fn requests(&self) -> usize {
        std::mem::take(&mut *self.0.requests.lock().expect("no test panics")).len()
    }

    fn set_broken(&self, is_broken: bool) {
        self.0.is_broken.store(is_broken, Ordering::Relaxed);
    }
}

impl Observer for World {
    fn event(&self, event: &ToolEvent<'_>) {
        if let EventKind::HealthUnknown { tool: "forecast", reason } = event.kind {
            self.0.unknown.lock().expect("no test panics").push(reason.to_owned());
        }
    }
}

/// Returns the weather.
#[tool]
async fn forecast(#[tool(state)] world: &World) -> Result<&'static str, ToolError> {
    world.0.runs.fetch_add(1, Ordering::Relaxed);
    if world.0.never_ends.load(Ordering::Relaxed) {
        pending::<()>().await;
    }
    if world.0.is_broken.load(Ordering::Relaxed) { Err(ToolError::unavailable("No answer.")) } else { Ok("sunny") }
}

fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}

fn call(session: &Session) -> String {
    poll_once(session.call("call_1", "forecast", "{}")).expect("the call ends").to_text().into_owned()
}

#[test]
fn fifty_sessions_pause_a_tool_together_and_probe_it_once() {
    let world = World::default();
    let sessions: Vec<Session> = (0..50).map(|_| world.session()).collect();
    world.set_broken(true);
    let answers: Vec<String> = sessions.iter().map(call).collect();
    assert!(answers[..3].iter().all(|answer| answer.contains("unavailable")), "{answers:?}");
    assert!(answers[3..].iter().all(|answer| answer.contains(r#""error_type":"throttled""#)), "{answers:?}");
    assert_eq!((world.runs(), world.requests()), (3, 50 + 3), "a call asks once, and only admitted calls report");
    world.0.clock.advance(Duration::from_secs(30));
    for session in &sessions {
        drop(call(session));
    }
    assert_eq!(world.runs(), 1, "one probe");
    world.set_broken(false);
    world.0.clock.advance(Duration::from_secs(60));
    assert!(sessions.iter().all(|session| call(session) == "sunny"));
    assert_eq!(world.runs(), 50);
    assert!(world.0.unknown.lock().expect("no test panics").is_empty());
}

#[test]
fn a_call_that_the_session_itself_refuses_asks_nobody() {
    let world = World::default();
    let session = world.limited(&SessionLimits::default());
    world.set_broken(true);
    (0..3).for_each(|_| assert!(call(&session).contains("unavailable")));
    *world.0.health.lock().expect("no test panics") = ToolHealth::default();
    world.requests();
    let answer = call(&session);
    assert!(answer.contains(r#""error_type":"throttled""#), "{answer}");
    assert_eq!((world.runs(), world.requests()), (3, 0));
}

#[test]
fn calls_run_if_nobody_answers() {
    let world = World::default();
    let session = world.session();
    world.0.is_down.store(true, Ordering::Relaxed);
    let mut asks = pin!(session.call("call_1", "forecast", "{}"));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(asks.as_mut().poll(&mut cx).is_pending());
    world.0.clock.advance(Duration::from_millis(249));
    assert!(asks.as_mut().poll(&mut cx).is_pending() && world.runs() == 0);
    world.0.clock.advance(Duration::from_millis(1));
    let outcome = asks.as_mut().poll(&mut cx).map(|outcome| outcome.to_text().into_owned());
    assert_eq!((outcome, world.runs()), (std::task::Poll::Ready("sunny".to_owned()), 1));
    // The server is not asked for a while, so the next calls do not wait.
    assert_eq!((call(&session).as_str(), world.requests()), ("sunny", 0));
    world.0.is_down.store(false, Ordering::Relaxed);
    world.0.clock.advance(Duration::from_secs(10));
    assert_eq!((call(&session).as_str(), world.requests()), ("sunny", 2));
    let unknown = world.0.unknown.lock().expect("no test panics");
    assert_eq!(
        *unknown,
        ["the server has not answered in time, or the request has failed", "the server has not decided lately"]
    );
}

#[test]
fn a_probe_that_is_dropped_or_cancelled_lets_another_call_be_the_probe() {
    let world = World::default();
    let session = world.session();
    world.set_broken(true);
    (0..3).for_each(|_| drop(call(&session)));
    world.set_broken(false);
    for is_cancelled in [false, true] {
        world.0.clock.advance(Duration::from_secs(30));
        world.0.never_ends.store(true, Ordering::Relaxed);
        {
            let mut probe = pin!(session.call("probe", "forecast", "{}"));
            let mut cx = Context::from_waker(Waker::noop());
            assert!(probe.as_mut().poll(&mut cx).is_pending());
            assert!(call(&session).contains("throttled"), "the probe runs");
            if is_cancelled {
                assert!(session.cancel("probe"));
                assert!(probe.as_mut().poll(&mut cx).is_ready());
            }
        }
        world.0.never_ends.store(false, Ordering::Relaxed);
        assert_eq!(world.0.health.lock().expect("no test panics").pause_count(), 1);
    }
    assert_eq!(call(&session), "sunny", "the next call is the probe");
}

#[test]
fn a_call_that_waits_for_the_answer_can_be_cancelled() {
    let world = World::default();
    let session = world.session();
    world.0.is_down.store(true, Ordering::Relaxed);
    let mut asks = pin!(session.call("call_1", "forecast", "{}"));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(asks.as_mut().poll(&mut cx).is_pending() && session.cancel("call_1"));
    let std::task::Poll::Ready(outcome) = asks.as_mut().poll(&mut cx) else { panic!("the call was cancelled") };
    assert!(outcome.to_text().contains("cancelled") && world.runs() == 0, "{}", outcome.to_text());
}

#[test]
fn an_approved_call_runs_although_the_tool_is_paused_and_its_end_counts() {
    let world = World::default();
    let session = world.session();
    assert!(poll_once(session.call("later", "forecast", "{}")).expect("it ends").is_deferred());
    world.set_broken(true);
    (0..3).for_each(|_| drop(call(&session)));
    let (before, requests) = (world.runs(), world.requests());
    let outcome = poll_once(session.resume_with_host_arguments("later", HostArguments::new()))
        .expect("it ends")
        .expect("it waits");
    assert!(outcome.to_text().contains("unavailable"), "{}", outcome.to_text());
    assert_eq!((before, requests, world.runs(), world.requests()), (3, 3 + 3 + 2, 1, 1));
}

#[test]
fn a_durable_conversation_shares_the_health_of_its_tools() {
    let world = World::default();
    let session = world.session();
    world.set_broken(true);
    (0..3).for_each(|_| drop(call(&session)));
    let model = ScriptedModel::new().call("forecast", "{}");
    let setup = ConversationSetup::new(&world.toolbox(&SessionLimits::NONE), model.text("It is closed."))
        .shared_health(world.health());
    let durable = DurableConversations::new(InMemoryStore::new());
    let mut conversation = pollster::block_on(durable.open("c", setup)).expect("the conversation is new");
    pollster::block_on(conversation.ask("How is the weather?")).expect("nothing fails");
    let answer = conversation.transcript().calls().next().expect("the model has called").outcome.to_text().into_owned();
    assert!(answer.starts_with(r#"{"error_type":"throttled","tool":"forecast","rule":"#), "{answer}");
}

#[test]
fn hostile_answers_are_not_decisions() {
    for answer in
        ["", "null", "{}", "\u{0}", r#"{"admitted":{}}"#, r#"{"refused":{"rule":"none"}}"#, &"[".repeat(20_000)]
    {
        let (world, answer) = (World::default(), answer.to_owned());
        let post = move |_| std::future::ready(Ok::<_, ()>(answer.clone()));
        let health = IngressHealth::new(world.0.clock.clone(), post, |_| {}).expect("the clock has a timer");
        let session = world
            .toolbox(&SessionLimits::NONE)
            .begin_session(SessionSetup::new().shared_health(health))
            .expect("no state is missing");
        assert_eq!(call(&session), "sunny");
        assert_eq!(world.0.unknown.lock().expect("no test panics").len(), 1);
    }
    let no_timer = IngressHealth::new(SystemClock::new(), |_| std::future::ready(Err::<String, ()>(())), |_| {});
    assert!(no_timer.is_err_and(|error| error.to_string().contains("has no timer")));
}
