//! Calls that one session decides about and another one runs: the answers are those of one session.

use tool_runtime::__private_0_1_0::internal;
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::session::{Outcome, SessionSetup, SessionState};
use tool_runtime::throttle::SessionLimits;
use tool_runtime::toolbox::Guard;
use tool_runtime::{CallContext, Container, Session, ToolError, Toolbox, tool};

/// Doubles a number.
#[tool(read_only)]
fn double(
    #[tool(context)] cx: &CallContext,
    /// The number.
    number: u32,
) -> String {
    format!("{} ({})", number * 2, cx.idempotency_key())
}

/// Never works.
#[tool]
fn break_down() -> Result<(), ToolError> {
    Err(ToolError::new("It is broken."))
}

/// Tells much.
#[tool(sequential)]
fn tell() -> String {
    "abc ".repeat(1_000)
}

/// Knows a secret of the host.
#[tool]
fn know(
    /// The secret.
    #[tool(host)]
    secret: u32,
) -> u32 {
    secret + 1
}

fn toolbox() -> Toolbox {
    let hook = |call: &ProposedCall<'_>| match call.name() {
        "know" => Verdict::RunWith(HostArguments::new().with("secret", 41)),
        _ if call.call_id().starts_with("denied") => Verdict::deny("No."),
        _ if call.call_id().starts_with("later") => Verdict::Defer,
        _ => Verdict::Run,
    };
    let mut limits = SessionLimits::default();
    (limits.same_tool_rate, limits.overall_rate) = (None, None);
    Toolbox::builder()
        .throttle(limits)
        .tool(DoubleTool)
        .tool(BreakDownTool)
        .tool(KnowTool)
        .container(Container::new("Stories", "Stories.").tool(TellTool))
        .tool_guard("tell", Guard::new().cut_to(Some(500)))
        .before_call(hook)
        .build()
        .expect("the registration is valid")
}

fn begin() -> Session {
    toolbox().begin_session(SessionSetup::new().id("one")).expect("no state is declared")
}

/// Returns the state as another process reads it.
fn moved(state: &SessionState) -> SessionState {
    serde_json::from_str(&serde_json::to_string(state).expect("a state is JSON")).expect("it can be read back")
}

fn moved_outcome(outcome: &Outcome) -> Outcome {
    serde_json::from_str(&serde_json::to_string(outcome).expect("an outcome is JSON")).expect("it can be read back")
}

/// Answers a batch: its calls are decided about in one session and run in others, and the first session is restored in between.
fn detached(session: Session, calls: &[(&'static str, &'static str, &'static str)]) -> (Session, Vec<String>) {
    assert!(internal::detach_calls(&session));
    let outcomes = pollster::block_on(session.call_batch(calls.iter().copied())).into_outcomes();
    let handed = internal::take_detached(&session);
    let state = session.snapshot().expect("nothing is sensitive");
    let session = toolbox().restore(moved(&state), SessionSetup::new().id("one")).expect("the state is whole");
    let texts = outcomes.into_iter().map(|outcome| {
        let Some(call) = handed.iter().find(|call| call.call_id == outcome.call_id()) else {
            return outcome.to_text_with_notes().into_owned();
        };
        assert_eq!((call.is_repeatable, call.runs_alone), (call.tool == "double", call.tool == "tell"));
        let state = moved(&internal::state_of_call(&state, &call.call_id));
        let other = toolbox().restore(state, SessionSetup::new().id("one")).expect("the state is whole");
        assert_eq!(other.deferred_calls().len(), 1);
        let outcome = pollster::block_on(internal::run_detached(&other, &call.call_id, HostArguments::new()));
        let outcome = moved_outcome(&outcome.expect("the call waits there"));
        let outcome = internal::put_back(&session, &call.call_id, outcome).expect("the call waits here");
        outcome.to_text_with_notes().into_owned()
    });
    let texts = texts.collect();
    (session, texts)
}

/// Returns the calls, failures, rejections, pauses and bytes of results of each tool.
fn counts(session: &Session) -> Vec<(String, [u64; 5])> {
    let tools = session.statistics().tools;
    let of_tool = tools.iter().map(|tool| {
        let counts = [tool.calls, tool.failures, tool.rejected, tool.throttled, tool.result_bytes];
        (tool.name.clone(), counts)
    });
    of_tool.collect()
}

#[test]
fn detached_calls_are_answered_like_others() {
    let batches: [&[(&str, &str, &str)]; 5] = [
        &[("1", "double", r#"{"number": "4"}"#), ("2", "break_down", "{}"), ("3", "double", r#"{"numer": 4}"#)],
        &[("4", "Stories", "{}"), ("5", "tell", "{}"), ("6", "know", "{}"), ("denied 7", "double", r#"{"number": 1}"#)],
        &[("8", "break_down", "{}"), ("9", "nothing", "{}")],
        &[("10", "break_down", "{}")],
        &[("11", "break_down", "{}"), ("12", "tell", "{}")],
    ];
    let (whole, mut parts) = (begin(), begin());
    for batch in batches {
        let expected = pollster::block_on(whole.call_batch(batch.iter().copied())).into_outcomes();
        let expected: Vec<String> = expected.iter().map(|outcome| outcome.to_text_with_notes().into_owned()).collect();
        let (session, texts) = detached(parts, batch);
        assert_eq!(texts, expected);
        assert!(session.deferred_calls().is_empty());
        parts = session;
    }
    assert!(parts.is_expanded("Stories"));
    // Calls that reach no tool are counted before those that run elsewhere, so hints and tries are counted differently.
    assert_eq!(counts(&parts), counts(&whole));
}

#[test]
fn a_call_that_a_hook_defers_waits_for_the_host() {
    let session = begin();
    assert!(internal::detach_calls(&session));
    let outcome = pollster::block_on(session.call("later", "double", r#"{"number": 2}"#));
    assert!(outcome.is_deferred() && internal::take_detached(&session).is_empty());
    let call = internal::detached_of_deferred(&session, "later").expect("the call waits");
    assert_eq!((call.tool.as_str(), call.is_repeatable, call.runs_alone), ("double", true, false));
    assert!(internal::detached_of_deferred(&session, "other").is_none());
    let outcome = pollster::block_on(session.resume("later")).expect("the host can also run the call here");
    assert_eq!(outcome.to_text(), "4 (one:later)");
    assert!(internal::put_back(&session, "later", outcome).is_err());
}
