//! Repeated calls, invented names, and failures that need another plan instead of a correction.

use tests::obedient::stubborn;
use tool_chat::conversation::{Conversation, TurnEnd, TurnLimit, TurnLimits};
use tool_chat::model::ScriptedModel;
use tool_runtime::Issue;
use tool_runtime::{Session, ToolError, Toolbox, tool};

use super::tools::{session, throttled};

const PARIS: &str = r#"{"location": "Paris"}"#;

/// Runs a turn in which the script makes these calls.
fn attempts<'a>(session: Session, calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> TurnEnd {
    let model = calls.into_iter().fold(ScriptedModel::new(), |model, (name, arguments)| model.call(name, arguments));
    pollster::block_on(Conversation::new(session, model.text("Sun.")).ask("Paris?"))
}

fn exhausted(end: &TurnEnd) -> (&str, usize, Vec<String>) {
    match end {
        TurnEnd::Exhausted { tool, attempts, issues } => (tool, *attempts, issues.iter().map(Issue::message).collect()),
        end => panic!("{end:?}"),
    }
}

#[test]
fn a_turn_of_repeated_valid_calls_ends_after_repeated_rejections() {
    let mut conversation = Conversation::new(throttled(), stubborn("get_weather", PARIS));
    let end = pollster::block_on(conversation.ask("Paris?"));
    assert_eq!(exhausted(&end), ("get_weather", 4, vec![]));
    let results: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
    assert_eq!(results, [true, true, true, false, false, false, false]);
}

#[test]
fn without_a_throttle_repeated_calls_end_at_the_limit_of_steps() {
    let end = pollster::block_on(Conversation::new(session(), stubborn("get_weather", PARIS)).ask("Paris?"));
    assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Steps(25) }), "{end:?}");
}

/// Stations of an observatory.
#[tool]
fn stations(
    /// The way in which the tool fails.
    how: String,
) -> Result<String, ToolError> {
    Err(match how.as_str() {
        "rejected" => ToolError::new("there are no stations there"),
        "unavailable" => ToolError::unavailable("the service is down"),
        "rate_limited" => ToolError::rate_limited("too many requests"),
        "timeout" => ToolError::timeout("no answer"),
        _ => panic!("a mistake of the tool's author"),
    })
}

const PLANS: [(&str, &str); 5] = [
    ("rejected", "tool_error"),
    ("unavailable", "unavailable"),
    ("rate_limited", "rate_limited"),
    ("timeout", "timeout"),
    ("panic", "internal_error"),
];

fn stationed(builder: tool_runtime::toolbox::ToolboxBuilder) -> Session {
    builder.tool(StationsTool).build().expect("the toolbox is valid").session()
}

#[test]
fn a_failure_that_needs_another_plan_does_not_count_as_a_correction() {
    for (how, error_type) in PLANS {
        let arguments = format!(r#"{{"how": "{how}"}}"#);
        let model = (0..6).fold(ScriptedModel::new(), |model, _| model.call("stations", &arguments)).text("None.");
        let mut conversation = Conversation::new(stationed(Toolbox::builder().no_throttle()), model);
        assert_eq!(pollster::block_on(conversation.ask("Which?")).text(), Some("None."), "{how}");
        let told = conversation.transcript().calls().filter_map(|call| call.outcome.failure());
        assert_eq!(told.map(tool_runtime::Failure::error_type).collect::<Vec<_>>(), [error_type; 6]);
    }
}

#[test]
fn repeating_a_call_that_needs_another_plan_exhausts_the_turn_even_during_a_pause() {
    for (how, _) in PLANS {
        let model = stubborn("stations", &format!(r#"{{"how": "{how}"}}"#));
        let mut conversation = Conversation::new(stationed(Toolbox::builder()), model);
        let end = pollster::block_on(conversation.ask("Which?"));
        assert_eq!(exhausted(&end), ("stations", 4, vec![]), "{how}");
        assert_eq!(conversation.transcript().calls().count(), 7, "{how}");
    }
}

#[test]
fn with_a_throttle_repeating_a_rejected_call_uses_up_its_corrections() {
    let calls = [("get_weather", "{}"), ("get_weather", "{}"), ("get_weather", "{}"), ("get_weather", PARIS)];
    assert_eq!(attempts(session(), calls).text(), Some("Sun."));
    // The pause of the tool does not stop the corrected call.
    assert_eq!(attempts(throttled(), calls).text(), Some("Sun."));
    for session in [session(), throttled()] {
        let end = attempts(session, [calls[0], calls[1], calls[2], calls[0], calls[3]]);
        assert_eq!(exhausted(&end), ("get_weather", 4, vec!["location is required".to_owned()]));
    }
}

#[test]
fn changed_attempts_get_all_their_corrections() {
    let calls = ["{}", r#"{"days": 30}"#, r#"{"location": "Paris", "days": 30}"#, PARIS];
    assert_eq!(attempts(throttled(), calls.map(|arguments| ("get_weather", arguments))).text(), Some("Sun."));
}

#[test]
fn a_success_resets_the_count_of_unknown_names() {
    let round = [("get_moon", "{}"), ("write", r#"{"text": "a"}"#), ("get_mars", "{}"), ("get_weather", PARIS)];
    assert_eq!(attempts(session(), [round, round, round].concat()).text(), Some("Sun."));
}

#[test]
fn an_ambiguous_name_counts_like_an_unknown_one() {
    let calls = [("get_moon", "{}"), ("write", "{}"), ("get_mars", "{}"), ("write", "{}")];
    assert_eq!(exhausted(&attempts(session(), calls)), ("write", 4, vec![]));
}

#[test]
fn invented_names_are_also_counted_if_the_throttle_rejects_them() {
    let mut limits = TurnLimits::default();
    limits.corrections = 10;
    let mut conversation = Conversation::new(throttled(), stubborn("get_moon", "{}")).limits(limits);
    let end = pollster::block_on(conversation.ask("Moon?"));
    assert_eq!(exhausted(&end), ("get_moon", 11, vec![]));
}
