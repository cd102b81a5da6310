//! Hints for single issues: ranking, renames, lists that are too long, placeholders.

use serde_json::{Value, json};

use super::super::RetryHint;
use super::{order, weather};
use crate::check::check;
use crate::issue::{Constraint, Expected, Got, Issue, Path};
use crate::json::{Json, Node, Number};
use crate::shape::{
    Field, Kind, Length, Measure, Object, Pattern, PatternMatcher, Precision, Range, Ref, Rule, Shape, SharedSlice,
    StringFormat, Text, UnknownKeys,
};

fn hint(shape: &Shape, arguments: &Value) -> Value {
    let text = arguments.to_string();
    let issues = Json::parse(&text).map(|json| check(shape, &json)).unwrap_or_default();
    serde_json::from_str(&RetryHint::from_issues("t", &issues).to_json()).unwrap_or_default()
}

fn issue(path: Path, constraint: Constraint, got: Option<&str>, expected: Expected) -> Issue {
    let got = got.map_or_else(Got::absent, |text| Got::from_node(&Json::from_node(Node::String(text.into()))));
    Issue { path, constraint, expected: expected.into(), got, suggestion: None, description: Text::EMPTY, inside: None }
}

fn string() -> Expected {
    Expected::from_shape(Ref::Static(const { &Shape::new(Kind::String) }))
}

fn key(name: &'static str) -> Path {
    Path::root().key(name)
}

fn unknown() -> Constraint {
    Constraint::UnknownField { allowed: SharedSlice::EMPTY }
}

#[test]
fn issues_are_ordered_by_importance() {
    let issue = |name, constraint| issue(key(name), constraint, None, string());
    let issues = [
        issue("h", Constraint::MaxLength(1)),
        issue("g", Constraint::Pattern("^a".into())),
        issue("f", Constraint::Enum(SharedSlice::EMPTY)),
        issue("e", unknown()),
        issue("d", Constraint::Required),
        issue("b", Constraint::Type(vec![])),
        issue("a", Constraint::Discriminator { tag: None, is_key: false, allowed: SharedSlice::EMPTY }),
    ];
    let mut left = issues.to_vec();
    let mut order = String::new();
    while !left.is_empty() {
        let (ranked, _) = super::super::group_by_field::groups_by_rank(&left, 1);
        let path = ranked[0].issue().path.clone();
        order += path.last_key().unwrap_or_default();
        left.retain(|issue| issue.path != path);
    }
    assert_eq!(order, "abdefgh");
}

#[test]
fn an_unknown_field_is_renamed_only_to_the_missing_field_that_it_resembles() {
    let missing = issue(key("path"), Constraint::Required, None, string());
    let unknown = issue(key("file"), unknown(), Some("a.txt"), string());
    let similar = issue(key("filePath"), self::unknown(), Some("a.txt"), string()).with_suggestion("path");
    assert_eq!(
        RetryHint::from_issues("read", &[missing.clone(), similar]).to_json(),
        r#"{"reason":"missing_fields","tool":"read","constraints":[{"field":"filePath","rename_to":"path"}]}"#
    );
    let hint = RetryHint::from_issues("read", &[missing, unknown]);
    assert_eq!(hint.missing_fields().collect::<Vec<_>>(), ["path"]);
}

#[test]
fn unknown_fields_of_the_right_type_are_not_renamed() {
    let unclear = [
        issue(key("path"), Constraint::Required, None, string()),
        issue(key("file"), unknown(), Some("a.txt"), string()),
        issue(key("mode"), unknown(), Some("r"), string()),
    ];
    let hint = RetryHint::from_issues("read", &unclear);
    assert_eq!(hint.missing_fields().collect::<Vec<_>>(), ["path"]);
    assert_eq!(hint.constrained_fields().collect::<Vec<_>>(), ["file", "mode"]);
}

#[test]
fn an_unknown_field_is_not_renamed_across_objects() {
    let apart = [
        issue(key("a").key("path"), Constraint::Required, None, string()),
        issue(key("b").key("file"), unknown(), Some("a.txt"), string()),
    ];
    let hint = RetryHint::from_issues("read", &apart);
    assert_eq!(hint.missing_fields().collect::<Vec<_>>(), ["a.path"]);
}

#[test]
fn several_faults_of_one_field_are_one_entry() {
    let both = [
        issue(key("n"), Constraint::MaxLength(3), Some("abcd"), string()),
        issue(key("n"), Constraint::Pattern("^x".into()), Some("abcd"), string()),
    ];
    let hint: Value = serde_json::from_str(&RetryHint::from_issues("t", &both).to_json()).unwrap_or_default();
    let entry = json!({"field": "n", "expected": "string", "type": "string", "pattern": "^x", "max_length": 3});
    assert_eq!(hint["constraints"], json!([entry]));
}

#[test]
fn long_lists_count_the_omitted_values() {
    let allowed: Vec<Text> = (0..9).map(|index| Text::from(index.to_string())).collect();
    let hint = RetryHint::from_issues("t", &[issue(key("n"), Constraint::Enum(allowed.into()), Some("x"), string())]);
    let hint: Value = serde_json::from_str(&hint.to_json()).unwrap_or_default();
    assert_eq!(hint["constraints"][0]["allowed_values"], json!(["0", "1", "2", "3", "4", "…"]));
    assert_eq!(hint["constraints"][0]["more"], 4);
}

#[test]
fn a_missing_object_lists_its_required_fields() {
    let mut arguments = order::valid();
    arguments.as_object_mut().map(|object| object.remove("customer"));
    let hint = hint(&order::SHAPE, &arguments);
    assert_eq!(hint["missing_fields"], json!(["customer"]));
    assert_eq!(hint["constraints"][0]["required_fields"]["name"], "string of 1 to 40 characters");
    let customer = json!({"name": "text", "code": "AB-12", "email": "user@example.com"});
    assert_eq!(hint["example_input"]["customer"]["code"], customer["code"]);
}

#[test]
fn an_example_nests_like_the_input_and_leads_through_no_list() {
    let mut arguments = order::valid();
    arguments["items"][1].as_object_mut().map(|object| object.remove("quantity"));
    arguments["customer"].as_object_mut().map(|object| object.remove("name"));
    let hint = hint(&order::SHAPE, &arguments);
    assert_eq!(hint["missing_fields"], json!(["customer.name", "items[1].quantity"]));
    assert_eq!(hint["example_input"], json!({"customer": {"name": "text"}}));
    let item = &hint["constraints"][0];
    assert_eq!(
        (&item["field"], &item["type"], &item["example"]),
        (&"items[1].quantity".into(), &"integer".into(), &1.into())
    );
    assert_eq!(hint["clarifying_question"], "Which customer.name and items[1].quantity should t use?");
}

#[test]
fn without_missing_fields_there_is_no_question() {
    let hint = hint(weather::SHAPE, &json!({"location": "", "days": 0}));
    assert_eq!((&hint["clarifying_question"], &hint["example_input"]), (&Value::Null, &Value::Null));
}

/// Placeholders satisfy their rules according to the checker.
#[test]
fn placeholders_are_acceptable() {
    let number = Number::Integer;
    let range = |range| vec![Rule::Range(range)];
    let length = |measure, min, max| vec![Rule::Length(Length { measure, min, max })];
    let strings = || Kind::Array(Ref::Static(const { &Shape::new(Kind::String) }));
    let map = Kind::Map {
        keys: Ref::Static(const { &Shape::new(Kind::String) }),
        values: Ref::Static(const { &Shape::new(Kind::Boolean) }),
    };
    let open = Range { exclusive_min: Some(number(0)), exclusive_max: Some(number(1)), ..Range::UNBOUNDED };
    let places = [
        (Kind::Integer, range(Range::inclusive(number(-9), number(-3)))),
        (Kind::Integer, vec![Rule::Range(Range::inclusive(number(8), number(20))), Rule::MultipleOf(number(7))]),
        (Kind::Integer, range(Range { exclusive_max: Some(Number::Float(-0.5)), ..Range::UNBOUNDED })),
        (Kind::Number(Precision::Double), range(open)),
        (Kind::Number(Precision::Double), vec![Rule::MultipleOf(Number::Float(0.25)), Rule::Range(open)]),
        (Kind::String, length(Measure::Characters, 12, Some(12))),
        (Kind::String, length(Measure::Characters, 0, Some(2))),
        (strings(), [length(Measure::Items, 3, None), vec![Rule::UniqueItems]].concat()),
        (strings(), length(Measure::Items, 0, Some(0))),
        (strings(), vec![Rule::Inner(length(Measure::Characters, 9, None).into())]),
        (map, length(Measure::Properties, 2, None)),
        (Kind::Nullable(Ref::Static(const { &Shape::new(Kind::Boolean) })), vec![]),
    ];
    for (kind, rules) in places {
        let shape = Shape { rules: rules.into(), ..Shape::new(kind) };
        let edge = Ref::Shared(std::sync::Arc::new(shape));
        let value = super::super::placeholder::value(&Expected::from_shape(edge.clone())).unwrap_or_default();
        let issues = Json::parse(&value).map(|json| check(&edge.shape(), &json));
        assert!(issues.is_ok_and(|issues| issues.is_empty()), "{value:?} for {:?}", *edge.shape());
    }
}

#[test]
fn a_placeholder_of_a_recursive_type_is_finite() {
    fn pair() -> &'static Shape {
        static PAIR: std::sync::LazyLock<Shape> = std::sync::LazyLock::new(|| {
            Shape::new(Kind::Tuple(vec![Ref::Lazy(pair), Ref::Lazy(pair), Ref::Lazy(pair)].into()))
        });
        &PAIR
    }
    assert_eq!(super::super::placeholder::value(&Expected::from_shape(Ref::Lazy(pair))), None);
}

#[test]
fn a_value_of_the_wrong_type_still_gets_the_example_of_its_pattern() {
    let mut arguments = order::valid();
    arguments["customer"]["code"] = json!(5);
    let hint = hint(&order::SHAPE, &arguments);
    assert_eq!(hint["constraints"][0]["example"], "AB-12", "{hint}");
}

/// Returns an object with one required string that has these rules.
fn with_code(rules: Vec<Rule>, is_secret: bool) -> Shape {
    let code = Ref::Shared(Shape { rules: rules.into(), ..Shape::new(Kind::String) }.into());
    let field = Field { sensitive: is_secret, ..Field::plain("code".into(), Text::EMPTY, code, true) };
    Shape::new(Kind::Object(Object { fields: vec![field].into(), unknown: UnknownKeys::Rejected }))
}

/// Returns a pattern whose matcher accepts three upper-case letters.
fn three_letters(sample: &'static str) -> Rule {
    let matcher = PatternMatcher::Static(|text| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()));
    Rule::Pattern(Pattern { source: "^[A-Z]{3}$".into(), matcher, sample: sample.into() })
}

/// Returns a pattern that matches everything.
fn anything(sample: &'static str) -> Rule {
    Rule::Pattern(Pattern { source: "".into(), matcher: PatternMatcher::Static(|_| true), sample: sample.into() })
}

#[test]
fn a_pattern_without_an_example_is_shown_a_text_that_it_accepts() {
    let shape = with_code(vec![three_letters("AAA")], false);
    assert_eq!(hint(&shape, &json!({}))["example_input"], json!({"code": "AAA"}));
    for rejected in [json!("x"), json!(5), json!(["AAA"])] {
        assert_eq!(hint(&shape, &json!({"code": rejected}))["constraints"][0]["example"], "AAA", "{rejected}");
    }
    let shape = with_code(vec![anything("A")], false);
    assert_eq!(
        hint(&shape, &json!({}))["example_input"],
        json!({"code": "text"}),
        "a plain word is tried before a generated text"
    );
}

#[test]
fn a_text_generated_from_a_pattern_is_only_shown_if_every_rule_accepts_it() {
    let length = |min, max| Rule::Length(Length { measure: Measure::Characters, min, max });
    let rejected = [
        vec![three_letters("")],
        vec![three_letters("aaa")],
        vec![three_letters("AAAA")],
        vec![three_letters("AAA"), length(4, None)],
        vec![three_letters("AAA"), length(0, Some(2))],
        vec![three_letters("AAA"), Rule::Format(StringFormat::Date)],
        vec![three_letters("AA\u{7}")],
        vec![anything("\u{202e}"), length(0, Some(1)), three_letters("")],
        vec![anything("A"), three_letters("bbb")],
    ];
    for rules in rejected {
        let shape = with_code(rules, false);
        assert!(hint(&shape, &json!({}))["example_input"].is_null(), "{shape:?}");
        assert!(hint(&shape, &json!({"code": "x"}))["constraints"][0]["example"].is_null(), "{shape:?}");
    }
    let both = with_code(vec![anything("A"), three_letters("AAA")], false);
    assert_eq!(hint(&both, &json!({}))["example_input"], json!({"code": "AAA"}));
}

#[test]
fn a_pattern_that_is_not_in_the_shape_has_no_example() {
    let known = Expected { rules: vec![three_letters("AAA")].into(), ..string() };
    let example = |source: &'static str| {
        let issues = [issue(key("n"), Constraint::Pattern(source.into()), Some("x"), known.clone())];
        let hint: Value = serde_json::from_str(&RetryHint::from_issues("t", &issues).to_json()).unwrap_or_default();
        hint["constraints"][0]["example"].clone()
    };
    assert_eq!(example("^[A-Z]{3}$"), "AAA");
    assert_eq!(example("^A{4}$"), Value::Null);
}

#[test]
fn no_value_is_generated_for_a_secret() {
    let secret = with_code(vec![three_letters("AAA")], true);
    assert!(hint(&secret, &json!({}))["example_input"].is_null());
    assert!(hint(&secret, &json!({"code": "x"}))["constraints"][0]["example"].is_null());

    let inner = Ref::Shared(with_code(vec![three_letters("AAA")], false).into());
    let around = |is_secret| {
        let field = |name: &str, sensitive| Field {
            sensitive,
            ..Field::plain(Text::from(name.to_owned()), Text::EMPTY, inner.clone(), true)
        };
        let fields = vec![field("open", false), field("login", is_secret)];
        Shape::new(Kind::Object(Object { fields: fields.into(), unknown: UnknownKeys::Rejected }))
    };
    let shown = |is_secret| hint(&around(is_secret), &json!({"open": {}, "login": {}}))["example_input"].clone();
    assert_eq!(shown(false), json!({"open": {"code": "AAA"}, "login": {"code": "AAA"}}));
    assert_eq!(shown(true), json!({"open": {"code": "AAA"}}));
    let missing = hint(&around(true), &json!({}))["example_input"].clone();
    assert_eq!(missing, json!({"open": {"code": "AAA"}}));
}
