//! Rules: when they run, which of several applies, and custom rules.

use tests::private::FieldInit;
use tests::private::json::as_number;
use tool_runtime::CustomRuleError;
use tool_schema::json::Number;
use tool_schema::shape::{
    Custom, Kind, Length, Measure, Pattern, PatternMatcher, Range, Ref, Rule, SharedSlice, StringFormat, UnknownKeys,
};

use crate::check::{INTEGER, NUMBER, STRING, field, nullable, object, optional, range, ruled, shape, table};

fn length(measure: Measure, min: u64, max: Option<u64>) -> Rule {
    Rule::Length(Length { measure, min, max })
}

fn with_rules(field: FieldInit, rules: Vec<Rule>) -> FieldInit {
    FieldInit { rules: Box::leak(rules.into()), ..field }
}

#[test]
fn a_number_outside_its_range_is_an_issue() {
    let between =
        Range { exclusive_min: Some(Number::Integer(0)), exclusive_max: Some(Number::Float(1.5)), ..Range::UNBOUNDED };
    table(
        ruled(NUMBER.kind.clone(), vec![Rule::Range(between), Rule::MultipleOf(Number::Float(0.1))]),
        &[
            ("0.3", ""),
            ("0", "the arguments must be above 0"),
            ("1.5", "the arguments must be below 1.5"),
            ("0.25", "the arguments must be a multiple of 0.1"),
            ("2.25", "the arguments must be below 1.5; the arguments must be a multiple of 0.1"),
            ("\"2\"", "the arguments must be a number"),
        ],
    );
}

#[test]
fn the_tightest_of_several_bounds_is_reported() {
    let inner = ruled(Kind::Integer, vec![range(0, 255)]);
    let alias = ruled(Kind::Alias(Ref::Static(inner)), vec![range(-5, 100)]);
    let shape = object(&[with_rules(field("n", nullable(alias)), vec![range(1, 200)])], UnknownKeys::Rejected);
    table(
        shape,
        &[
            ("{\"n\": null}", ""),
            ("{\"n\": 1}", ""),
            ("{\"n\": 300}", "n must be at most 100"),
            ("{\"n\": -9}", "n must be at least 1"),
        ],
    );
}

#[test]
fn a_string_that_breaks_a_rule_is_an_issue() {
    let vowel = Pattern {
        source: "[aeiou]".into(),
        matcher: PatternMatcher::Static(|text| text.contains(['a', 'e', 'i', 'o', 'u'])),
        sample: "a".into(),
    };
    let rules = vec![length(Measure::Characters, 2, Some(3)), Rule::Pattern(vowel), length(Measure::Items, 9, None)];
    table(
        ruled(Kind::String, rules),
        &[
            ("\"äöa\"", ""),
            ("\"a\"", "the arguments must have at least 2 characters"),
            ("\"äöüx\"", "the arguments must have at most 3 characters; the arguments must match the pattern [aeiou]"),
        ],
    );
    table(
        ruled(Kind::String, vec![Rule::Format(StringFormat::Date)]),
        &[("\"2024-02-29\"", ""), ("\"2025-02-29\"", "the arguments must be a date (YYYY-MM-DD)")],
    );
}

#[test]
fn an_array_or_map_that_breaks_a_rule_is_an_issue() {
    let inner = Rule::Inner(SharedSlice::from(vec![range(1, 9)]));
    table(
        ruled(
            Kind::Array(Ref::Static(INTEGER)),
            vec![length(Measure::Items, 1, Some(3)), Rule::UniqueItems, inner.clone()],
        ),
        &[
            ("[1, 2]", ""),
            ("[]", "the arguments must have at least 1 item"),
            (
                "[1, 0, 1, 2]",
                "[1] must be at least 1; the arguments must have at most 3 items; the arguments must have unique items, but [2] repeats [0]",
            ),
        ],
    );
    let map = Kind::Map { keys: Ref::Static(STRING), values: Ref::Static(INTEGER) };
    table(
        ruled(map, vec![length(Measure::Properties, 0, Some(1)), inner]),
        &[
            ("{\"a\": 1}", ""),
            ("{\"a\": 10, \"b\": 1}", "a must be at most 9; the arguments must have at most 1 property"),
        ],
    );
}

#[test]
fn a_custom_rule_runs_on_valid_values() {
    let even = Rule::Custom(Custom {
        check: |json| match as_number(json).and_then(|number| number.to_i128().ok()) {
            Some(number) if number % 2 == 1 => {
                Err(CustomRuleError::new("must be even").with_code("ODD").with_expected("even number"))
            }
            _ => Ok(()),
        },
    });
    let named = Rule::Custom(Custom { check: |json| if json.is_null() { Err("must be said".into()) } else { Ok(()) } });
    let shape = object(
        &[
            with_rules(field("n", shape(Kind::Integer)), vec![even, range(0, 10)]),
            with_rules(optional("name", nullable(STRING)), vec![named.clone()]),
            with_rules(FieldInit { default: Some("\"x\""), ..optional("alias", STRING) }, vec![named]),
        ],
        UnknownKeys::Rejected,
    );
    table(
        shape,
        &[
            ("{\"n\": 2, \"name\": \"x\"}", ""),
            ("{\"n\": 3, \"name\": \"x\"}", "n must be even"),
            ("{\"n\": 13, \"name\": \"x\"}", "n must be at most 10"),
            ("{\"n\": \"x\", \"name\": null}", "n must be an integer; name must be said"),
            ("{\"n\": 2}", "name must be said"),
        ],
    );
    let issue = crate::check::issues(shape, "{\"n\": 3, \"name\": \"x\"}").remove(0);
    assert_eq!((issue.constraint.code(), issue.expected.to_string().as_str()), ("ODD", "even number"));
}
