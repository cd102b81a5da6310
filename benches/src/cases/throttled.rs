//! What the throttle adds to a call, in a session that is neither small nor new.
//!
//! Both sides are sessions over the same thousand tools with the same ten thousand calls behind them: a hundred calls to ten tools in turn,
//! then a hundred to ten others, each with arguments of its own and seconds after the one before, so that no rule has a reason to speak.
//! All that differs is whether the toolbox has a throttle. The result is either the small object that the tool encodes, or a text of a
//! kilobyte that the tool hands on as it is, which leaves the throttle least to hide behind.

use std::cell::Cell;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tool_runtime::clock::{Clock, CoarseClock, Sleep};
use tool_runtime::tool::{Invocation, Tool, ToolSpec};
use tool_runtime::{Arguments, CallContext, Format, Session, Toolbox};

use super::{Comparison, comparison};
use crate::payloads::{GetForecastTool, GetWeatherTool, SMALL};

/// How many tools the sessions have.
const TOOLS: usize = 1_000;
/// How many calls the sessions have behind them.
const CALLS: usize = 10_000;
/// How far apart a model's calls are.
const STEP: u64 = 3_000_000_000;
/// How many tools are called in turn, and how many calls they get before it is others' turn.
const IN_TURN: usize = 10;
const TASK: usize = 100;

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("session/throttled", Some(1.4), "with a throttle" => calls(|| GetWeatherTool, true), "without" => calls(|| GetWeatherTool, false)),
        comparison!("session/throttled-1kB", Some(1.4), "with a throttle" => calls(|| GetForecastTool, true), "without" => calls(|| GetForecastTool, false)),
        comparison!("session/definitions", Some(0.001), "definitions again" => definitions(), "definitions of a new session" => first_definitions()),
    ]
}

/// A tool of the payloads, under any name.
struct Named<T> {
    spec: ToolSpec,
    tool: T,
}

impl<T: Tool> Tool for Named<T> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> Invocation<'a> {
        self.tool.call(arguments, cx)
    }
}

/// The clock that a throttle reads by default, moved on by what a model takes between two calls.
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

/// A toolbox of a thousand, with their names.
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

/// One call more.
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

fn answered(session: &Session, name: &str, arguments: &str) -> bool {
    let call = pin!(session.call("call_1", name, arguments));
    let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a sync tool is done at the first poll")
    };
    outcome.is_ok() && outcome.warnings().is_empty() && !black_box(outcome.to_text()).is_empty()
}

/// What a host asks before each turn, where nothing has changed.
fn definitions() -> impl Fn() {
    let (toolbox, _) = toolbox(|| GetWeatherTool, Stepped(CoarseClock::new(), Arc::default()), true);
    let session = toolbox.session();
    assert_eq!(session.definitions(Format::OpenAi).len(), TOOLS);
    move || drop(black_box(session.definitions(Format::OpenAi)))
}

/// The same where nobody has asked before.
fn first_definitions() -> impl Fn() {
    let (toolbox, _) = toolbox(|| GetWeatherTool, Stepped(CoarseClock::new(), Arc::default()), true);
    move || drop(black_box(toolbox.session().definitions(Format::OpenAi)))
}
