//! Tools without a macro: a test only gives the name and the behaviour.

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use serde_json::Value;
use tool_runtime::__private_0_1_0::internal;
use tool_runtime::Arguments;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::event::EventKind;
use tool_runtime::tool::{Answer, AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::States;
use tool_runtime::{
    CallContext, Container, Outcome, Session, Toolbox,
    event::{Observer, ToolEvent},
};
use tool_schema::shape::{Ref, Shape};

/// Runs a call of a tool.
type Body = Box<dyn for<'a> Fn(&'a CallContext) -> AnswerOrFuture<'a> + Send + Sync>;

pub(crate) struct Hand {
    pub(crate) spec: ToolSpec,
    body: Body,
}

impl Tool for Hand {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, _: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        (self.body)(cx)
    }
}

/// Returns a sync tool.
pub(crate) fn sync(name: &'static str, body: impl Fn(&CallContext) -> Answer + Send + Sync + 'static) -> Hand {
    hand(name, Box::new(move |cx| AnswerOrFuture::Ready(body(cx))))
}

/// Begins a session without the states that its toolbox declares, as a server does for a user without them.
pub(crate) fn without_states<S>(toolbox: &Toolbox<S>) -> Session {
    internal::session(toolbox, States::new())
}

/// Returns an async tool whose future does not borrow.
pub(crate) fn future<F>(name: &'static str, body: impl Fn() -> F + Send + Sync + 'static) -> Hand
where
    F: Future<Output = Answer> + Send + 'static,
{
    hand(name, Box::new(move |_| AnswerOrFuture::Pending(Box::pin(body()))))
}

/// Returns a tool that never finishes.
pub(crate) fn endless(name: &'static str) -> Hand {
    future(name, pending)
}

/// Returns a tool that answers with its own name.
pub(crate) fn named(name: &'static str) -> Hand {
    sync(name, move |_| Ok(Payload::Text(name.to_owned())))
}

pub(crate) fn hand(name: &'static str, body: Body) -> Hand {
    Hand { spec: ToolSpec::new(name, "A tool.", Ref::Static(Shape::ANY)), body }
}

/// Returns a container of tools that answer with their own names.
pub(crate) fn group(name: &'static str, members: &[&'static str]) -> Container {
    members.iter().fold(Container::new(name, "A group."), |container, member| container.tool(named(member)))
}

pub(crate) fn session(tool: Hand) -> Session {
    Toolbox::builder().tool(tool).build().expect("the toolbox is valid").session()
}

pub(crate) fn call(session: &Session, name: &str, arguments: &str) -> Outcome {
    pollster::block_on(session.call("call_1", name, arguments))
}

/// Awaits a future whose every pause is a sleep on this clock.
pub(crate) fn drive<F: Future>(clock: &SimulatedClock, future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
        clock.advance_to_next().expect("a pending future waits for a time");
    }
}

/// Returns the rejection as JSON.
pub(crate) fn rejection(outcome: &Outcome) -> Value {
    outcome.failure().expect("the call should be rejected").to_value()
}

pub(crate) fn visible(session: &Session) -> Vec<String> {
    session.tools().iter().map(|tool| tool.name().to_owned()).collect()
}

/// Records events as text.
#[derive(Default)]
pub(crate) struct Log(pub(crate) Mutex<Vec<String>>);

impl Log {
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("the lock is not poisoned"))
    }
}

impl Observer for Log {
    fn event(&self, event: &ToolEvent<'_>) {
        let line = match event.kind {
            EventKind::Received { name, .. } => format!("received {name}"),
            EventKind::Repaired { repair, .. } => format!("repaired {} to {}", repair.before, repair.after),
            EventKind::Expanded { container, .. } => format!("expanded {container}"),
            EventKind::Collapsed { container, .. } => format!("collapsed {container}"),
            EventKind::Executed { tool, payload, .. } => format!("executed {tool}: {}", payload.as_str()),
            EventKind::Retried { tool, attempt, wait, .. } => {
                format!("retried {tool}: attempt {attempt} after {} ms", wait.as_millis())
            }
            EventKind::Throttled { tool, rule, .. } => format!("throttled {tool} by {}", rule.as_str()),
            EventKind::Deferred { tool, .. } => format!("deferred {tool}"),
            EventKind::Rejected { tool, failure, .. } => {
                format!("rejected {tool}: {} ({})", failure.error_type(), failure.observer_details().unwrap_or("-"))
            }
            _ => "something new".to_owned(),
        };
        self.0.lock().expect("the lock is not poisoned").push(format!("{}: {line}", event.call_id));
    }
}
