//! Every example of `docs/wire.md`, byte for byte apart from white space.

mod budget;
mod texts;

use serde::Deserialize;
use serde_json::Value;

use self::texts::{CONTAINER, EXPANSION, HINT, REJECTION};
use super::{description_with_members, expansion_text};
use crate::ToolInput as _;
use crate::check::check;
use crate::failure::{Failure, FailureKind, Recovery, ThrottleRule, ToolError};
use crate::hint::RetryHint;
use crate::issue::{Issue, ValidationError, syntax_issue};
use crate::json::Json;

/// The arguments of the examples in `docs/wire.md`.
#[derive(Deserialize, tool_macros::ToolInput)]
#[tool(crate = crate)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Weather {
    /// City and country.
    #[tool(length(min = 1, max = 80), example = "Paris, France")]
    location: String,
    /// Unit of the temperatures.
    #[serde(default)]
    #[tool(default = "celsius")]
    unit: Unit,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
}

#[derive(Default, Deserialize, tool_macros::ToolInput)]
#[tool(crate = crate)]
#[serde(rename_all = "snake_case")]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

const MATH: [&str; 7] = ["add", "multiply", "abs", "square", "subtract", "min", "solve_quadratic"];

const THROTTLED: &str = r#"{"error_type": "throttled", "tool": "read_file", "rule": "consecutive_failures", "error_message": "Tool 'read_file' has failed 3 times in a row. It is paused to prevent thrashing.",
 "retry_guidance": "Do not repeat this call. Use another tool, or answer with what you have.", "retry_after_ms": 30000, "recovery": "replan"}"#;

/// Removes the white space from a block, keeping the order of keys and the spelling of values.
fn compact(block: &str) -> String {
    Json::parse(block).map_or_else(|error| format!("{error}: {block}"), |json| json.to_text())
}

fn issues(arguments: &str) -> Vec<Issue> {
    let json = Json::parse(arguments);
    json.map_or_else(|error| vec![syntax_issue(&error)], |json| check(Weather::SHAPE, &json))
}

fn rejection(arguments: &str) -> Failure {
    match ValidationError::new(issues(arguments)) {
        Some(error) => Failure::validation("get_weather", error),
        None => panic!("{arguments} is acceptable"),
    }
}

#[test]
fn a_rejected_call_has_the_documented_text() {
    let failure = rejection(r#"{"days": 30, "unit": "celcius"}"#);
    assert_eq!(failure.to_json(), compact(&REJECTION.replace("HINT", HINT)));
}

#[test]
fn the_retry_hint_has_the_documented_text() {
    let hint = RetryHint::from_issues("get_weather", &issues(r#"{"days": 30, "unit": "celcius"}"#));
    assert_eq!(hint.to_json(), compact(HINT));
}

#[test]
fn a_container_called_with_arguments_has_the_documented_text() -> Result<(), Box<dyn std::error::Error>> {
    let attempted = Json::parse(r#"{"function": "add", "a": 5, "b": 10}"#)?;
    assert_eq!(Failure::container_called_with_arguments("Math", &attempted, MATH).to_json(), compact(CONTAINER));
    let unknown = Failure::container_called_with_arguments("Math", &attempted, []).to_value();
    assert!(unknown["retry_guidance"].as_str().is_some_and(|text| text.ends_with("the individual function you need.")));
    Ok(())
}

#[test]
fn an_expansion_has_the_documented_text() {
    assert_eq!(expansion_text("Math", MATH, None), compact(EXPANSION));
    assert_eq!(
        description_with_members("Arithmetic on numbers.", MATH),
        "Arithmetic on numbers. Contains 7 functions: add, multiply, abs, square, subtract, min, solve_quadratic"
    );
    let twelve = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    assert_eq!(
        description_with_members("", twelve),
        "Contains 12 functions: a, b, c, d, e, f, g, h, i, j, … and 2 more"
    );
}

#[test]
fn a_throttled_call_has_the_documented_text() {
    let message = "Tool 'read_file' has failed 3 times in a row. It is paused to prevent thrashing.";
    let pause = Some(std::time::Duration::from_secs(30));
    let failure = Failure::throttled("read_file", ThrottleRule::ConsecutiveFailures, message, pause);
    assert_eq!(failure.to_json(), compact(THROTTLED));
}

#[test]
fn renames_and_removals_are_entries_of_their_own() {
    let hint = RetryHint::from_issues("get_weather", &issues(r#"{"locations": "Paris", "colour": 3}"#)).to_json();
    let entries = r#""constraints":[{"field":"locations","rename_to":"location"},{"field":"colour","remove":true}]}"#;
    assert!(hint.ends_with(entries), "{hint}");
    let rejection = rejection(r#"{"locations": "Paris", "colour": 3}"#).to_value();
    assert_eq!(
        rejection["retry_guidance"],
        "Call get_weather again with location in place of locations and without colour. Keep the other arguments as they were."
    );
}

#[test]
fn invalid_json_is_requested_again() {
    let rejection = rejection(r#"{"days": 3,"#).to_value();
    assert_eq!(rejection["error_type"], "invalid_json");
    assert_eq!(rejection["errors"][0]["error_code"], "INVALID_JSON");
    assert_eq!(rejection["retry_guidance"], "Call get_weather again with one complete JSON object as its arguments.");
    assert_eq!(rejection["retry_hint"]["reason"], "invalid_arguments");
}

#[test]
fn arguments_that_are_not_an_object_are_requested_again() {
    let rejection = rejection("[1]").to_value();
    assert_eq!(
        (&rejection["errors"][0]["property"], &rejection["errors"][0]["attempted_value"][0]),
        (&"$".into(), &1.into())
    );
    assert_eq!(rejection["retry_guidance"], "Call get_weather again with one complete JSON object as its arguments.");
}

#[test]
fn a_long_value_is_quoted_from_its_beginning() {
    let long = format!("{}\\u0007\\n", "é\\\"".repeat(200));
    let rejection = rejection(&format!(r#"{{"location": "x", "unit": "{long}"}}"#)).to_value();
    let attempted = rejection["errors"][0]["attempted_value"].as_str().unwrap_or_default();
    assert!(attempted.starts_with("é\"é\"é") && attempted.ends_with('…') && attempted.len() <= 200, "{attempted}");
}

#[test]
fn a_tool_that_asks_for_other_arguments_names_the_field() {
    let error = ToolError::retry("Only 6 seats are left.").field("party.seats");
    assert_eq!(
        Failure::tool_error("book", &error).to_json(),
        compact(
            r#"{"error_type": "tool_error", "tool": "book", "error_message": "Only 6 seats are left.",
            "errors": [{"property": "party.seats", "attempted_value": null, "error_message": "party.seats was rejected: Only 6 seats are left.",
              "error_code": "CUSTOM", "constraint": "custom", "expected": "another value"}],
            "retry_guidance": "Call book again with party.seats corrected. Keep the other arguments as they were.",
            "recovery": "correct_call",
            "retry_hint": {"reason": "invalid_arguments", "tool": "book", "constraints": [{"field": "party.seats", "expected": "another value"}]}}"#
        )
    );
}

#[test]
fn an_unknown_tool_is_answered_with_names() {
    let many: Vec<String> = (0..14).map(|index| format!("tool_{index}")).collect();
    let failure = Failure::unknown_tool("get\0wether", ["get_weather"], many.iter().map(String::as_str));
    let answer = failure.to_value();
    assert_eq!((answer["tool"].as_str(), answer["omitted"].as_u64()), (Some("get\\u0000wether"), Some(4)));
    assert_eq!(answer["available_tools"].as_array().map(Vec::len), Some(10));
    assert_eq!(answer["did_you_mean"], serde_json::json!(["get_weather"]));
}

/// The table of `docs/wire.md`: the result of each constructor.
#[test]
fn every_failure_matches_the_table_of_failures() {
    use FailureKind as Kind;
    use Recovery::{CorrectCall, Finish, Replan};

    let throttled = |rule| Failure::throttled("t", rule, "Too often.", None);
    let tool_error = |error: ToolError| Failure::tool_error("t", &error);
    let table = [
        (rejection("{}"), "validation_error", Kind::InvalidCall, CorrectCall, Some("missing_fields")),
        (
            rejection(r#"{"location": 3}"#),
            "validation_error",
            Kind::InvalidCall,
            CorrectCall,
            Some("invalid_arguments"),
        ),
        (rejection("{"), "invalid_json", Kind::InvalidCall, CorrectCall, Some("invalid_arguments")),
        (
            Failure::container_called_with_arguments("t", &Json::from_node(crate::json::Node::Null), []),
            "container_invocation_error",
            Kind::InvalidCall,
            CorrectCall,
            None,
        ),
        (Failure::container_not_expanded("t", "c"), "container_not_expanded", Kind::InvalidCall, CorrectCall, None),
        (Failure::ambiguous_tool("t", ["a__t", "b__t"]), "ambiguous_tool", Kind::InvalidCall, CorrectCall, None),
        (Failure::unknown_tool("t", [], []), "unknown_tool", Kind::InvalidCall, Replan, Some("tool_unavailable")),
        (tool_error("no".into()), "tool_error", Kind::DomainRejection, Replan, None),
        (
            tool_error(ToolError::retry("no")),
            "tool_error",
            Kind::DomainRejection,
            CorrectCall,
            Some("invalid_arguments"),
        ),
        (Failure::denied("t", "No."), "denied", Kind::DomainRejection, Replan, None),
        (Failure::host_input("t", "file is required"), "host_input", Kind::HostInput, Replan, None),
        (Failure::deferred("t"), "deferred", Kind::Deferred, Replan, None),
        (Failure::unavailable("t", None), "unavailable", Kind::Unavailable, Replan, Some("tool_unavailable")),
        (tool_error(ToolError::unavailable("no")), "unavailable", Kind::Unavailable, Replan, Some("tool_unavailable")),
        (Failure::rate_limited("t", None), "rate_limited", Kind::RateLimited, Replan, Some("rate_limited")),
        (Failure::timeout("t", None), "timeout", Kind::Timeout, Replan, Some("timeout")),
        (throttled(ThrottleRule::SameError), "throttled", Kind::Throttled, Replan, Some("throttled")),
        (throttled(ThrottleRule::RunBudget), "throttled", Kind::Throttled, Finish, Some("throttled")),
        (
            Failure::malformed_response("t", ""),
            "malformed_response",
            Kind::MalformedResult,
            Replan,
            Some("malformed_response"),
        ),
        (Failure::effect_unknown("t", ["u"]), "effect_unknown", Kind::EffectUnknown, Replan, None),
        (Failure::internal("t", ""), "internal_error", Kind::Internal, Replan, None),
        (Failure::cancelled("t"), "cancelled", Kind::Cancelled, Finish, None),
    ];
    for (failure, error_type, kind, recovery, reason) in table {
        let found = (failure.error_type(), failure.kind(), failure.recovery());
        assert_eq!(found, (error_type, kind, recovery));
        assert_eq!(failure.hint_reason().map(crate::hint::Reason::as_str), reason, "{error_type}");
        let Value::Object(answer) = failure.to_value() else { panic!("{}", failure.to_json()) };
        assert_eq!((&answer["error_type"], &answer["recovery"]), (&error_type.into(), &recovery.as_str().into()));
        let has_hint = answer.contains_key("retry_hint");
        assert_eq!(has_hint, !failure.issues().is_empty() && reason.is_some(), "{error_type}");

        let stored = serde_json::to_string(&failure).expect("a failure is JSON");
        let again: Failure = serde_json::from_str(&stored).unwrap_or_else(|error| panic!("{error}: {stored}"));
        assert_eq!(again.to_text(), failure.to_text(), "a failure that is read back has the same text");
        assert_eq!((again.error_type(), again.kind(), again.recovery()), found);
        assert_eq!((again.tool_name(), again.retry_after()), (failure.tool_name(), failure.retry_after()));
        assert_eq!((again.throttle_rule(), again.is_deferred()), (failure.throttle_rule(), failure.is_deferred()));
        let texts = |failure: &Failure| failure.issues().iter().map(Issue::message).collect::<Vec<_>>();
        assert_eq!(texts(&again), texts(&failure));
        assert_eq!(again.observer_details(), None, "details are not stored");
    }
}
