//! The cost of saving a session after each of its calls, and of restoring it.
//!
//! The session has ten tools and has answered fifty calls, some seconds apart. These are more calls than the throttle remembers.

use std::cell::Cell;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tool_runtime::clock::SimulatedClock;
use tool_runtime::session::{SessionSetup, SessionState};
use tool_runtime::tool::{AnswerOrFuture, Tool, ToolSpec};
use tool_runtime::{Arguments, CallContext, Session, Toolbox};

use super::{Comparison, comparison};
use crate::payloads::{GetWeatherTool, SMALL};

const TOOLS: usize = 10;
const CALLS: usize = 50;

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("session/snapshot", None, "session of 50 calls to JSON" => snapshot(), "one call" => one_call()),
        comparison!("session/restore", None, "JSON to the session of 50 calls" => restore(), "the 50 calls" => all_calls()),
    ]
}

/// A tool of the payloads, with any name.
struct Named(ToolSpec);

impl Tool for Named {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        GetWeatherTool.call(arguments, cx)
    }
}

fn toolbox(clock: &SimulatedClock) -> Toolbox {
    let named = |number| {
        let mut spec = GetWeatherTool.spec().clone();
        spec.name = format!("tool_{number}").into();
        Named(spec)
    };
    let builder = Toolbox::builder().clock(clock.clone());
    (0..TOOLS).fold(builder, |builder, number| builder.tool(named(number))).build().expect("the names are different")
}

fn call(session: &Session, number: usize) {
    let arguments = SMALL.replacen(": \"", &format!(": \"{number} "), 1);
    let name = format!("tool_{}", number % TOOLS);
    let call = pin!(session.call("call_1", &name, &*arguments));
    let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a sync tool is done at the first poll")
    };
    assert!(outcome.is_ok());
}

fn called(toolbox: &Toolbox, clock: &SimulatedClock) -> Session {
    let session = toolbox.session();
    for number in 0..CALLS {
        clock.advance(Duration::from_secs(3));
        call(&session, number);
    }
    session
}

fn text(session: &Session) -> String {
    serde_json::to_string(&session.snapshot().expect("nothing is deferred")).expect("a state is JSON")
}

fn snapshot() -> impl Fn() {
    let clock = SimulatedClock::new();
    let session = called(&toolbox(&clock), &clock);
    // The first snapshot is made here, because it creates the id and the hashes, which the session keeps.
    println!("a session of {CALLS} calls of {TOOLS} tools has {} bytes of JSON", text(&session).len());
    move || drop(black_box(text(&session)))
}

fn one_call() -> impl Fn() {
    let clock = SimulatedClock::new();
    let session = called(&toolbox(&clock), &clock);
    let number = Cell::new(CALLS);
    move || {
        clock.advance(Duration::from_secs(3));
        call(&session, number.replace(number.get() + 1));
    }
}

fn restore() -> impl Fn() {
    let clock = SimulatedClock::new();
    let toolbox = toolbox(&clock);
    let text = text(&called(&toolbox, &clock));
    move || {
        let state: SessionState = serde_json::from_str(black_box(&text)).expect("it was written just now");
        black_box(toolbox.restore(state, SessionSetup::new()).expect("it was written just now"));
    }
}

fn all_calls() -> impl Fn() {
    let clock = SimulatedClock::new();
    let toolbox = toolbox(&clock);
    move || drop(black_box(called(&toolbox, &clock)))
}
