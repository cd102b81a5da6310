//! Cancellation with `session.cancel`, and dropped calls.

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use tool_runtime::tool::{AnswerOrFuture, Payload};
use tool_runtime::{CallContext, Toolbox};

use super::tools::{call, endless, hand, named, rejection, session, sync};

/// Records whether the task was woken.
#[derive(Default)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_running_call_is_answered_at_once() {
    let session = session(endless("tool"));
    let flag = Arc::new(Flag::default());
    let waker = Waker::from(Arc::clone(&flag));
    let mut call = pin!(session.call("call_1", "tool", "{}"));
    assert!(call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    assert!(session.cancel("call_1"));
    assert!(flag.0.load(Ordering::SeqCst), "the task was woken");
    let Poll::Ready(outcome) = poll(call) else { panic!("a cancelled call is answered") };
    assert_eq!((rejection(&outcome)["error_type"].as_str(), outcome.call_id()), (Some("cancelled"), "call_1"));
}

#[test]
fn a_call_can_be_cancelled_from_another_thread() {
    let session = session(endless("tool"));
    let outcome = thread::scope(|scope| {
        let call = scope.spawn(|| call(&session, "tool", "{}"));
        while !session.cancel("call_1") {
            thread::yield_now();
        }
        call.join().expect("the call is answered")
    });
    assert_eq!(rejection(&outcome)["error_type"], "cancelled");
}

#[test]
fn only_calls_with_the_given_id_are_cancelled() {
    let session = session(endless("tool"));
    let (mut one, mut two) = (pin!(session.call("1", "tool", "{}")), pin!(session.call("2", "tool", "{}")));
    assert!(poll(one.as_mut()).is_pending() && poll(two.as_mut()).is_pending());
    assert!(session.cancel("1"));
    assert!(poll(one).is_ready() && poll(two.as_mut()).is_pending());
}

#[test]
fn both_calls_with_one_id_are_cancelled() {
    let session = session(endless("tool"));
    let (mut one, mut two) = (pin!(session.call("1", "tool", "{}")), pin!(session.call("1", "tool", "{}")));
    assert!(poll(one.as_mut()).is_pending() && poll(two.as_mut()).is_pending());
    assert!(session.cancel("1"));
    assert!(poll(one).is_ready() && poll(two).is_ready());
}

#[test]
fn cancelling_an_unknown_finished_or_unpolled_id_returns_false() {
    let session = session(named("tool"));
    assert!(!session.cancel("call_1"));
    let _ = call(&session, "tool", "{}");
    let _unpolled = session.call("call_1", "tool", "{}");
    assert!(!session.cancel("call_1"));
}

#[test]
fn a_dropped_call_leaves_nothing_behind() {
    let session = session(endless("tool"));
    {
        let mut call = pin!(session.call("call_1", "tool", "{}"));
        assert!(poll(call.as_mut()).is_pending());
    }
    assert!(!session.cancel("call_1"));
}

/// Returns a tool that sends its context out, like a tool that starts a task, and then answers or hangs.
fn leaking(contexts: mpsc::Sender<CallContext>, answers: bool) -> super::tools::Hand {
    let body = move |cx: &CallContext| {
        contexts.send(cx.clone()).expect("the receiver exists");
        async move { if answers { Ok(Payload::Done) } else { pending().await } }
    };
    hand("tool", Box::new(move |cx| AnswerOrFuture::Pending(Box::pin(body(cx)))))
}

#[test]
fn the_background_work_of_a_dropped_call_is_cancelled() {
    let (sender, contexts) = mpsc::channel();
    let session = session(leaking(sender, false));
    let mut left = {
        let mut call = pin!(session.call("call_1", "tool", "{}"));
        assert!(poll(call.as_mut()).is_pending());
        contexts.recv()
    };
    let cx = left.as_mut().expect("the tool ran");
    assert!(cx.is_cancelled() && poll(pin!(cx.cancelled())).is_ready());
}

#[test]
fn the_background_work_of_an_answered_call_continues() {
    let (sender, contexts) = mpsc::channel();
    let _ = call(&session(leaking(sender, true)), "tool", "{}");
    assert!(!contexts.recv().expect("the tool ran").is_cancelled());
}

#[test]
fn a_cancelled_blocking_tool_is_answered_and_notified() {
    let start = Arc::new(Barrier::new(2));
    let (sender, heard) = mpsc::channel();
    let reached = Arc::clone(&start);
    let mut tool = sync("tool", move |cx| {
        reached.wait();
        while !cx.is_cancelled() {
            thread::yield_now();
        }
        sender.send(()).expect("the receiver exists");
        Ok(Payload::Done)
    });
    tool.spec.settings.blocking = true;
    let spawner = |work| drop(thread::spawn(work));
    let session =
        Toolbox::builder().tool(tool).blocking_spawner(spawner).build().expect("the toolbox is valid").session();
    let outcome = thread::scope(|scope| {
        let call = scope.spawn(|| call(&session, "tool", "{}"));
        start.wait();
        assert!(session.cancel("call_1"));
        call.join().expect("the call is answered")
    });
    assert_eq!(rejection(&outcome)["error_type"], "cancelled");
    heard.recv().expect("the thread sees the cancellation");
}
