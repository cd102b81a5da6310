//! Counts of parsing and checking: the text of a call is parsed by our parser at most once, and each tree is checked at most once. A valid
//! call needs neither.
//!
//! The counts include only the path of a call. Hints, and answers in the form `FeedbackForm::Json`, do not read the arguments again. The other forms
//! check the values that they suggest.

use std::cell::Cell;

use tests::private::counted::parses_and_checks;
use tool_runtime::Arguments;
use tool_runtime::Dialect;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::tool::{AnswerOrFuture, Tool, ToolSpec};
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{CallContext, CustomRuleError, Outcome, Session, Toolbox, tool};

/// Dims lights.
#[tool]
fn dim(
    /// Which lights.
    #[tool(length(min = 1))]
    lights: Vec<String>,
    /// How bright, in percent.
    #[tool(range(max = 100))]
    level: u8,
) -> String {
    format!("{} at {level} %", lights.join(", "))
}

const GOOD: &str = r#"{"lights": ["hall"], "level": 40}"#;
const REPAIRED: &str = r#"{"lights": ["hall"], "level": "40"}"#;
const BROKEN: &str = r#"{'lights': ["hall"], 'level': 40,}"#;
const REJECTED: &str = r#"{"lights": [], "level": 140}"#;
const HALF_REPAIRED: &str = r#"{"lights": [], "level": "40"}"#;
const CUT_OFF: &str = r#"{"lights": ["hall"], "lev"#;

fn session(builder: ToolboxBuilder) -> Session {
    builder.tool(DimTool).build().expect("the toolbox is valid").session()
}

fn counts(session: &Session, arguments: &str) -> (Outcome, usize, usize) {
    parses_and_checks(|| pollster::block_on(session.call("call_1", "dim", arguments)))
}

#[track_caller]
fn assert_counts(builder: impl Fn() -> ToolboxBuilder, expected: [(&str, bool, usize, usize); 6]) {
    for (arguments, is_ok, parses, checks) in expected {
        // Each call gets a new session, so that nothing repeats.
        let (outcome, parsed, checked) = counts(&session(builder()), arguments);
        assert_eq!((outcome.is_ok(), parsed, checked), (is_ok, parses, checks), "{arguments}: {}", outcome.to_text());
    }
}

/// The counts of checks: for the arguments as sent, and after repair.
const PLAIN: [(&str, bool, usize, usize); 6] = [
    (GOOD, true, 0, 0),
    (REPAIRED, true, 1, 2),
    (BROKEN, true, 1, 1),
    (REJECTED, false, 1, 1),
    (HALF_REPAIRED, false, 1, 2),
    (CUT_OFF, false, 1, 0),
];

#[test]
fn a_call_is_parsed_once_and_each_tree_is_checked_once() {
    assert_counts(|| Toolbox::builder().feedback(FeedbackForm::Json), PLAIN);
    assert_counts(|| Toolbox::builder().feedback(FeedbackForm::Json).no_throttle(), PLAIN);
}

#[test]
fn writing_a_rejection_in_another_form_needs_no_further_parse() {
    for form in [FeedbackForm::Sentences, FeedbackForm::Markdown] {
        for (arguments, is_ok, parses, _) in PLAIN {
            let (outcome, parsed, _) = counts(&session(Toolbox::builder().feedback(form)), arguments);
            assert_eq!((outcome.is_ok(), parsed), (is_ok, parses), "{arguments}");
        }
    }
}

#[test]
fn a_hook_costs_one_parse_of_the_arguments() {
    // Arrays are only valid for lists, which serde does not know: if there is an array, the tree is checked.
    let asked = [
        (GOOD, true, 1, 1),
        (REPAIRED, true, 1, 2),
        (BROKEN, true, 1, 1),
        (REJECTED, false, 1, 1),
        (HALF_REPAIRED, false, 1, 2),
        (CUT_OFF, false, 1, 0),
    ];
    assert_counts(
        || Toolbox::builder().feedback(FeedbackForm::Json).before_call(|_: &ProposedCall<'_>| Verdict::Run),
        asked,
    );
}

#[test]
fn valid_calls_of_a_batch_need_no_parse_and_no_check() {
    let calls = [("call_1", "dim", GOOD), ("call_2", "dim", r#"{"lights": ["attic"], "level": 7}"#)];
    let session = session(Toolbox::builder().feedback(FeedbackForm::Json).no_throttle());
    let (batch, parses, checks) = parses_and_checks(|| pollster::block_on(session.call_batch(calls)));
    assert!(batch.outcomes().iter().all(Outcome::is_ok));
    assert_eq!((parses, checks), (0, 0));
}

/// Dims lights for a provider that has no optional arguments.
#[tool]
fn dim_strictly(
    /// Which lights.
    #[tool(length(min = 1))]
    lights: Vec<String>,
    /// How bright, in percent.
    #[tool(default = 50, range(max = 100))]
    level: u8,
) -> String {
    format!("{} at {level} %", lights.join(", "))
}

/// The text that was sent is parsed once, and so is the text that the tool gets, if it is rejected.
#[test]
fn a_call_in_the_form_of_a_provider_is_parsed_into_one_more_tree() {
    let openai = Dialect::OPENAI_STRICT;
    let toolbox = Toolbox::builder()
        .feedback(FeedbackForm::Json)
        .for_provider(openai)
        .tool(DimStrictlyTool)
        .build()
        .expect("one tool");
    for (arguments, is_ok, parses, checks) in [
        (r#"{"lights": ["hall"], "level": null}"#, true, 1, 0),
        (r#"{'lights': ["hall"], 'level': 40,}"#, true, 1, 0),
        (r#"{"lights": ["hall"], "level": "40"}"#, true, 2, 2),
        (r#"{"lights": [], "level": 140}"#, false, 2, 1),
        (r#"{"lights": [], "level": "40"}"#, false, 2, 2),
        (r#"{"lights": ["hall"], "lev"#, false, 1, 0),
    ] {
        let session = toolbox.session();
        drop(session.definitions());
        let call = || pollster::block_on(session.call("call_1", "dim_strictly", arguments));
        let (outcome, parsed, checked) = parses_and_checks(call);
        assert_eq!((outcome.is_ok(), parsed, checked), (is_ok, parses, checks), "{arguments}: {}", outcome.to_text());
    }
}

/// Dims lights on a thread of its own.
#[tool(blocking)]
fn dim_slowly(
    /// How bright, in percent.
    #[tool(range(max = 100))]
    level: u8,
) -> u8 {
    level
}

/// Dims lights, several times if need be.
#[tool(idempotent, retry(attempts = 3))]
fn dim_surely(
    /// How bright, in percent.
    #[tool(range(max = 100))]
    level: u8,
) -> u8 {
    level
}

#[test]
fn blocking_tools_and_retries_do_not_parse_the_arguments_again() {
    let builder = Toolbox::builder()
        .feedback(FeedbackForm::Json)
        .clock(SimulatedClock::new())
        .blocking_spawner(|work| work())
        .tool(DimSlowlyTool);
    let toolbox = builder.tool(DimSurelyTool).build().expect("two tools");
    for tool in ["dim_slowly", "dim_surely"] {
        for (arguments, is_ok, parses, checks) in
            [(r#"{"level": 40}"#, true, 0, 0), (r#"{"level": "40"}"#, true, 1, 2), (r#"{"level": 140}"#, false, 1, 1)]
        {
            let (outcome, parsed, checked) =
                parses_and_checks(|| pollster::block_on(toolbox.session().call("call_1", tool, arguments)));
            assert_eq!((outcome.is_ok(), parsed, checked), (is_ok, parses, checks), "{tool} {arguments}");
        }
    }
}

/// The throttle compares the final arguments of calls in a batch, so calls of the same tool are decoded before any of them runs.
#[test]
fn calls_of_one_tool_in_a_batch_are_parsed_once_and_each_tree_is_checked_once() {
    let other = r#"{"lights": ["attic"], "level": 7}"#;
    for (arguments, is_ok, parses, checks) in PLAIN {
        let calls = [("call_1", "dim", other), ("call_2", "dim", arguments)];
        let session = session(Toolbox::builder().feedback(FeedbackForm::Json));
        let (batch, parsed, checked) = parses_and_checks(|| pollster::block_on(session.call_batch(calls)));
        let second = &batch.outcomes()[1];
        // A valid call is parsed for the comparison, but needs no check.
        let expected = (is_ok, 1 + parses.max(1), checks);
        assert_eq!((second.is_ok(), parsed, checked), expected, "{arguments}: {}", second.to_text());
    }
}

#[test]
fn a_call_that_is_compared_with_a_paused_one_is_parsed_once() {
    for (arguments, is_ok, parses, checks) in PLAIN {
        let session = session(Toolbox::builder().feedback(FeedbackForm::Json).clock(SimulatedClock::new()));
        let same = || pollster::block_on(session.call("call_1", "dim", r#"{"lights": ["attic"], "level": 7}"#));
        let rejected = (0..10).map(|_| same()).filter(|outcome| !outcome.is_ok()).count();
        assert!(rejected > 0, "the same call is paused by now");
        let (outcome, parsed, checked) = counts(&session, arguments);
        let expected = (is_ok, parses.max(1), checks);
        assert_eq!((outcome.is_ok(), parsed, checked), expected, "{arguments}: {}", outcome.to_text());
    }
}

thread_local! {
    static NOTED: Cell<usize> = const { Cell::new(0) };
}

/// Counts the uses of the typed value, which is used once for each decode.
#[expect(clippy::unnecessary_wraps, clippy::trivially_copy_pass_by_ref, reason = "the form of a rule")]
fn noted(_: &u8) -> Result<(), CustomRuleError> {
    NOTED.set(NOTED.get() + 1);
    Ok(())
}

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(custom = noted, example = 3)]
    seconds: u8,
) {
    let _ = seconds;
}

#[test]
fn a_call_with_a_hook_is_decoded_once() {
    let decodes = |builder: ToolboxBuilder| {
        let session = builder.tool(WaitTool).build().expect("the toolbox is valid").session();
        let before = NOTED.get();
        assert!(pollster::block_on(session.call("call_1", "wait", r#"{"seconds": 3}"#)).is_ok());
        NOTED.get() - before
    };
    assert_eq!(decodes(Toolbox::builder().feedback(FeedbackForm::Json)), 1);
    assert_eq!(
        decodes(Toolbox::builder().feedback(FeedbackForm::Json).before_call(|_: &ProposedCall<'_>| Verdict::Run)),
        1
    );
}

#[test]
fn a_call_that_is_compared_with_other_calls_is_decoded_once() {
    let session = Toolbox::builder()
        .feedback(FeedbackForm::Json)
        .clock(SimulatedClock::new())
        .tool(WaitTool)
        .build()
        .expect("the toolbox is valid")
        .session();
    let before = NOTED.get();
    let calls = [("call_1", "wait", r#"{"seconds": 3}"#), ("call_2", "wait", r#"{"seconds": 4}"#)];
    assert!(pollster::block_on(session.call_batch(calls)).outcomes().iter().all(Outcome::is_ok));
    assert_eq!(NOTED.get() - before, 2);

    let call = |arguments: &str| pollster::block_on(session.call("call_3", "wait", arguments));
    let ran = (0..10).filter(|_| call(r#"{"seconds": 5}"#).is_ok()).count();
    assert!(ran < 10, "the same call is paused by now");
    let before = NOTED.get();
    assert!(call(r#"{"seconds": 6}"#).is_ok());
    assert_eq!(NOTED.get() - before, 1);
}

/// Waits for twice as long as it is told to.
struct Twice;

impl Tool for Twice {
    fn spec(&self) -> &ToolSpec {
        WaitTool.spec()
    }

    fn call<'a>(&'a self, _: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        WaitTool.call(r#"{"seconds": 300}"#.into(), cx)
    }
}

#[test]
fn a_call_inside_a_tool_does_not_reuse_decoded_arguments() {
    let session = |builder: ToolboxBuilder| builder.tool(Twice).build().expect("the toolbox is valid").session();
    for session in [
        session(Toolbox::builder().feedback(FeedbackForm::Json)),
        session(Toolbox::builder().feedback(FeedbackForm::Json).before_call(|_: &ProposedCall<'_>| Verdict::Run)),
    ] {
        let outcome = pollster::block_on(session.call("call_1", "wait", r#"{"seconds": 3}"#));
        assert!(!outcome.is_ok(), "300 is not a `u8`, whatever was decoded before");
    }
}
