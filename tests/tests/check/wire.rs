//! The example call of `docs/wire.md` word for word, and the words for expectations.

use tests::private::{FieldInit, ShapeInit, VariantInit, object, union};
use tool_runtime::ValidationError;
use tool_schema::issue::Expected;
use tool_schema::json::Number;
use tool_schema::shape::{
    Field, Kind, Length, Measure, Range, Ref, Rule, Shape, SharedSlice, StringFormat, Tagging, UnknownKeys, Variant,
};

use crate::check::{INTEGER, NUMBER, STRING, issues};

const UNIT: &Shape = &ShapeInit { name: "Unit", ..ShapeInit::DEFAULT }.shape(union(
    Tagging::External,
    const {
        &[
            VariantInit { name: "celsius", ..VariantInit::DEFAULT }.variant(),
            VariantInit { name: "fahrenheit", ..VariantInit::DEFAULT }.variant(),
        ]
    },
    UnknownKeys::Ignored,
));

const U8: &Shape = &ShapeInit { rules: const { &[range(0, 255)] }, ..ShapeInit::DEFAULT }.shape(Kind::Integer);
const U64: &Shape =
    &ShapeInit { rules: const { &[range(0, u64::MAX as i128)] }, ..ShapeInit::DEFAULT }.shape(Kind::Integer);
const MAYBE_U8: &Shape = &Shape::new(Kind::Nullable(Ref::Static(U8)));

const fn range(min: i128, max: i128) -> Rule {
    Rule::Range(Range::inclusive(Number::Integer(min), Number::Integer(max)))
}

const CHARACTERS: Rule = Rule::Length(Length { measure: Measure::Characters, min: 1, max: Some(80) });
const DAYS: Rule = range(1, 14);

const WEATHER: &Shape = &Shape::new(object(
    const {
        &[
            FieldInit {
                name: "location",
                doc: "City and country.",
                shape: STRING,
                rules: const { &[CHARACTERS] },
                required: true,
                example: Some("\"Paris, France\""),
                ..FieldInit::DEFAULT
            }
            .field(),
            FieldInit { name: "unit", shape: UNIT, default: Some("\"celsius\""), ..FieldInit::DEFAULT }.field(),
            FieldInit { name: "days", shape: MAYBE_U8, rules: const { &[DAYS] }, ..FieldInit::DEFAULT }.field(),
        ]
    },
    UnknownKeys::Rejected,
));

#[test]
fn each_fault_of_a_call_is_reported_with_its_code_and_suggestion() {
    let issues = issues(WEATHER, r#"{"days": 30, "unit": "celcius"}"#);
    let told: Vec<_> = issues
        .iter()
        .map(|issue| {
            let suggestion = issue.suggestion.as_deref().unwrap_or_default();
            let got = issue.got.json.as_deref().unwrap_or("null");
            let (code, keyword) = (issue.constraint.code(), issue.constraint.keyword());
            format!("{}|{got}|{issue}|{code}|{keyword}|{}|{suggestion}", issue.path, issue.expected)
        })
        .collect();
    let unit = r#"one of "celsius", "fahrenheit""#;
    assert_eq!(
        told,
        [
            "location|null|location is required|REQUIRED_FIELD|required|string of 1 to 80 characters|".to_owned(),
            format!(r#"unit|"celcius"|unit must be {unit}|INVALID_ENUM_VALUE|enum|{unit}|celsius"#),
            "days|30|days must be at most 14|INVALID_RANGE|maximum|integer from 1 to 14|".to_owned(),
        ]
    );
    assert_eq!(&*issues[0].description, "City and country.");
    let error = ValidationError::new(issues).map(|error| error.to_string());
    let sentence = format!("3 issues: location is required; unit must be {unit}; days must be at most 14");
    assert_eq!(error, Some(sentence));
}

#[test]
fn only_the_tightest_bound_is_reported() {
    assert_eq!(issues(WEATHER, r#"{"location": "x", "days": 300}"#).len(), 1);
}

#[test]
fn an_unknown_field_is_reported_with_the_known_ones() {
    let issues = issues(WEATHER, r#"{"location": "x", "units": "celsius", "days": null, "Location": 1}"#);
    let told: Vec<_> = issues.iter().map(|issue| (issue.message(), issue.suggestion.as_deref())).collect();
    let known = "is not a known field (known: location, unit, days)";
    // `Location` cannot be renamed to an existing field.
    assert_eq!(told, [(format!("units {known}"), Some("unit")), (format!("Location {known}"), None)]);
}

/// Checks the words for a shape with the rules of its location.
#[track_caller]
fn words(kind: Kind, rules: Vec<Rule>, words: &str) {
    let mut expected = Expected::from_shape(Ref::Shared(Shape::new(kind).into()));
    expected.rules = rules.into();
    assert_eq!(expected.to_string(), words);
}

fn length(measure: Measure, min: u64, max: Option<u64>) -> Rule {
    Rule::Length(Length { measure, min, max })
}

#[test]
fn the_expectation_of_a_string_names_its_rules() {
    let characters = |min, max| vec![length(Measure::Characters, min, max)];
    words(Kind::String, vec![], "string");
    words(Kind::String, characters(1, Some(80)), "string of 1 to 80 characters");
    words(Kind::String, characters(1, None), "string of at least 1 character");
    words(Kind::String, characters(0, Some(1)), "string of at most 1 character");
    words(Kind::String, characters(3, Some(3)), "string of 3 characters");
    words(Kind::String, vec![Rule::Format(StringFormat::Date)], "date (YYYY-MM-DD)");
    words(UNIT.kind.clone(), vec![], r#"one of "celsius", "fahrenheit""#);
}

#[test]
fn the_expectation_of_a_number_names_its_rules() {
    let range = |range| vec![Rule::Range(range)];
    let (zero, one) = (Some(Number::Integer(0)), Some(Number::Integer(1)));
    words(NUMBER.kind.clone(), range(Range { exclusive_min: zero, ..Range::UNBOUNDED }), "number above 0");
    words(NUMBER.kind.clone(), range(Range { max: one, ..Range::UNBOUNDED }), "number up to 1");
    let half_open = Range { min: zero, exclusive_max: one, ..Range::UNBOUNDED };
    words(NUMBER.kind.clone(), range(half_open), "number from 0 and below 1");
    let multiple = Rule::MultipleOf(Number::Integer(5));
    words(INTEGER.kind.clone(), vec![DAYS, multiple], "integer from 1 to 14, a multiple of 5");
    words(Kind::Alias(Ref::Static(U8)), vec![], "integer from 0 to 255");
    words(Kind::Alias(Ref::Static(U64)), vec![], "integer from 0");
}

#[test]
fn the_words_for_an_expected_array_or_object_describe_its_items() {
    let array = |shape| Kind::Array(Ref::Static(shape));
    words(array(STRING), vec![], "array of strings");
    words(array(STRING), vec![length(Measure::Items, 1, Some(5))], "array of 1 to 5 strings");
    words(array(STRING), vec![length(Measure::Items, 1, Some(1)), Rule::UniqueItems], "array of 1 different string");
    let inner = Rule::Inner(SharedSlice::from(vec![CHARACTERS]));
    words(array(STRING), vec![inner], "array of strings, each a string of 1 to 80 characters");
    words(array(UNIT), vec![], r#"array of strings, each one of "celsius", "fahrenheit""#);
    words(array(WEATHER), vec![], "array of objects, each an object with location");
    let pair = vec![Ref::Static(STRING), Ref::Static(U8)];
    words(Kind::Tuple(pair.into()), vec![], "array of 2 items (string, integer from 0 to 255)");
    let map = Kind::Map { keys: Ref::Static(STRING), values: Ref::Static(INTEGER) };
    words(map, vec![length(Measure::Properties, 1, None)], "object of at least 1 property with integers as values");
    words(WEATHER.kind.clone(), vec![], "object with location");
    words(object(&[], UnknownKeys::Rejected), vec![], "empty object");
}

fn variants() -> Vec<Variant> {
    let variant = |name, payload| VariantInit { name, payload, ..VariantInit::DEFAULT }.variant();
    vec![variant("none", None), variant("city", Some(STRING)), variant("place", Some(WEATHER))]
}

#[test]
fn the_expectation_of_a_union_names_its_variants() {
    let union = |tagging| match union(tagging, &[], UnknownKeys::Ignored) {
        Kind::Union(mut union) => {
            union.variants = variants().into();
            Kind::Union(union)
        }
        other => other,
    };
    words(union(Tagging::External), vec![], r#""none" or an object with exactly one of the keys "city", "place""#);
    let tag = || "type".into();
    words(union(Tagging::Internal { tag: tag() }), vec![], r#"object with type one of "none", "city", "place""#);
    let adjacent = Tagging::Adjacent { tag: tag(), content: "value".into() };
    words(union(adjacent), vec![], r#"object with type one of "none", "city", "place" and its value"#);
    words(union(Tagging::Untagged), vec![], "one of: null; string; object with location");
}

#[test]
fn the_expectation_of_a_large_union_is_bounded() {
    let name = |index: usize| {
        let mut variant = VariantInit::DEFAULT.variant();
        variant.name = format!("value_{index}").into();
        variant
    };
    let Kind::Union(mut many) = union(Tagging::External, &[], UnknownKeys::Ignored) else { return };
    many.variants = (0..1_000).map(name).collect::<Vec<_>>().into();
    let told = Expected::from_shape(Ref::Shared(Shape::new(Kind::Union(many)).into())).to_string();
    assert!(told.ends_with(r#""value_9", … and 990 more"#) && told.len() < 300, "{told}");
}

/// A field is described by its own rules.
#[test]
fn the_expectation_of_a_field_includes_its_own_rules() {
    let Kind::Object(weather) = &WEATHER.kind else { return };
    let told: Vec<_> = weather.fields.iter().map(|field: &Field| Expected::from_field(field).to_string()).collect();
    assert_eq!(told, ["string of 1 to 80 characters", r#"one of "celsius", "fahrenheit""#, "integer from 1 to 14"]);
}
