//! The hook before a call: its arguments, and the effect of its verdict.

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;
use serde_json::json;
use tool_runtime::Arguments;
use tool_runtime::ValidationError;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::hook::{BeforeCall, ProposedCall, Verdict, VerdictOrFuture};
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{CallContext, Container, Outcome, Session, Toolbox, TypedTool, tool};

use super::tools::{Log, call, endless, group, named, rejection, sync};

/// Books a room.
#[tool(destructive)]
fn book(
    /// Days.
    #[tool(range(min = 1, max = 14))]
    days: u8,
    /// Guests.
    #[tool(default = 1)]
    guests: u8,
) -> String {
    format!("{days} days, {guests} guests")
}

fn built(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is valid").session()
}

fn booking(hook: impl BeforeCall) -> Session {
    built(Toolbox::builder().tool(BookTool).before_call(hook))
}

/// Returns a hook that records its calls and always gives the same verdict.
fn keeping(verdict: Verdict) -> (Arc<Mutex<Vec<String>>>, impl BeforeCall) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&asked);
    let hook = move |call: &ProposedCall<'_>| {
        kept.lock().expect("the lock is not poisoned").push(format!("{} {}", call.name(), call.arguments_text()));
        verdict.clone()
    };
    (asked, hook)
}

fn taken(asked: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut asked.lock().expect("the lock is not poisoned"))
}

fn error_type(outcome: &Outcome) -> String {
    rejection(outcome)["error_type"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_allowed_call_has_the_same_outcome_as_without_a_hook() {
    let (asked, hook) = keeping(Verdict::Run);
    let outcome = call(&booking(hook), "book", r#"{"days": 3}"#);
    assert_eq!(
        (outcome.to_text(), outcome.repairs().len(), outcome.repaired_arguments()),
        ("3 days, 1 guests".into(), 0, None)
    );
    assert_eq!(taken(&asked), [r#"book {"days": 3}"#]);
}

#[test]
fn the_hook_receives_what_the_host_needs_to_decide() {
    struct User(&'static str);

    let hook = |call: &ProposedCall<'_>| {
        let destructive = call.spec().settings.annotations.destructive;
        let user = call.state::<User>().map(|user| user.0);
        let seen = (call.call_id(), call.name(), destructive, user, call.argument("days"), call.argument("nights"));
        assert_eq!(seen, ("call_1", "book", Some(true), Some("Ann"), Some(json!(3)), None));
        assert!(call.state::<u8>().is_none() && call.repairs().is_empty() && !call.arguments().is_empty());
        Verdict::Run
    };
    let builder = Toolbox::builder().no_throttle().tool(BookTool).require_session_state::<User>().before_call(hook);
    let session = builder
        .build()
        .expect("the registration is valid")
        .session_with(User("Ann"))
        .expect("the state has the declared type");
    assert!(call(&session, "book", r#"{"days": 3}"#).is_ok());
    let arguments = json!({"days": 3});
    assert!(pollster::block_on(session.call("call_1", "book", &arguments)).is_ok());
    assert!(
        pollster::block_on(session.call("call_1", "book", arguments.as_object().expect("the arguments are an object")))
            .is_ok()
    );
    assert!(pollster::block_on(session.call("call_1", "book", &br#"{"days": 3}"#[..])).is_ok());
}

#[test]
fn a_denial_is_reported_in_one_bounded_line() {
    let reason = format!("No.\nNot {}", "ever ".repeat(1_000));
    let (_, hook) = keeping(Verdict::Deny(reason));
    let outcome = call(&booking(hook), "book", r#"{"days": 3}"#);
    let answer = rejection(&outcome);
    assert_eq!((&answer["error_type"], &answer["recovery"]), (&json!("denied"), &json!("replan")));
    let message = answer["error_message"].as_str().unwrap_or_default();
    assert!(message.starts_with("book was not run: No. Not ever ever") && message.ends_with('…'), "{message}");
    assert!(message.len() <= 640 && !message.contains('\n'), "{message}");
}

#[test]
fn a_denied_call_does_not_run() {
    for verdict in [Verdict::deny("No."), Verdict::Defer] {
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&runs);
        let tool = sync("tool", move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(Payload::Done)
        });
        let (asked, hook) = keeping(verdict);
        assert!(!call(&built(Toolbox::builder().tool(tool).before_call(hook)), "tool", "{}").is_ok());
        assert_eq!((runs.load(Ordering::SeqCst), taken(&asked).len()), (0, 1));
    }
}

#[test]
fn the_hook_is_not_called_for_an_invalid_call() {
    let (asked, hook) = keeping(Verdict::Run);
    let session = booking(hook);
    let plain = built(Toolbox::builder().tool(BookTool));
    for arguments in [r#"{"days": 30}"#, "{}", r#"{"days": 3"#, "[]", r#"{"days": "many", "guests": "2"}"#] {
        let outcome = call(&session, "book", arguments);
        // The message, the repairs and the arguments are the same as without a hook.
        let expected = call(&plain, "book", arguments);
        assert_eq!(outcome.to_text(), expected.to_text());
        assert_eq!(
            (outcome.repairs(), outcome.repaired_arguments()),
            (expected.repairs(), expected.repaired_arguments())
        );
    }
    assert_eq!(taken(&asked), Vec::<String>::new());
    assert!(!call(&session, "nobody", "{}").is_ok());
    assert_eq!(taken(&asked), Vec::<String>::new());
}

#[test]
fn the_hook_sees_the_repaired_arguments() {
    let (asked, hook) = keeping(Verdict::Run);
    let outcome = call(&booking(hook), "Book", r#"{"days": "3"}"#);
    assert_eq!(taken(&asked), [r#"book {"days":3}"#]);
    assert_eq!((outcome.to_text(), outcome.repaired_arguments()), ("3 days, 1 guests".into(), Some(r#"{"days":3}"#)));
    let lines: Vec<_> = outcome.repairs().iter().map(ToString::to_string).collect();
    assert_eq!(lines, [r#"Read tool "Book" as book."#, r#"Read days "3" as 3."#]);
}

#[test]
fn the_hook_sees_the_repairs_and_may_reject_them() {
    let unrepaired_only = |call: &ProposedCall<'_>| match call.repairs() {
        [] => Verdict::Run,
        [repair, ..] => Verdict::deny(repair.to_string()),
    };
    let outcome = call(&booking(unrepaired_only), "book", r#"{"days": "3"}"#);
    assert_eq!(rejection(&outcome)["error_message"], r#"book was not run: Read days "3" as 3."#);
    assert_eq!(outcome.repairs().len(), 1);
}

/// Accepts arguments in its check and rejects them in its call.
struct Fickle(ToolSpec);

impl Tool for Fickle {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn check(&self, _: &Arguments<'_>) -> Result<(), ValidationError> {
        Ok(())
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        BookTool.call(arguments, cx)
    }
}

#[test]
fn a_tool_whose_call_rejects_checked_arguments_does_not_run() {
    let (asked, hook) = keeping(Verdict::Run);
    let fickle = Fickle(ToolSpec::new("fickle", "Says yes, then no.", BookTool::SPEC.input.clone()));
    let outcome = call(&built(Toolbox::builder().tool(fickle).before_call(hook)), "fickle", r#"{"days": "3"}"#);
    assert_eq!(error_type(&outcome), "validation_error");
    assert_eq!(taken(&asked), [r#"fickle {"days": "3"}"#]);
}

#[test]
fn the_hook_is_called_for_members_and_not_for_expansions() {
    let (asked, hook) = keeping(Verdict::deny("No."));
    let builder = Toolbox::builder().container(group("Math", &["add"])).before_call(hook);
    let session =
        built(builder.expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun)));
    assert!(call(&session, "Math", "").is_ok());
    assert_eq!(taken(&asked), Vec::<String>::new());
    for (name, arguments) in [("add", "{}"), ("Math.add", "{}"), ("Math", r#"{"function": "add"}"#)] {
        assert_eq!(error_type(&call(&session, name, arguments)), "denied", "{name}");
        assert_eq!(taken(&asked), ["add {}"]);
    }
}

#[test]
fn the_hook_receives_the_tool_that_runs_for_a_call_through_the_proxy() {
    let (asked, hook) = keeping(Verdict::deny("No."));
    let clock = Container::new("Clock", "A clock.").tool(BookTool);
    let session = built(
        Toolbox::builder().container(clock).expansion(ExpansionSettings::new().fixed_definitions()).before_call(hook),
    );
    let _ = call(&session, "Clock", "");
    let outcome = call(&session, "call_tool", r#"{"tool": "book", "arguments": {"days": "3"}}"#);
    assert_eq!(error_type(&outcome), "denied");
    assert_eq!(taken(&asked), [r#"book {"days":3}"#]);
}

#[test]
fn the_first_objecting_hook_decides() {
    let (first, one) = keeping(Verdict::Run);
    let (second, two) = keeping(Verdict::deny("Two."));
    let (third, three) = keeping(Verdict::deny("Three."));
    let session = built(Toolbox::builder().tool(BookTool).before_call(one).before_call(two).before_call(three));
    let outcome = call(&session, "book", r#"{"days": 3}"#);
    assert_eq!(rejection(&outcome)["error_message"], "book was not run: Two.");
    assert_eq!([&first, &second, &third].map(|asked| taken(asked).len()), [1, 1, 0]);
}

#[test]
fn a_hook_may_wait_for_a_human() {
    let answer = Arc::new(Mutex::new(None));
    let given = Arc::clone(&answer);
    let hook = move |_: &ProposedCall<'_>| {
        let given = Arc::clone(&given);
        std::future::poll_fn(move |_| match given.lock().expect("the lock is not poisoned").take() {
            Some(verdict) => Poll::Ready(verdict),
            None => Poll::Pending,
        })
    };
    let session = booking(hook);
    let mut running = pin!(session.call("call_1", "book", r#"{"days": 3}"#));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(running.as_mut().poll(&mut cx).is_pending());
    *answer.lock().expect("the lock is not poisoned") = Some(Verdict::Run);
    let Poll::Ready(outcome) = running.poll(&mut cx) else { panic!("the human has decided") };
    assert_eq!(outcome.to_text(), "3 days, 1 guests");
}

#[test]
fn a_call_that_waits_for_a_human_can_be_cancelled() {
    let session = booking(|_: &ProposedCall<'_>| pending::<Verdict>());
    let mut running = pin!(session.call("call_1", "book", r#"{"days": 3}"#));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(running.as_mut().poll(&mut cx).is_pending());
    assert!(session.cancel("call_1"));
    let Poll::Ready(outcome) = running.poll(&mut cx) else { panic!("a cancelled call is answered") };
    assert_eq!(error_type(&outcome), "cancelled");
    assert!(!session.cancel("call_1") && session.deferred_calls().is_empty());
}

#[test]
fn a_running_tool_can_be_cancelled_after_it_was_allowed() {
    let (_, hook) = keeping(Verdict::Run);
    let session = built(Toolbox::builder().tool(endless("tool")).before_call(hook));
    let mut running = pin!(session.call("call_1", "tool", "{}"));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(running.as_mut().poll(&mut cx).is_pending());
    assert!(session.cancel("call_1"));
    let Poll::Ready(outcome) = running.poll(&mut cx) else { panic!("a cancelled call is answered") };
    assert_eq!(error_type(&outcome), "cancelled");
}

/// A hook that borrows from the call while its future is pending.
struct Thinker;

impl BeforeCall for Thinker {
    fn before_call<'a>(&'a self, call: &'a ProposedCall<'a>) -> VerdictOrFuture<'a> {
        VerdictOrFuture::Pending(Box::pin(async move { Verdict::deny(format!("{} is not for you.", call.name())) }))
    }
}

#[test]
fn a_hook_type_may_borrow_from_the_call() {
    let outcome = call(&booking(Thinker), "book", r#"{"days": 3}"#);
    assert_eq!(rejection(&outcome)["error_message"], "book was not run: book is not for you.");
}

#[test]
fn a_call_with_a_panicking_hook_does_not_run() {
    let sync_panic = |call: &ProposedCall<'_>| -> Verdict { panic!("no rule for {}", call.name()) };
    let async_panic = |_: &ProposedCall<'_>| async { if true { panic!("no rule") } else { Verdict::Run } };
    let outcomes =
        [call(&booking(sync_panic), "book", r#"{"days": 3}"#), call(&booking(async_panic), "book", r#"{"days": 3}"#)];
    for outcome in outcomes {
        assert_eq!(error_type(&outcome), "internal_error");
        assert!(!outcome.to_text().contains("no rule"), "the message is for the observer");
        assert!(outcome.to_text().contains("book was not run, because of an internal error."), "{}", outcome.to_text());
    }
}

#[test]
fn the_observer_receives_denials_and_deferrals() {
    for (verdict, last) in [
        (Verdict::deny("No."), "rejected book: denied (-)"),
        (Verdict::Defer, "deferred book"),
        (Verdict::Run, "executed book: 3 days, 1 guests"),
    ] {
        let log = Arc::new(Log::default());
        let (_, hook) = keeping(verdict);
        let session = built(Toolbox::builder().tool(BookTool).before_call(hook).observer(Arc::clone(&log)));
        let _ = call(&session, "book", r#"{"days": "3"}"#);
        let expected = ["received book", r#"repaired "3" to 3"#, last].map(|line| format!("call_1: {line}"));
        assert_eq!(log.take(), expected);
    }
}

#[test]
fn a_rejection_before_the_hook_counts_like_any_other_rejection() {
    let (_, hook) = keeping(Verdict::Run);
    // The texts contain the length of a pause.
    let toolbox = || Toolbox::builder().tool(BookTool).tool(named("other")).clock(SimulatedClock::new());
    let (session, plain) = (built(toolbox().before_call(hook)), built(toolbox()));
    for _ in 0..4 {
        let (found, expected) = (call(&session, "book", "{}"), call(&plain, "book", "{}"));
        assert_eq!(found.to_text(), expected.to_text(), "the second and third rejections are more insistent");
    }
}

#[test]
fn rejections_before_the_hook_pause_a_tool_but_denials_and_deferrals_do_not() {
    for verdict in [Verdict::deny("No."), Verdict::Defer] {
        let (asked, hook) = keeping(verdict);
        let session = booking(hook);
        for _ in 0..20 {
            let _ = call(&session, "book", r#"{"days": 3}"#);
        }
        assert_eq!(taken(&asked).len(), 20, "a decision of the host is no failure of the model");
    }
    let (_, hook) = keeping(Verdict::Run);
    let session = booking(hook);
    let types: Vec<_> = (0..4).map(|_| error_type(&call(&session, "book", "{}"))).collect();
    assert_eq!(types, ["validation_error", "validation_error", "validation_error", "throttled"]);
}

/// Records the arguments with which it runs.
struct Recorder {
    spec: ToolSpec,
    ran_with: Arc<Mutex<Vec<String>>>,
}

impl Tool for Recorder {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn check(&self, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        BookTool.check(arguments)
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        if let Err(rejected) = self.check(&arguments) {
            return AnswerOrFuture::Ready(Err(rejected.into()));
        }
        self.ran_with.lock().expect("the lock is not poisoned").push(format!("book {}", arguments.to_text()));
        AnswerOrFuture::Ready(Ok(Payload::Done))
    }
}

fn argument() -> impl Strategy<Value = String> {
    prop_oneof![
        (0_u8..20).prop_map(|days| format!(r#"{{"days": {days}}}"#)),
        (0_u8..20).prop_map(|days| format!(r#"{{"days": "{days}", "guests": 2}}"#)),
        (0_u8..20).prop_map(|days| format!("```json\n{{'days': {days},}}\n```")),
        (0_u8..20).prop_map(|days| format!(r#"{{"day": {days}, "arguments": {{"days": {days}}}}}"#)),
        "[\\{\\}\"days: 0-9,]{0,20}",
    ]
}

proptest! {
    /// The hook receives exactly the arguments with which the tool runs, and the answer is the same as without a hook.
    #[test]
    fn the_tool_runs_with_the_arguments_that_the_hook_received(calls in prop::collection::vec(argument(), 0..6), defer in any::<bool>()) {
        let recorder = || {
            let ran_with = Arc::new(Mutex::new(Vec::new()));
            let mut spec = ToolSpec::new("book", "Books.", BookTool::SPEC.input.clone());
            spec.decode = BookTool::SPEC.decode;
            (Arc::clone(&ran_with), Recorder { spec, ran_with })
        };
        let (plain_ran, plain) = recorder();
        let (ran, recorder) = recorder();
        let (asked, hook) = keeping(if defer { Verdict::Defer } else { Verdict::Run });
        let plain = built(Toolbox::builder().no_throttle().tool(plain));
        let session = built(Toolbox::builder().no_throttle().tool(recorder).before_call(hook));
        for arguments in &calls {
            let mut outcome = call(&session, "book", arguments);
            if outcome.is_deferred() {
                prop_assert!(taken(&ran).is_empty());
                let waiting = session.deferred_calls();
                prop_assert_eq!(waiting.len(), 1);
                prop_assert_eq!(waiting[0].repairs(), outcome.repairs());
                outcome = pollster::block_on(session.resume("call_1")).expect("the call waits");
            }
            let expected = call(&plain, "book", arguments);
            prop_assert_eq!(outcome.to_text(), expected.to_text());
            prop_assert_eq!(outcome.repairs(), expected.repairs());
            prop_assert_eq!(outcome.repaired_arguments(), expected.repaired_arguments());
            let ran = taken(&ran);
            prop_assert_eq!(&ran, &taken(&plain_ran));
            prop_assert_eq!(taken(&asked), ran);
        }
        prop_assert!(session.deferred_calls().is_empty());
    }
}
