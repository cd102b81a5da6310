//! The time that passes while a session is saved, with clocks that go wrong, and calls that run at that moment.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use proptest::prelude::*;
use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::session::{SessionSetup, SessionState};
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::{Arguments, CallContext, Outcome, Session, ToolError, Toolbox};
use tool_schema::shape::{Ref, Shape};

/// A tool that fails, never answers or succeeds, as its arguments say.
struct Moody(ToolSpec);

impl Tool for Moody {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        match arguments.to_text().as_ref() {
            text if text.contains("fail") => AnswerOrFuture::Ready(Err(ToolError::new("It is broken.").into())),
            text if text.contains("hang") => AnswerOrFuture::Pending(Box::pin(std::future::pending())),
            text => AnswerOrFuture::Ready(Ok(Payload::Text(text.to_owned()))),
        }
    }
}

fn toolbox(clock: &SimulatedClock) -> Toolbox {
    let moody = Moody(ToolSpec::new("moody", "A tool.", Ref::Static(Shape::ANY)));
    Toolbox::builder().tool(moody).clock(clock.clone()).build().expect("the toolbox is valid")
}

fn call(session: &Session, arguments: &str) -> Outcome {
    pollster::block_on(session.call("call_1", "moody", arguments))
}

/// Returns the remaining pause in milliseconds.
fn pause(session: &Session) -> Option<u64> {
    let outcome = call(session, r#"{"do": "succeed"}"#);
    outcome.failure().and_then(|failure| failure.to_value()["retry_after_ms"].as_u64())
}

/// Returns a session whose tool is paused for 30 seconds, at this time of day.
fn paused(clock: &SimulatedClock, time: Duration) -> Session {
    clock.set_unix_time(time);
    let session = toolbox(clock).session();
    for number in 0..3 {
        assert!(!call(&session, &format!(r#"{{"do": "fail", "n": {number}}}"#)).is_ok());
    }
    assert_eq!(pause(&session), Some(30_000));
    session
}

/// Saves and restores a session in a program whose clock shows this time of day.
fn restart(session: &Session, time: Duration) -> (SimulatedClock, Session) {
    let text = serde_json::to_string(&session.snapshot().expect("nothing is deferred")).expect("a state is JSON");
    let state: SessionState = serde_json::from_str(&text).expect("it is a state");
    let clock = SimulatedClock::new();
    clock.set_unix_time(time);
    let session = toolbox(&clock).restore(state, SessionSetup::new()).expect("it can be restored");
    (clock, session)
}

const NOON: Duration = Duration::from_secs(1_750_000_000);

#[test]
fn a_pause_continues_by_the_time_of_day_after_a_restore() {
    let clock = SimulatedClock::new();
    let session = paused(&clock, NOON);
    clock.advance(Duration::from_secs(4));
    let (clock, session) = restart(&session, NOON + Duration::from_secs(11));
    assert_eq!(pause(&session), Some(19_000));
    clock.advance(Duration::from_secs(2));
    let (clock, session) = restart(&session, clock.unix_time());
    assert_eq!(pause(&session), Some(17_000));
    clock.advance(Duration::from_secs(17));
    assert_eq!(pause(&session), None);
}

#[test]
fn a_restored_session_forgets_a_probe_that_was_running() {
    let clock = SimulatedClock::new();
    let session = paused(&clock, NOON);
    clock.advance(Duration::from_secs(30));
    let mut probe = pin!(session.call("call_2", "moody", r#"{"do": "hang"}"#));
    assert!(probe.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert_eq!(pause(&session), Some(30_000), "the others wait for the probe");
    let (_, restored) = restart(&session, clock.unix_time());
    assert_eq!(pause(&restored), None, "the next call is the probe");
    assert_eq!(pause(&session), Some(30_000), "the saved session goes on unchanged");
}

proptest! {
    #[test]
    fn a_pause_never_grows_and_always_ends(
        jumps in prop::collection::vec((prop_oneof![0..2 * NOON.as_secs(), Just(0), Just(u64::MAX)], 0_u64..20), 1..6),
    ) {
        let mut session = paused(&SimulatedClock::new(), NOON);
        let mut before = Some(30_000);
        for (time, seconds) in jumps {
            let (clock, next) = restart(&session, Duration::from_secs(time));
            clock.advance(Duration::from_secs(seconds));
            let now = pause(&next);
            // A call that was let through has ended the pause.
            prop_assert!(now <= before.map(|before: u64| before.saturating_sub(seconds * 1_000)), "{:?} {:?}", now, before);
            let is_rejected = call(&next, r#"{"do": "fail"}"#).failure().is_some();
            prop_assert!(is_rejected);
            (session, before) = (next, now);
            if now.is_none() {
                break;
            }
        }
        let (clock, session) = restart(&session, Duration::ZERO);
        clock.advance(Duration::from_secs(300));
        prop_assert_eq!(pause(&session), None);
    }
}
