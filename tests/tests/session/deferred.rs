//! Deferred calls, which the host answers later.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;
use tests::fixtures::GetWeatherTool;
use tool_dynamic::DynamicTool;
use tool_runtime::Arguments;
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::session::{Completion, CompletionError};
use tool_runtime::tool::{AnswerOrFuture, CallError, ExternalTool, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{CallContext, Container, Outcome, Session, ToolError, ToolInput, Toolbox};

use super::tools::{Log, call, endless, rejection};

/// Something to ask.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Ask {
    /// The question.
    #[tool(length(min = 3))]
    question: String,
    /// Seconds to wait for an answer.
    #[tool(range(min = 1))]
    seconds: Option<u32>,
    /// Token of the caller.
    #[tool(sensitive)]
    token: Option<String>,
}

fn ask_user() -> ExternalTool {
    ExternalTool::typed::<Ask>("ask_user", "Asks the user a question.")
}

fn built(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is valid").session()
}

fn asking() -> Session {
    built(Toolbox::builder().tool(ask_user()))
}

fn ask(session: &Session, id: &str, question: &str) -> Outcome {
    pollster::block_on(session.call(id, "ask_user", json!({ "question": question })))
}

fn waiting(session: &Session) -> Vec<(String, String)> {
    session
        .deferred_calls()
        .iter()
        .map(|call| (call.call_id().to_owned(), call.arguments_text().into_owned()))
        .collect()
}

fn deferring() -> ToolboxBuilder {
    Toolbox::builder().no_throttle().tool(GetWeatherTool).before_call(|_: &ProposedCall<'_>| Verdict::Defer)
}

#[test]
fn a_deferred_outcome_tells_the_model_that_the_result_comes_later() {
    let outcome = ask(&asking(), "call_1", "Which colour?");
    assert!(outcome.is_deferred() && !outcome.is_ok());
    assert_eq!((outcome.call_id(), outcome.tool_name(), outcome.value()), ("call_1", "ask_user", None));
    assert!(outcome.failure().is_some_and(tool_runtime::Failure::is_deferred));
    let answer = rejection(&outcome);
    let expected = json!({
        "error_type": "deferred",
        "tool": "ask_user",
        "error_message": "ask_user has not been run yet: its result is not there.",
        "retry_guidance": "Do not repeat this call; its result comes later. Go on with what you have.",
        "recovery": "replan",
    });
    assert_eq!(answer, expected);
}

#[test]
fn a_call_without_a_handler_is_checked_and_repaired_as_usual() {
    let session = asking();
    let outcome = call(&session, "ask_user", r#"{"question": "?", "seconds": 0}"#);
    assert_eq!(rejection(&outcome)["errors"].as_array().map(Vec::len), Some(2));
    let unknown = rejection(&call(&session, "ask_user", r#"{"question": "Why?", "colour": 1}"#));
    assert_eq!(unknown["errors"][0]["error_code"], "UNKNOWN_FIELD");
    assert!(waiting(&session).is_empty(), "an invalid call does not wait for the host");

    let outcome = call(&session, "askUser", r#"{"question": "Why?", "seconds": "5"}"#);
    assert!(outcome.is_deferred());
    assert_eq!(waiting(&session), [("call_1".to_owned(), r#"{"question":"Why?","seconds":5}"#.to_owned())]);
    let lines = |repairs: &[tool_runtime::Repair]| repairs.iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = [r#"Read tool "askUser" as ask_user."#, r#"Read seconds "5" as 5."#];
    assert_eq!(lines(session.deferred_calls()[0].repairs()), expected);
    let last = session.complete("call_1", "Because.").expect("the call waits");
    assert_eq!(
        (lines(last.repairs()), lines(outcome.repairs())),
        (expected.map(str::to_owned).to_vec(), expected.map(str::to_owned).to_vec())
    );
    assert_eq!(last.repaired_arguments(), Some(r#"{"question":"Why?","seconds":5}"#));
}

#[test]
fn the_host_can_answer_with_any_result_of_a_tool() {
    let cases: [(Completion, &str); 7] = [
        ("Blue.".into(), "Blue."),
        (String::from("Blue.").into(), "Blue."),
        (json!({"colour": "blue"}).into(), r#"{"colour":"blue"}"#),
        (json!("blue").into(), "blue"),
        (json!(null).into(), "done"),
        (().into(), "done"),
        (Payload::from_json_text("[1]").expect("the payload is JSON").into(), "[1]"),
    ];
    for (completion, text) in cases {
        let session = asking();
        let _ = ask(&session, "call_1", "Which colour?");
        let outcome = session.complete("call_1", completion).expect("the call waits");
        assert_eq!((outcome.to_text(), outcome.is_ok(), outcome.is_deferred()), (text.into(), true, false));
        assert_eq!(
            (outcome.call_id(), outcome.tool_name(), outcome.repaired_arguments()),
            ("call_1", "ask_user", None)
        );
    }
}

#[test]
fn the_host_can_answer_with_a_failure() {
    let cases: [(Completion, &str, &str); 5] = [
        (ToolError::new("The user has left.").into(), "tool_error", "The user has left."),
        (Err::<(), _>(ToolError::unavailable("The screen is off.")).into(), "unavailable", "The screen is off."),
        (ToolError::retry("Too vague.").field("question").into(), "tool_error", "Too vague."),
        (Completion::denied("The user\nsaid no."), "denied", "ask_user was not run: The user said no."),
        (Completion::cancelled(), "cancelled", "ask_user was cancelled before it finished."),
    ];
    for (completion, error_type, message) in cases {
        let session = asking();
        let _ = ask(&session, "call_1", "Which colour?");
        let answer = rejection(&session.complete("call_1", completion).expect("the call waits"));
        assert_eq!((&answer["error_type"], &answer["error_message"]), (&json!(error_type), &json!(message)));
        assert!(session.deferred_calls().is_empty());
    }
}

#[test]
fn a_failure_shows_the_sent_values_except_secrets() {
    let session = asking();
    let _ = call(&session, "ask_user", r#"{"question": "Which colour?", "token": "hunter2-hunter2"}"#);
    assert!(!format!("{:?}", session.deferred_calls()).contains("hunter2"));
    let error = ToolError::retry("hunter2-hunter2 is not known.").field("question");
    let outcome = session.complete("call_1", error).expect("the call waits");
    assert!(!outcome.to_text().contains("hunter2"), "{}", outcome.to_text());
    assert_eq!(rejection(&outcome)["errors"][0]["attempted_value"], "Which colour?");
}

#[test]
fn a_call_can_be_answered_only_once() {
    let session = asking();
    let none = CompletionError::NotWaiting { call_id: "call_1".to_owned() };
    assert_eq!(session.complete("call_1", "Blue.").err(), Some(none.clone()));
    let _ = ask(&session, "call_1", "Which colour?");
    assert_eq!(
        session.complete("call_2", "Blue.").err().map(|error| error.to_string()).as_deref(),
        Some("no call `call_2` waits for an answer: it was never deferred, or has already been answered or cancelled")
    );
    assert!(session.complete("call_1", "Blue.").is_ok());
    assert_eq!(session.complete("call_1", "Red.").err(), Some(none.clone()));
    assert_eq!(pollster::block_on(session.resume("call_1")).err(), Some(none));
}

#[test]
fn an_id_that_calls_share_answers_none_of_them() {
    let session = asking();
    let _ = (ask(&session, "call_1", "First?"), ask(&session, "call_2", "Second?"), ask(&session, "call_1", "Third?"));
    let ambiguous = CompletionError::Ambiguous { call_id: "call_1".to_owned() };
    assert_eq!(session.complete("call_1", "1").err(), Some(ambiguous.clone()));
    assert_eq!(pollster::block_on(session.resume("call_1")).err(), Some(ambiguous.clone()));
    let calls = session.deferred_calls();
    assert_eq!(calls.len(), 3, "nothing was answered");
    assert_eq!(session.complete_call(&calls[2], "3").expect("it waits").to_text(), "3");
    assert!(session.complete_call(&calls[2], "3").is_err(), "once is all");
    // A late answer for the third call does not become one for the first.
    assert_eq!(session.complete("call_1", "3").err(), Some(ambiguous));
    assert_eq!(session.complete_call(&calls[0], "1").expect("it waits").to_text(), "1");
    assert!(session.complete("call_2", "2").is_ok());
    // The call of another session is not taken for one of this session.
    let other = asking();
    let _ = (ask(&session, "call_1", "Fourth?"), ask(&other, "call_1", "Fourth?"));
    assert!(session.complete_call(&other.deferred_calls()[0], "4").is_err());
    assert!(session.complete("call_1", "4").is_ok(), "the id is free again");
}

#[test]
fn a_cancelled_call_stops_waiting() {
    let log = Arc::new(Log::default());
    let session = built(Toolbox::builder().tool(ask_user()).observer(Arc::clone(&log)));
    let _ = (ask(&session, "call_1", "First?"), ask(&session, "call_1", "Again?"), ask(&session, "call_2", "Other?"));
    log.take();
    assert!(session.cancel("call_1") && !session.cancel("call_1"));
    assert_eq!(log.take(), ["call_1: rejected ask_user: cancelled (-)"; 2]);
    assert_eq!(session.deferred_calls().len(), 1);
    assert!(session.complete("call_1", "Blue.").is_err());
}

#[test]
fn an_approved_call_runs_with_the_arguments_that_were_shown() {
    let log = Arc::new(Log::default());
    let session = built(deferring().observer(Arc::clone(&log)));
    let outcome = call(&session, "get_weather", r#"{"location": "Paris", "days": "3"}"#);
    assert!(outcome.is_deferred());
    let arguments = r#"{"location":"Paris","days":3}"#;
    assert_eq!(waiting(&session), [("call_1".to_owned(), arguments.to_owned())]);
    assert!(!session.deferred_calls()[0].is_external());
    let outcome = pollster::block_on(session.resume("call_1")).expect("the call waits");
    assert_eq!((outcome.to_text(), outcome.repaired_arguments()), ("Paris: sun for 3 days".into(), Some(arguments)));
    assert!(session.deferred_calls().is_empty());
    let expected = [
        "received get_weather",
        r#"repaired "3" to 3"#,
        "deferred get_weather",
        "executed get_weather: Paris: sun for 3 days",
    ];
    assert_eq!(log.take(), expected.map(|line| format!("call_1: {line}")));
}

#[test]
fn the_host_may_answer_a_deferred_call_of_a_tool_with_a_handler() {
    let session = built(deferring());
    let _ = call(&session, "get_weather", r#"{"location": "Paris"}"#);
    let outcome = session.complete("call_1", Completion::denied("The user said no.")).expect("the call waits");
    assert_eq!(rejection(&outcome)["error_type"], "denied");
}

#[test]
fn a_call_without_a_handler_cannot_be_resumed() {
    let session = asking();
    let _ = ask(&session, "call_1", "Which colour?");
    assert!(session.deferred_calls()[0].is_external());
    let error = pollster::block_on(session.resume("call_1")).expect_err("nothing can run");
    assert_eq!(
        error.to_string(),
        "the tool `ask_user` has no handler, so the call `call_1` can be completed, but not resumed"
    );
    assert!(session.complete("call_1", "Blue.").is_ok(), "the call still waits");
}

#[test]
fn a_resumed_call_can_be_cancelled() {
    let builder = Toolbox::builder().tool(endless("tool")).before_call(|_: &ProposedCall<'_>| Verdict::Defer);
    let session = built(builder);
    let _ = call(&session, "tool", "{}");
    let mut cx = Context::from_waker(Waker::noop());
    let mut running = pin!(session.resume("call_1"));
    assert_eq!(session.deferred_calls().len(), 1, "nothing happens before the first poll");
    assert!(running.as_mut().poll(&mut cx).is_pending() && session.deferred_calls().is_empty());
    assert!(session.cancel("call_1"));
    let Poll::Ready(Ok(outcome)) = running.poll(&mut cx) else { panic!("a cancelled call is answered") };
    assert_eq!(rejection(&outcome)["error_type"], "cancelled");
}

#[test]
fn an_approved_call_of_a_tool_that_is_now_hidden_does_not_run() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let is_open = Arc::new(AtomicBool::new(true));
    let spec = ToolSpec::new("tool", "A tool.", tool_schema::shape::Ref::Static(tool_schema::shape::Shape::ANY));
    let mut tool = super::tools::named("tool");
    tool.spec = spec.available_if(|open: &Arc<AtomicBool>| open.load(Ordering::SeqCst));
    let builder = Toolbox::builder().tool(tool).state(Arc::clone(&is_open));
    let session = built(builder.before_call(|_: &ProposedCall<'_>| Verdict::Defer));
    let _ = call(&session, "tool", "{}");
    is_open.store(false, Ordering::SeqCst);
    let _ = session.definitions();
    let outcome = pollster::block_on(session.resume("call_1")).expect("the call waits");
    assert_eq!(rejection(&outcome)["error_type"], "unavailable");
}

#[test]
fn the_hook_is_called_for_a_tool_without_a_handler_too() {
    let deny = |_: &ProposedCall<'_>| Verdict::deny("Leave the user alone.");
    let session = built(Toolbox::builder().tool(ask_user()).before_call(deny));
    assert_eq!(rejection(&ask(&session, "call_1", "Why?"))["error_type"], "denied");
    assert!(session.deferred_calls().is_empty());
    let session = built(Toolbox::builder().tool(ask_user()).before_call(|_: &ProposedCall<'_>| Verdict::Run));
    assert!(ask(&session, "call_1", "Why?").is_deferred());
}

#[test]
fn a_tool_without_a_handler_appears_like_any_tool() {
    let session = built(Toolbox::builder().container(Container::new("Screen", "What the user sees.").tool(ask_user())));
    let _ = call(&session, "Screen", "");
    let definitions = session.definitions().to_string();
    assert!(definitions.contains(r#""name":"ask_user""#) && definitions.contains(r#""minLength":3"#), "{definitions}");
    assert!(ask(&session, "call_1", "Why?").is_deferred());
    let past = ask_user();
    let cx = CallContext::for_test();
    for (arguments, invalid) in [("{}", true), (r#"{"question": "Why?"}"#, false)] {
        let AnswerOrFuture::Ready(Err(error)) = past.call(Arguments::from(arguments), &cx) else {
            panic!("nobody is here")
        };
        assert_eq!(matches!(error, CallError::Invalid(_)), invalid);
    }
}

#[test]
fn a_tool_from_a_schema_needs_no_handler() {
    let schema = r#"{"type": "object", "properties": {"colour": {"enum": ["red", "blue"]}}, "required": ["colour"]}"#;
    let paint = DynamicTool::builder("paint", "Paints the screen.", schema).external().expect("the schema is valid");
    let session = built(Toolbox::builder().tool(paint));
    assert_eq!(rejection(&call(&session, "paint", r#"{"colour": "green"}"#))["error_type"], "validation_error");
    assert!(call(&session, "paint", r#"{"colour": "red"}"#).is_deferred());
    assert_eq!(session.complete("call_1", ()).expect("the call waits").to_text(), "done");
}

#[test]
fn threads_can_answer_deferred_calls_concurrently() {
    let session = asking();
    let ids: Vec<String> = (0..200).map(|id| format!("call_{id}")).collect();
    for id in &ids {
        assert!(ask(&session, id, "Which colour?").is_deferred());
    }
    let answered: usize = thread::scope(|scope| {
        let complete = || ids.iter().filter(|id| session.complete(id, "Blue.").is_ok()).count();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(complete)).collect();
        threads.into_iter().map(|thread| thread.join().expect("nothing panics")).sum()
    });
    assert_eq!((answered, session.deferred_calls().len()), (200, 0));
}

#[derive(Clone, Debug)]
enum Step {
    Call(u8),
    Complete(u8),
    Resume(u8),
    Cancel(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..4_u8).prop_map(Step::Call),
        1 => (0..4_u8).prop_map(Step::Complete),
        1 => (0..4_u8).prop_map(Step::Resume),
        1 => (0..4_u8).prop_map(Step::Cancel),
    ]
}

proptest! {
    /// Every call that was deferred and not cancelled is answered exactly once, and nothing else remains in memory.
    #[test]
    fn a_deferred_call_waits_until_it_is_answered_or_cancelled(steps in prop::collection::vec(step(), 0..40)) {
        let session = built(deferring());
        let mut model: Vec<(String, u32)> = Vec::new();
        let mut shared = std::collections::HashSet::new();
        for (number, step) in (0..).zip(steps) {
            let oldest = |model: &[(String, u32)], id: &str| model.iter().position(|(other, _)| other == id);
            match step {
                Step::Call(id) => {
                    let id = id.to_string();
                    let outcome = pollster::block_on(session.call(&id, "get_weather", json!({"location": number.to_string()})));
                    prop_assert!(outcome.is_deferred());
                    if oldest(&model, &id).is_some() {
                        shared.insert(id.clone());
                    }
                    model.push((id, number));
                }
                Step::Complete(id) | Step::Resume(id) => {
                    let id = id.to_string();
                    let is_shared = shared.contains(&id);
                    if is_shared {
                        let ambiguous = Some(CompletionError::Ambiguous { call_id: id.clone() });
                        prop_assert_eq!(session.complete(&id, "done by the host").err(), ambiguous.clone());
                        prop_assert_eq!(pollster::block_on(session.resume(&id)).err(), ambiguous);
                    }
                    let call = session.deferred_calls().into_iter().find(|call| is_shared && call.call_id() == id);
                    let answer = match (&step, &call) {
                        (Step::Complete(_), None) => session.complete(&id, "done by the host"),
                        (Step::Complete(_), Some(call)) => session.complete_call(call, "done by the host"),
                        (_, None) => pollster::block_on(session.resume(&id)),
                        (_, Some(call)) => pollster::block_on(session.resume_call(call, HostArguments::new())),
                    };
                    let expected = oldest(&model, &id).map(|index| model.remove(index));
                    prop_assert_eq!(answer.is_ok(), expected.is_some());
                    if let (Ok(outcome), Some((_, number)), Step::Resume(_)) = (answer, expected, step) {
                        prop_assert_eq!(outcome.to_text(), format!("{number}: sun for 1 days"));
                    }
                }
                Step::Cancel(id) => {
                    let id = id.to_string();
                    prop_assert_eq!(session.cancel(&id), oldest(&model, &id).is_some());
                    model.retain(|(other, _)| *other != id);
                }
            }
            shared.retain(|id| oldest(&model, id).is_some());
            let found: Vec<_> = waiting(&session);
            let expected: Vec<_> =
                model.iter().map(|(id, number)| (id.clone(), json!({"location": number.to_string()}).to_string())).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
