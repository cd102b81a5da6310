//! The cost that the throttle adds to a call, in a session that is neither small nor new.
//!
//! Both sides are sessions with the same thousand tools and the same ten thousand earlier calls. A hundred calls alternate between ten
//! tools, the next hundred between ten other tools, and so on. Each call has different arguments and comes some seconds after the previous
//! one, so that no rule applies. Only one of the two toolboxes has a throttle. The result is either a small object, which has to be
//! encoded, or a text of 1 kB, which is returned unchanged. With the text, the share of the throttle in the cost is as large as possible.

use std::cell::Cell;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tool_runtime::clock::{Clock, CoarseClock, Sleep};
use tool_runtime::tool::{AnswerOrFuture, Tool, ToolSpec};
use tool_runtime::{Arguments, CallContext, Session, Toolbox};

use super::{Comparison, comparison};
use crate::payloads::{GetForecastTool, GetWeatherTool, SMALL};

/// The number of tools of a session.
const TOOLS: usize = 1_000;
/// The number of earlier calls of a session.
const CALLS: usize = 10_000;
/// The time between two calls of a model, in nanoseconds.
const STEP: u64 = 3_000_000_000;
/// The number of tools that are called alternately, and the number of calls before the next group of tools.
const IN_TURN: usize = 10;
const TASK: usize = 100;

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("session/throttled", Some(1.3), "with a throttle" => calls(|| GetWeatherTool, true), "without" => calls(|| GetWeatherTool, false)),
        comparison!("session/throttled-1kB", Some(1.37), "with a throttle" => calls(|| GetForecastTool, true), "without" => calls(|| GetForecastTool, false)),
        comparison!("session/batch", Some(2.5), "a batch of four calls" => four(true), "four calls" => four(false)),
        comparison!("session/definitions", Some(0.001), "definitions again" => definitions(), "definitions of a new toolbox" => first_definitions()),
    ]
}

/// A tool of the payloads, with any name.
struct Named<T> {
    spec: ToolSpec,
    tool: T,
}

impl<T: Tool> Tool for Named<T> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        self.tool.call(arguments, cx)
    }
}

/// The default clock of the throttle. It is also advanced by the time that a model takes between two calls.
#[derive(Clone)]
struct Stepped(CoarseClock, Arc<AtomicU64>);

impl Clock for Stepped {
    fn now(&self) -> Duration {
        self.0.now() + Duration::from_nanos(self.1.load(Ordering::Relaxed))
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        self.0.sleep(duration)
    }
}

/// Returns a toolbox with a thousand tools, and their names.
fn toolbox<T: Tool>(tool: fn() -> T, clock: Stepped, is_throttled: bool) -> (Toolbox, Vec<&'static str>) {
    let names: Vec<&'static str> = (0..TOOLS).map(|number| &*format!("tool_{number}").leak()).collect();
    let tools = names.iter().map(|name| {
        let tool = tool();
        let mut spec = tool.spec().clone();
        spec.name = (*name).into();
        Named { spec, tool }
    });
    #[allow(clippy::redundant_closure_for_method_calls)] // The builder has no name in the root.
    let builder = tools.fold(Toolbox::builder().clock(clock), |builder, tool| builder.tool(tool));
    let builder = if is_throttled { builder } else { builder.no_throttle() };
    (builder.build().expect("the names are different"), names)
}

/// Returns a job that makes one further call.
fn calls<T: Tool>(tool: fn() -> T, is_throttled: bool) -> impl Fn() {
    let clock = Stepped(CoarseClock::new(), Arc::default());
    let (toolbox, names) = toolbox(tool, clock.clone(), is_throttled);
    let (session, number) = (toolbox.session(), Cell::new(0_usize));
    let arguments: Vec<String> =
        (0..TOOLS).map(|number| SMALL.replacen(": \"", &format!(": \"{number} "), 1)).collect();
    let call = move || {
        let now = number.get();
        number.set(now + 1);
        clock.1.fetch_add(STEP, Ordering::Relaxed);
        let name = names[(now / TASK * IN_TURN + now % IN_TURN) % TOOLS];
        assert!(answered(&session, name, black_box(&arguments[now % TOOLS])));
    };
    (0..CALLS).for_each(|_| call());
    call
}

/// Returns a job that makes four calls of different tools, in a batch or one after the other.
fn four(is_batch: bool) -> impl Fn() {
    let clock = Stepped(CoarseClock::new(), Arc::default());
    let (toolbox, names) = toolbox(|| GetWeatherTool, clock.clone(), true);
    let (session, number) = (toolbox.session(), Cell::new(0_usize));
    let arguments: Vec<String> =
        (0..TOOLS).map(|number| SMALL.replacen(": \"", &format!(": \"{number} "), 1)).collect();
    move || {
        let now = number.get();
        number.set(now + 4);
        clock.1.fetch_add(STEP, Ordering::Relaxed);
        let call = |index: usize| (names[index % TOOLS], black_box(&*arguments[index % TOOLS]));
        if is_batch {
            let calls = (now..now + 4).map(|index| ("call_1", call(index).0, call(index).1));
            let batch = pin!(session.call_batch(calls));
            let Poll::Ready(outcomes) = batch.poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("sync tools are done at the first poll")
            };
            assert!(outcomes.into_outcomes().iter().all(|outcome| !black_box(outcome.to_text()).is_empty()));
        } else {
            (now..now + 4).map(call).for_each(|(name, arguments)| assert!(answered(&session, name, arguments)));
        }
    }
}

fn answered(session: &Session, name: &str, arguments: &str) -> bool {
    let call = pin!(session.call("call_1", name, arguments));
    let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a sync tool is done at the first poll")
    };
    outcome.is_ok() && outcome.warnings().is_empty() && !black_box(outcome.to_text()).is_empty()
}

/// Returns a job that asks for the definitions before a turn, although nothing has changed.
fn definitions() -> impl Fn() {
    let (toolbox, _) = toolbox(|| GetWeatherTool, Stepped(CoarseClock::new(), Arc::default()), true);
    let session = toolbox.session();
    assert_eq!(session.definitions().len(), TOOLS);
    move || drop(black_box(session.definitions()))
}

/// Returns a job that asks a new toolbox for its definitions.
fn first_definitions() -> impl Fn() {
    || {
        let (toolbox, _) = toolbox(|| GetWeatherTool, Stepped(CoarseClock::new(), Arc::default()), true);
        drop(black_box(toolbox.session().definitions()));
    }
}
