//! Progress of running tools: listeners receive the reports in order and none after the end of the call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use tool_chat::conversation::{Conversation, ConversationEvent};
use tool_chat::model::ScriptedModel;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::tool::Payload;
use tool_runtime::{CallContext, Session, Toolbox, tool};

use super::tools::{call, drive, sync};

/// Records events in order.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("nothing panics"))
    }
}

impl Observer for Seen {
    fn event(&self, event: &ToolEvent<'_>) {
        let line = match event.kind {
            EventKind::Progressed { tool, done, total, message } => {
                let total = total.map(|total| format!("/{total}")).unwrap_or_default();
                format!("{} {tool} {done}{total} {message}", event.call_id)
            }
            kind => kind.name().to_owned(),
        };
        self.0.lock().expect("nothing panics").push(line);
    }
}

fn observed(body: impl Fn(&CallContext) + Send + Sync + 'static) -> (Session, Seen) {
    let tool = sync("work", move |cx| {
        body(cx);
        Ok(Payload::Done)
    });
    let seen = Seen::default();
    let toolbox = Toolbox::builder().tool(tool).observer(seen.clone()).build().expect("a toolbox");
    (toolbox.session(), seen)
}

/// Waits and reports.
#[tool]
async fn wait(#[tool(context)] cx: &CallContext) {
    cx.progress(0.0, 100.0, "");
    let inner = cx.clone();
    // A task of the tool reports too.
    thread::spawn(move || inner.progress(50.0, 100.0, "half")).join().expect("it does not panic");
    cx.progress(100.0, 100.0, "all");
}

#[test]
fn progress_reports_come_in_order_between_the_call_and_its_result() {
    let (session, seen) = observed(|cx| {
        cx.progress(1.0, None, "first");
        cx.progress(2.5, 10.0, "a\u{200b}\nb");
    });
    let _ = call(&session, "work", "{}");
    assert_eq!(
        seen.take(),
        ["received", "call_1 work 1 first", "call_1 work 2.5/10 a\\u200b b", "executed"],
        "a message is one line without hidden characters"
    );
    let toolbox = Toolbox::builder().tool(WaitTool).observer(seen.clone()).build().expect("a toolbox");
    let _ = call(&toolbox.session(), "wait", "{}");
    let expect = ["received", "call_1 wait 0/100 ", "call_1 wait 50/100 half", "call_1 wait 100/100 all", "executed"];
    assert_eq!(seen.take(), expect);
}

#[test]
fn a_repeated_progress_report_is_left_out() {
    let (session, seen) = observed(|cx| {
        for done in [5.0, 5.0, 4.0, f64::NAN, f64::INFINITY, -1.0, 6.0] {
            cx.progress(done, Some(f64::NAN), &"x".repeat(1_000));
        }
    });
    let _ = call(&session, "work", "{}");
    let lines = seen.take();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(
        lines[1].starts_with("call_1 work 5 xxx") && lines[1].len() < 220 && lines[2].starts_with("call_1 work 6 ")
    );
}

#[test]
fn the_number_of_progress_reports_is_bounded() {
    let (session, seen) = observed(|cx| (1..=100_000).for_each(|done| cx.progress(done.into(), 100_000.0, "")));
    let _ = call(&session, "work", "{}");
    let lines = seen.take();
    assert_eq!(lines.len(), 1_003);
    assert_eq!(lines[1_001], "call_1 work 100000/100000 ", "the end is told all the same");
}

#[test]
fn no_report_follows_the_end_of_a_call() {
    let kept: Arc<Mutex<Option<CallContext>>> = Arc::default();
    let inner = Arc::clone(&kept);
    let (session, seen) = observed(move |cx| {
        cx.progress(1.0, None, "");
        *inner.lock().expect("nothing panics") = Some(cx.clone());
    });
    let _ = call(&session, "work", "{}");
    let cx = kept.lock().expect("nothing panics").take().expect("the tool has run");
    cx.progress(2.0, None, "late");
    assert_eq!(seen.take(), ["received", "call_1 work 1 ", "executed"]);
}

/// A thread that outlives its call and never stops to report.
#[test]
fn a_blocking_tool_reports_until_its_time_is_up() {
    for _ in 0..20 {
        let (clock, seen, is_over) = (SimulatedClock::new(), Seen::default(), Arc::new(AtomicBool::new(false)));
        let stop = Arc::clone(&is_over);
        let mut tool = sync("work", move |cx| {
            let mut done = 0.0;
            while !stop.load(Ordering::Relaxed) {
                done += 1.0;
                cx.progress(done, None, "");
                thread::yield_now();
            }
            Ok(Payload::Done)
        });
        tool.spec.settings.blocking = true;
        let builder = Toolbox::builder().tool(tool).observer(seen.clone()).clock(clock.clone());
        let builder = builder.time_limit(Duration::from_secs(1)).blocking_spawner(|work| drop(thread::spawn(work)));
        let session = builder.build().expect("a toolbox").session();
        let outcome = drive(&clock, session.call("call_1", "work", "{}"));
        assert_eq!(outcome.failure().map(tool_runtime::Failure::error_type), Some("timeout"));
        let lines = seen.take();
        assert_eq!(lines.last().map(String::as_str), Some("rejected"), "{lines:?}");
        thread::sleep(Duration::from_millis(1));
        assert!(seen.take().is_empty(), "nothing follows the end");
        is_over.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_panicking_observer_does_not_prevent_the_answer() {
    struct Panics;
    impl Observer for Panics {
        fn event(&self, event: &ToolEvent<'_>) {
            assert!(!matches!(event.kind, EventKind::Progressed { .. }), "no progress, please");
        }
    }
    let tool = sync("work", |cx| {
        cx.progress(1.0, None, "");
        cx.progress(2.0, None, "");
        Ok(Payload::Done)
    });
    let toolbox = Toolbox::builder().tool(tool).observer(Panics).build().expect("a toolbox");
    assert!(call(&toolbox.session(), "work", "{}").is_ok());
}

#[test]
fn a_conversation_reports_the_progress_of_its_own_calls() {
    let (session, seen) = observed(|cx| cx.progress(3.0, 4.0, "nearly"));
    let told = Seen::default();
    let inner = told.clone();
    let model = ScriptedModel::new().calls([("work", "{}"), ("work", "{}")]).call("work", "{}").text("Done.");
    let mut conversation = Conversation::new(session.clone(), model).on_event(move |event| {
        if let ConversationEvent::Progressed { turn, step, call_id, tool, done, total, message, .. } = event {
            let line = format!("{turn}.{step} {call_id} {tool} {done}/{} {message}", total.unwrap_or_default());
            inner.0.lock().expect("nothing panics").push(line);
        }
    });
    pollster::block_on(conversation.ask("Work."));
    let lines = told.take();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("0.0 ") && lines[0].ends_with(" work 3/4 nearly") && lines[2].starts_with("0.1 "));
    assert_eq!(seen.take().iter().filter(|line| line.ends_with("work 3/4 nearly")).count(), 3);
    // A call that the host makes is not the conversation's.
    let _ = pollster::block_on(session.call("other", "work", "{}"));
    assert!(told.take().is_empty());
}

proptest! {
    #[test]
    fn reported_progress_always_grows(reports in prop::collection::vec((prop::num::f64::ANY, prop::option::of(prop::num::f64::ANY)), 0..60)) {
        let given = reports.clone();
        let (session, seen) = observed(move |cx| given.iter().for_each(|&(done, total)| cx.progress(done, total, "")));
        let _ = call(&session, "work", "{}");
        let lines = seen.take();
        let done: Vec<f64> = lines[1..lines.len() - 1].iter().map(|line| {
            let numbers = line.strip_prefix("call_1 work ").expect("a report").trim();
            numbers.split('/').next().and_then(|done| done.parse().ok()).expect("a number")
        }).collect();
        prop_assert!(done.windows(2).all(|pair| pair[0] < pair[1]));
        let mut expect: Vec<f64> = Vec::new();
        for (report, _) in reports {
            if report.is_finite() && expect.last().is_none_or(|last| report > *last) {
                expect.push(report);
            }
        }
        prop_assert_eq!(done, expect);
    }
}
