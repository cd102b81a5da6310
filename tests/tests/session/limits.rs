//! Time limits, on a simulated clock.

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::tool::{Answer, AnswerOrFuture, Payload};
use tool_runtime::toolbox::{RegistrationError, ToolboxBuilder};
use tool_runtime::{CallContext, Session, Toolbox, TypedTool, tool};

use super::tools::{Hand, call, drive, endless, future, hand, named, rejection};

const SECOND: Duration = Duration::from_secs(1);

fn limited(name: &'static str, limit: Duration) -> Hand {
    let mut tool = endless(name);
    tool.spec.settings.time_limit = Some(limit);
    tool
}

fn on(clock: &SimulatedClock, builder: ToolboxBuilder) -> Session {
    builder.clock(clock.clone()).build().expect("the clock has a timer").session()
}

/// Returns a tool that answers after some seconds.
fn slow(clock: &SimulatedClock, seconds: u32) -> Hand {
    let clock = clock.clone();
    future("slow", move || {
        let nap = clock.sleep(SECOND * seconds);
        async move {
            nap.await;
            Ok(Payload::Done)
        }
    })
}

#[test]
fn a_call_that_exceeds_its_time_limit_is_answered() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(limited("search", SECOND * 5)));
    let outcome = drive(&clock, session.call("call_1", "search", "{}"));
    assert_eq!(
        outcome.to_text(),
        concat!(
            r#"{"error_type":"timeout","tool":"search","error_message":"search did not finish in time.","#,
            r#""retry_guidance":"Do not repeat this call as it is. Use other arguments, another tool, or answer with what you have.","#,
            r#""recovery":"replan"}"#,
        )
    );
    assert_eq!((clock.now(), clock.sleepers()), (SECOND * 5, 0));
    assert!(!session.cancel("call_1"), "no call is left");
}

#[test]
fn an_answer_at_the_last_moment_is_in_time() {
    for seconds in [1, 5] {
        let clock = SimulatedClock::new();
        let session = on(&clock, Toolbox::builder().tool(slow(&clock, seconds)).time_limit(SECOND * 5));
        assert!(drive(&clock, session.call("call_1", "slow", "{}")).is_ok());
        assert_eq!((clock.now(), clock.sleepers()), (SECOND * seconds, 0));
    }
}

#[test]
fn a_tool_can_have_its_own_limit() {
    let clock = SimulatedClock::new();
    let (own, other) = (limited("own", SECOND * 9), endless("other"));
    let session = on(&clock, Toolbox::builder().tool(own).tool(other).time_limit(SECOND));
    let _ = drive(&clock, session.call("call_1", "own", "{}"));
    assert_eq!(clock.now(), SECOND * 9);
    let _ = drive(&clock, session.call("call_2", "other", "{}"));
    assert_eq!(clock.now(), SECOND * 10);
}

#[test]
fn a_sync_tool_has_no_limit() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(named("sync")).time_limit(Duration::ZERO));
    assert_eq!(call(&session, "sync", "{}").to_text(), "sync");
}

#[test]
fn the_background_work_of_a_late_call_is_cancelled_before_the_future_is_dropped() {
    struct Guest(CallContext, Arc<AtomicBool>);

    impl Drop for Guest {
        fn drop(&mut self) {
            self.1.store(self.0.is_cancelled(), Ordering::SeqCst);
            assert!(!self.0.is_cancelled(), "a drop may panic, too");
        }
    }

    async fn wait(guest: Guest) -> Answer {
        let _guest = guest;
        pending().await
    }

    let was_told = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&was_told);
    let tool = hand(
        "search",
        Box::new(move |cx| AnswerOrFuture::Pending(Box::pin(wait(Guest(cx.clone(), Arc::clone(&told)))))),
    );
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(tool).time_limit(SECOND));
    let outcome = drive(&clock, session.call("call_1", "search", "{}"));
    assert_eq!(rejection(&outcome)["error_type"], "timeout");
    assert!(was_told.load(Ordering::SeqCst));
}

#[test]
fn a_call_that_is_cancelled_at_its_time_limit_is_answered_as_cancelled() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(endless("search")).time_limit(SECOND));
    let mut call = pin!(session.call("call_1", "search", "{}"));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(call.as_mut().poll(&mut cx).is_pending());
    clock.advance(SECOND);
    assert!(session.cancel("call_1"));
    let Poll::Ready(outcome) = call.poll(&mut cx) else { panic!("a cancelled call is answered") };
    assert_eq!(rejection(&outcome)["error_type"], "cancelled");
}

#[test]
fn a_dropped_call_stops_its_timer() {
    let clock = SimulatedClock::new();
    let session = on(&clock, Toolbox::builder().tool(endless("search")).time_limit(SECOND));
    {
        let mut call = pin!(session.call("call_1", "search", "{}"));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(clock.sleepers(), 1);
    }
    assert!(clock.sleepers() == 0 && !session.cancel("call_1"));
}

#[test]
fn a_late_blocking_tool_is_cancelled_but_still_runs() {
    let clock = SimulatedClock::new();
    let (contexts, left) = std::sync::mpsc::channel();
    let mut tool = hand(
        "crawl",
        Box::new(move |cx| {
            contexts.send(cx.clone()).expect("the receiver exists");
            AnswerOrFuture::Ready(Ok(Payload::Done))
        }),
    );
    tool.spec.settings.blocking = true;
    // Work that has not started because all threads are busy.
    let (works, waiting) = std::sync::mpsc::channel();
    let builder = Toolbox::builder().tool(tool).time_limit(SECOND);
    let session = on(&clock, builder.blocking_spawner(move |work| works.send(work).expect("the receiver exists")));
    let outcome = drive(&clock, session.call("call_1", "crawl", "{}"));
    assert_eq!(rejection(&outcome)["error_type"], "timeout");
    waiting.recv().expect("the work was handed over")();
    assert!(left.recv().expect("the tool ran").is_cancelled());
}

#[test]
fn a_limit_without_a_timer_is_a_problem() {
    let errors = |builder: ToolboxBuilder| builder.build().err().map(|error| error.errors().to_vec());
    let no_timer = |whose: &str| RegistrationError::NoTimer { owner: whose.to_owned(), setting: "a time limit" };
    let of_a_tool = errors(Toolbox::builder().tool(limited("search", SECOND)).tool(named("sync")));
    assert_eq!(of_a_tool, Some(vec![no_timer("`search`")]));
    assert_eq!(errors(Toolbox::builder().tool(named("sync")).time_limit(SECOND)), Some(vec![no_timer("the toolbox")]));
    assert_eq!(
        no_timer("`search`").to_string(),
        "`search` has a time limit, and the clock has no timer: add `.clock(TokioClock::new())` (feature `tokio`), or another clock that has one",
    );
}

/// Waits forever.
#[tool(timeout_ms = 1_500)]
async fn wait() {
    pending::<()>().await;
}

#[test]
fn the_timeout_attribute_is_in_the_spec() {
    let clock = SimulatedClock::new();
    assert_eq!(WaitTool::SPEC.settings.time_limit, Some(Duration::from_millis(1_500)));
    let session = on(&clock, Toolbox::builder().tool(WaitTool));
    assert!(!drive(&clock, session.call("call_1", "wait", "{}")).is_ok());
    assert_eq!(clock.now(), Duration::from_millis(1_500));
}
