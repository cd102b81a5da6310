//! Concurrent calls of one session, and tools that run on other threads.

use std::sync::Arc;
use std::thread;

use tool_runtime::tool::{AnswerOrFuture, Payload};
use tool_runtime::{Session, Toolbox};

use super::tools::{call, future, group, hand, named, rejection, sync, visible};

fn assert_shared<T: Clone + Send + Sync + 'static>(_: &T) {}

fn assert_send<T: Send>(value: T) -> T {
    value
}

fn mixed() -> Session {
    let mut blocking = named("blocking");
    blocking.spec.settings.blocking = true;
    let builder = Toolbox::builder()
        .no_throttle()
        .tool(named("sync"))
        .tool(future("async", || async { Ok(Payload::Text("async".to_owned())) }))
        .tool(sync("panics", |_| panic!("as planned")))
        .tool(blocking)
        .container(group("Math", &["add"]))
        .blocking_spawner(|work| drop(thread::spawn(work)));
    builder.build().expect("all names differ").session()
}

#[test]
fn a_session_is_shared_and_its_calls_are_send() {
    let session = mixed();
    assert_shared(&session);
    assert!(pollster::block_on(assert_send(session.call("call_1", "sync", "{}"))).is_ok());
}

#[test]
fn every_call_is_answered_under_its_id() {
    let session = mixed();
    let names = ["sync", "async", "panics", "blocking", "Math", "nobody"];
    thread::scope(|scope| {
        for worker in 0..8 {
            let session = &session;
            scope.spawn(move || {
                for round in 0..50 {
                    let id = format!("{worker}-{round}");
                    let name = names[(worker + round) % names.len()];
                    let outcome = pollster::block_on(session.call(&id, name, ""));
                    assert_eq!(outcome.call_id(), id);
                    assert_eq!(outcome.is_ok(), !matches!(name, "panics" | "nobody"), "{name}");
                }
            });
        }
    });
    assert_eq!(visible(&session).last().map(String::as_str), Some("add"));
    assert_eq!(session.revision(), 1, "eight threads expand once");
}

#[test]
fn two_calls_with_one_id_are_both_answered() {
    let session = mixed();
    let calls = [session.call("same", "sync", ""), session.call("same", "async", "")];
    let texts = calls.map(|call| pollster::block_on(call).to_text().into_owned());
    assert_eq!(texts, ["sync", "async"]);
}

#[test]
fn a_blocking_tool_runs_on_the_spawner() {
    let mut tool = sync("tool", |_| Ok(Payload::Text(format!("{:?}", thread::current().name()))));
    tool.spec.settings.blocking = true;
    let spawner = |work| drop(thread::Builder::new().name("elsewhere".to_owned()).spawn(work));
    let session =
        Toolbox::builder().tool(tool).blocking_spawner(spawner).build().expect("the toolbox is valid").session();
    assert_eq!(call(&session, "tool", "{}").to_text(), r#"Some("elsewhere")"#);
}

#[test]
fn a_call_whose_spawner_drops_the_work_is_answered() {
    let mut tool = named("tool");
    tool.spec.settings.blocking = true;
    let session = Toolbox::builder().tool(tool).blocking_spawner(drop).build().expect("the toolbox is valid").session();
    assert_eq!(rejection(&call(&session, "tool", "{}"))["error_type"], "internal_error");
}

#[test]
fn a_blocking_tool_that_returns_a_future_is_answered() {
    let mut tool = hand("tool", Box::new(|_| AnswerOrFuture::Pending(Box::pin(async { Ok(Payload::Done) }))));
    tool.spec.settings.blocking = true;
    let spawner = |work: tool_runtime::toolbox::BlockingWork| work();
    let session =
        Toolbox::builder().tool(tool).blocking_spawner(spawner).build().expect("the toolbox is valid").session();
    assert_eq!(rejection(&call(&session, "tool", "{}"))["error_type"], "internal_error");
}

#[test]
fn a_session_outlives_its_toolbox() {
    let session = Arc::new(Toolbox::builder().tool(named("tool")).build().expect("the toolbox is valid")).session();
    assert_eq!(call(&session, "tool", "{}").to_text(), "tool");
}
