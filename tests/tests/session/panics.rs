//! Panics are answered like other failures, and their messages stay with the host.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tool_runtime::CustomRuleError;
use tool_runtime::tool::{Answer, CallError, Payload};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{
    Container, Session, Toolbox,
    event::{Observer, ToolEvent},
    tool,
};

use super::tools::{Hand, Log, call, future, named, rejection, sync, visible};

fn check(tool: Hand) {
    let log = Arc::new(Log::default());
    let toolbox = Toolbox::builder().tool(tool).tool(named("other")).observer(Arc::clone(&log)).build();
    let session = toolbox.expect("all names differ").session();
    let outcome = call(&session, "tool", "{}");
    assert_eq!(rejection(&outcome)["error_type"], "internal_error");
    assert!(!outcome.to_text().contains("secret"), "{}", outcome.to_text());
    assert!(log.take().iter().any(|event| event.contains("the secret is 42")));
    assert!(!session.cancel("call_1"), "no call is left");
    assert_eq!(call(&session, "other", "{}").to_text(), "other");
}

#[test]
fn a_panic_in_a_sync_tool_is_answered() {
    check(sync("tool", |_| panic!("the secret is {}", 42)));
}

#[test]
fn a_panic_before_the_future_exists_is_answered() {
    check(future("tool", || -> std::future::Ready<Answer> { panic!("the secret is 42") }));
}

#[test]
fn a_panic_in_the_first_poll_is_answered() {
    check(future("tool", || async { panic!("the secret is 42") }));
}

#[test]
fn a_panic_in_a_later_poll_is_answered() {
    check(future("tool", || async {
        let mut polled = false;
        std::future::poll_fn(|cx| {
            cx.waker().wake_by_ref();
            if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        panic!("the secret is 42")
    }));
}

#[test]
fn a_panic_on_another_thread_is_answered() {
    let mut tool = sync("tool", |_| panic!("the secret is 42"));
    tool.spec.settings.blocking = true;
    let spawner = |work| drop(std::thread::spawn(work));
    let session =
        Toolbox::builder().tool(tool).blocking_spawner(spawner).build().expect("the toolbox is valid").session();
    assert_eq!(rejection(&call(&session, "tool", "{}"))["error_type"], "internal_error");
}

/// A future that panics when it is dropped.
struct PanicsOnDrop;

impl Future for PanicsOnDrop {
    type Output = Answer;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Answer> {
        Poll::Ready(Ok(Payload::Done))
    }
}

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        panic!("the secret is 42");
    }
}

#[test]
fn a_panic_in_the_drop_of_a_ready_future_keeps_its_answer() {
    let toolbox = Toolbox::builder().tool(future("tool", || PanicsOnDrop)).build();
    assert_eq!(call(&toolbox.expect("the toolbox is valid").session(), "tool", "{}").to_text(), "done");
}

struct PanickingObserver;

impl Observer for PanickingObserver {
    fn event(&self, _: &ToolEvent<'_>) {
        panic!("the log is full");
    }
}

#[test]
fn a_panic_in_the_observer_is_caught() {
    let toolbox = Toolbox::builder().tool(named("tool")).observer(PanickingObserver).build();
    assert_eq!(call(&toolbox.expect("the toolbox is valid").session(), "tool", "{}").to_text(), "tool");
}

/// A panic payload that panics when dropped, with another such payload.
struct Grenade(u8);

impl Drop for Grenade {
    fn drop(&mut self) {
        if self.0 > 0 {
            std::panic::panic_any(Grenade(self.0 - 1));
        }
    }
}

/// Asserts an internal failure. A payload that gets this far is kept from the test harness, which would never end.
fn internal(session: &Session) {
    let outcome = catch_unwind(AssertUnwindSafe(|| call(session, "tool", "{}"))).map_err(std::mem::forget);
    let outcome = outcome.expect("the call is answered");
    assert_eq!(rejection(&outcome)["error_type"], "internal_error");
}

#[test]
fn a_panic_payload_that_panics_when_dropped_is_caught() {
    let throw = || -> Answer { std::panic::panic_any(Grenade(3)) };
    let tools = [sync("tool", move |_| throw()), future("tool", move || async move { throw() })];
    for tool in tools {
        internal(&super::tools::session(tool));
    }
    let mut tool = sync("tool", move |_| throw());
    tool.spec.settings.blocking = true;
    let spawner = |work| drop(std::thread::spawn(work));
    internal(&Toolbox::builder().tool(tool).blocking_spawner(spawner).build().expect("the toolbox is valid").session());
}

/// An error that panics when it is formatted, asked for its cause, or dropped.
#[derive(Debug)]
struct Unsayable(Part);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Words,
    Cause,
    TurnEnd,
}

impl Unsayable {
    fn at(&self, part: Part) {
        assert!(self.0 != part, "the secret is 42");
    }
}

impl std::fmt::Display for Unsayable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.at(Part::Words);
        f.write_str("no disk")
    }
}

impl std::error::Error for Unsayable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.at(Part::Cause);
        None
    }
}

impl Drop for Unsayable {
    fn drop(&mut self) {
        self.at(Part::TurnEnd);
    }
}

#[test]
fn a_panic_in_the_error_of_a_tool_is_answered() {
    for part in [Part::Words, Part::Cause, Part::TurnEnd] {
        for shown in [true, false] {
            let mut tool = sync("tool", move |_| Err(CallError::Failed(Box::new(Unsayable(part)))));
            tool.spec.settings.show_errors = Some(shown);
            let log = Arc::new(Log::default());
            let toolbox = Toolbox::builder().tool(tool).observer(Arc::clone(&log)).build();
            let outcome = call(&toolbox.expect("the toolbox is valid").session(), "tool", "{}");
            assert_eq!(outcome.call_id(), "call_1");
            assert!(outcome.as_result().is_err() && !outcome.to_text().contains("secret"), "{}", outcome.to_text());
            assert_eq!(log.take().iter().filter(|event| event.contains("rejected")).count(), 1, "{part:?}");
        }
    }
}

#[allow(clippy::ref_option, clippy::unnecessary_wraps)] // A rule takes a reference to its field and returns a `Result`.
fn not_b(by: &Option<String>) -> Result<(), CustomRuleError> {
    assert!(by.as_deref() != Some("b"), "the secret is 42");
    Ok(())
}

fn never(_: &String) -> Result<(), CustomRuleError> {
    panic!("the secret is 42")
}

/// Reads a file.
#[tool]
fn read(
    /// Which one.
    #[tool(enum_from = names)]
    file: String,
    /// By whom.
    #[tool(custom = not_b)]
    by: Option<String>,
) -> String {
    let _ = by;
    file
}

#[allow(clippy::ptr_arg)] // The function takes the type of the state.
fn names(names: &Vec<&'static str>) -> Vec<&'static str> {
    names.clone()
}

/// Writes a file.
#[tool]
fn write(
    /// Which one.
    #[tool(enum_from = names, custom = never)]
    file: String,
) -> String {
    file
}

#[test]
fn a_panic_in_a_rule_is_answered() {
    let build = |builder: ToolboxBuilder| builder.state(vec!["a", "b"]).build().expect("the toolbox is valid");
    let session = build(Toolbox::builder().tool(ReadTool).tool(WriteTool)).session();
    assert_eq!(visible(&session), ["read"], "the other tool has no names to offer");
    assert_eq!(call(&session, "read", r#"{"file": "a"}"#).to_text(), "a");
    for arguments in [r#"{"file": "a", "by": "b"}"#, r#"{"file": "a", "by": "b",}"#, r#"{"file": 1, "by": "b"}"#] {
        let outcome = call(&session, "read", arguments);
        assert_eq!(rejection(&outcome)["error_type"], "internal_error", "{arguments}");
        assert!(!outcome.to_text().contains("secret"));
    }
    let hidden = Container::new("Files", "Files.").tool(WriteTool);
    let session = build(Toolbox::builder().container(hidden)).session();
    assert_eq!(call(&session, "Files", "").call_id(), "call_1");
    assert_eq!(rejection(&call(&session, "write", r#"{"file": "a"}"#))["error_type"], "unavailable");
}
