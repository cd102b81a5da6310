//! State by type: shared by the toolbox, or given to a session.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Waker};

use tool_runtime::failure::FailureKind;
use tool_runtime::session::SessionSetup;
use tool_runtime::tool::{AnswerOrFuture, CallError, Payload, Tool, ToolSpec};
use tool_runtime::tool_schema::shape::{Ref, Shape};
use tool_runtime::toolbox::States;
use tool_runtime::{Arguments, CallContext, Failure, Toolbox, tool};

use super::tools::{Hand, call, rejection, sync, without_states};

#[derive(Debug)]
struct Secret(&'static str);

struct User;

fn tells() -> Hand {
    sync("tells", |cx| Ok(Payload::Text(cx.state::<Secret>().map_err(CallError::Tool)?.0.to_owned())))
}

#[test]
fn shared_state_reaches_the_tool() {
    let session =
        Toolbox::builder().tool(tells()).state(Secret("shared")).build().expect("nothing is missing").session();
    assert_eq!(call(&session, "tells", "{}").to_text(), "shared");
}

#[test]
fn each_session_has_its_own_state() {
    let toolbox =
        Toolbox::builder().tool(tells()).require_session_state::<Secret>().build().expect("nothing is missing");
    let [one, two] = ["one", "two"].map(|secret| toolbox.session_with(Secret(secret)).expect("nothing is missing"));
    assert_eq!(call(&one, "tells", "{}").to_text(), "one");
    assert_eq!(call(&two, "tells", "{}").to_text(), "two");
}

#[test]
fn the_state_of_a_session_replaces_the_shared_one() {
    let toolbox = Toolbox::builder().tool(tells()).state(Secret("shared")).build().expect("nothing is missing");
    let session = toolbox.session_with(Secret("own")).expect("nothing is missing");
    assert_eq!(call(&session, "tells", "{}").to_text(), "own");
}

#[test]
fn the_error_for_a_session_without_its_state_lists_every_missing_type() {
    let toolbox = Toolbox::builder()
        .require_session_state::<Secret>()
        .require_session_state::<User>()
        .require_session_state::<u8>()
        .build();
    let toolbox = toolbox.expect("nothing is missing");
    let error = toolbox.session_with(1_u8).expect_err("two states are missing");
    assert!(error.names[0].ends_with("Secret") && error.names[1].ends_with("User") && error.names.len() == 2);
    assert!(toolbox.session_with_states(States::new().with(1_u8).with(User).with(Secret(""))).is_ok());
}

#[test]
fn a_missing_state_is_answered_without_rust_terms() {
    let toolbox =
        Toolbox::builder().tool(tells()).require_session_state::<Secret>().build().expect("nothing is missing");
    let outcome = call(&without_states(&toolbox), "tells", "{}");
    assert_eq!(rejection(&outcome)["error_type"], "tool_error");
    assert!(!outcome.to_text().contains("Secret") && !outcome.to_text().contains("::"), "{}", outcome.to_text());
}

#[test]
fn a_unit_test_can_provide_the_state() {
    let cx = CallContext::for_test().with_state(1_u8).with_state(Secret("test"));
    assert_eq!((cx.state::<u8>().ok(), cx.state::<Secret>().map(|secret| secret.0).ok()), (Some(&1), Some("test")));
    assert!(cx.state::<u16>().is_err());
}

/// A tool around another one. It has the specification of the inner tool, and uses the context although the inner tool does not.
struct Around<T>(T);

impl<T: Tool> Tool for Around<T> {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn call<'a>(&'a self, _: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        let text = cx.state::<Wrapped>().map(|state| format!("{} {}", state.0, cx.idempotency_key()));
        AnswerOrFuture::Ready(text.map(Payload::Text).map_err(Into::into))
    }
}

struct Wrapped(&'static str);

/// Does nothing.
#[tool]
fn without_context() {}

/// Reads the context.
#[tool]
fn with_context(#[tool(context)] cx: &CallContext) -> String {
    cx.idempotency_key()
}

/// Reads a state.
#[tool]
fn with_state(#[tool(state)] state: &Wrapped) -> String {
    state.0.to_owned()
}

/// Waits.
#[tool]
async fn waiting() {
    std::future::ready(()).await;
}

#[test]
fn only_a_generated_tool_without_context_and_state_ignores_its_context() {
    assert!(WithoutContextTool.ignores_context() && Arc::new(WithoutContextTool).ignores_context());
    assert!(!WithContextTool.ignores_context() && !WithStateTool.ignores_context() && !WaitingTool.ignores_context());
    assert!(!Around(WithoutContextTool).ignores_context());
}

#[test]
fn a_tool_around_one_that_ignores_its_context_has_the_whole_context() {
    let builder = Toolbox::builder().state(Wrapped("inside")).tool(Around(WithoutContextTool)).tool(WithContextTool);
    let toolbox = builder.tool(WithStateTool).build().expect("a valid toolbox");
    let session = toolbox.begin_session(SessionSetup::new().id("talk")).expect("a session");
    let call = |name| pollster::block_on(session.call("call_1", name, "{}")).into_text();
    assert_eq!(
        ["without_context", "with_context", "with_state"].map(call),
        ["inside talk:call_1", "talk:call_1", "inside"],
    );
}

/// A tool that waits, although it ignores its context.
struct WaitingWithoutContext(ToolSpec);

impl Tool for WaitingWithoutContext {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Pending(Box::pin(std::future::pending()))
    }

    fn ignores_context(&self) -> bool {
        true
    }
}

#[test]
fn a_call_that_waits_without_a_context_can_be_cancelled() {
    let tool = WaitingWithoutContext(ToolSpec::new("wait", "Waits.", Ref::Static(Shape::ANY)));
    let session = Toolbox::builder().tool(tool).build().expect("a valid toolbox").session();
    let mut call = std::pin::pin!(session.call("call_1", "wait", "{}"));
    assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert!(session.cancel("call_1"));
    let outcome = pollster::block_on(call);
    assert_eq!((outcome.call_id(), outcome.failure().map(Failure::kind)), ("call_1", Some(FailureKind::Cancelled)));
}
