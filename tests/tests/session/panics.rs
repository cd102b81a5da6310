//! A panic is answered like anything else, and its message stays with the host.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tool_runtime::tool::{Answer, Payload};
use tool_runtime::{Observer, ToolEvent, Toolbox};

use super::tools::{Hand, Log, call, future, named, refusal, sync};

fn check(tool: Hand) {
    let log = Arc::new(Log::default());
    let toolbox = Toolbox::builder().tool(tool).tool(named("other")).observer(Arc::clone(&log)).build();
    let session = toolbox.expect("all names differ").session();
    let outcome = call(&session, "tool", "{}");
    assert_eq!(refusal(&outcome)["error_type"], "internal_error");
    assert!(!outcome.to_text().contains("secret"), "{}", outcome.to_text());
    assert!(log.take().iter().any(|event| event.contains("the secret is 42")));
    assert!(!session.cancel("call_1"), "nothing runs any more");
    assert_eq!(call(&session, "other", "{}").to_text(), "other");
}

#[test]
fn in_a_sync_tool() {
    check(sync("tool", |_| panic!("the secret is {}", 42)));
}

#[test]
fn before_the_future_is_there() {
    check(future("tool", || -> std::future::Ready<Answer> { panic!("the secret is 42") }));
}

#[test]
fn in_the_first_poll() {
    check(future("tool", || async { panic!("the secret is 42") }));
}

#[test]
fn in_a_later_poll() {
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
fn on_another_thread() {
    let mut tool = sync("tool", |_| panic!("the secret is 42"));
    tool.spec.blocking = true;
    let spawner = |work| drop(std::thread::spawn(work));
    let session = Toolbox::builder().tool(tool).spawner(spawner).build().expect("one tool is a toolbox").session();
    assert_eq!(refusal(&call(&session, "tool", "{}"))["error_type"], "internal_error");
}

/// A future that is fine until it is dropped.
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
fn in_the_drop_of_a_future_that_has_answered() {
    let toolbox = Toolbox::builder().tool(future("tool", || PanicsOnDrop)).build();
    assert_eq!(call(&toolbox.expect("one tool is a toolbox").session(), "tool", "{}").to_text(), "done");
}

struct PanickingObserver;

impl Observer for PanickingObserver {
    fn event(&self, _: &ToolEvent<'_>) {
        panic!("the log is full");
    }
}

#[test]
fn in_the_observer() {
    let toolbox = Toolbox::builder().tool(named("tool")).observer(PanickingObserver).build();
    assert_eq!(call(&toolbox.expect("one tool is a toolbox").session(), "tool", "{}").to_text(), "tool");
}
