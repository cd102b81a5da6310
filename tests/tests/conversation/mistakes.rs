//! Mistakes of models: each mistake of `docs/wire.md`, made once and then corrected, or never corrected.
//!
//! These are the rows with the recovery `correct_call`, and `unknown_tool`. Rows with a different recovery have no correction; see
//! `repeated`.

use tests::obedient::{obedient, stubborn};
use tool_chat::conversation::{Conversation, TurnEnd};
use tool_chat::transcript::Call;
use tool_runtime::Issue;
use tool_runtime::Session;

use super::tools::{session, throttled};

/// A mistake with its `error_type`.
const MISTAKES: [(&str, &str, &str); 12] = [
    ("validation_error", "get_weather", r#"{"days": 30}"#),
    ("validation_error", "get_weather", r#"{"location": "Paris, France", "days": 3, "colour": "red"}"#),
    ("invalid_json", "get_weather", r#"{"location": Paris or London?, "days": }"#),
    ("invalid_json", "get_weather", r#"{"location": "Oslo, Nor"#),
    ("validation_error", "get_weather", r#"{"location": ["Rome"], "days": 4}"#),
    ("container_not_expanded", "add", r#"{"a": 1, "b": 2}"#),
    ("container_invocation_error", "Math", r#"{"function": "add", "a": 5, "b": 10}"#),
    ("container_not_expanded", "Notes__write", r#"{"text": "milk"}"#),
    ("container_not_expanded", "Files__write", r#"{"text": "eggs"}"#),
    ("ambiguous_tool", "write", r#"{"text": "bread"}"#),
    ("unknown_tool", "get_wether_now", r#"{"location": "Oslo, Norway"}"#),
    ("tool_error", "book_table", r#"{"guests": 12}"#),
];

fn error_type(call: &Call) -> Option<&'static str> {
    call.outcome.failure().map(tool_runtime::Failure::error_type)
}

#[test]
fn each_mistake_is_corrected_after_the_hint() {
    let model = obedient(MISTAKES.map(|(_, name, arguments)| (name, arguments)));
    let mut conversation = Conversation::new(session(), model);
    let mut limits = tool_chat::conversation::TurnLimits::default();
    limits.steps = Some(60);
    conversation = conversation.limits(limits);
    let end = pollster::block_on(conversation.ask("Do all of it."));
    let transcript = conversation.into_transcript();
    let told: Vec<_> = transcript.calls().map(|call| (error_type(call), &call.name, &call.arguments)).collect();
    assert!(matches!(&end, TurnEnd::Answered { text, .. } if text == "Done."), "{end:?}: {told:#?}");
    for (expected, name, arguments) in MISTAKES {
        let mut calls = transcript.calls().skip_while(|call| (&*call.name, &*call.arguments) != (name, arguments));
        assert_eq!(calls.next().and_then(error_type), Some(expected), "{name} {arguments}: {told:#?}");
    }
    let results: Vec<_> = transcript.calls().filter_map(|call| call.outcome.payload()).collect();
    let results: Vec<_> =
        results.iter().map(|payload| payload.as_str()).filter(|text| !text.contains("expanded")).collect();
    assert_eq!(results.len(), MISTAKES.len(), "{results:#?}");
}

/// Returns the end of a turn in which a mistake is never corrected: the tool, the number of rejections, and the last issues.
fn never(session: Session, name: &str, arguments: &str) -> (String, usize, Vec<Issue>) {
    let mut conversation = Conversation::new(session, stubborn(name, arguments));
    match pollster::block_on(conversation.ask("Do it.")) {
        TurnEnd::Exhausted { tool, attempts, issues } => (tool, attempts, issues),
        end => panic!("{name} {arguments} ended differently: {end:?}"),
    }
}

#[test]
fn a_mistake_that_is_never_corrected_exhausts_the_turn() {
    for (kind, name, arguments) in MISTAKES {
        // A pause by the throttle does not hide the rejections.
        for session in [session(), throttled()] {
            let (tool, attempts, issues) = never(session, name, arguments);
            assert_eq!((&*tool, attempts), (name, 4), "{kind}");
            let is_about_arguments = matches!(kind, "validation_error" | "invalid_json" | "tool_error");
            assert_eq!(issues.is_empty(), !is_about_arguments, "{kind}: {issues:?}");
        }
    }
}

#[test]
fn an_exhausted_turn_reports_the_issues_of_the_last_attempt() {
    let (_, _, issues) = never(session(), "get_weather", r#"{"days": 30}"#);
    let told: Vec<_> = issues.iter().map(Issue::message).collect();
    assert_eq!(told, ["location is required", "days must be at most 14"]);
}
