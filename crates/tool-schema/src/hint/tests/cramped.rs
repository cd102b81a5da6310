//! Shapes whose texts do not fit into a hint: long names, long enum values, long examples and patterns, in every combination. The fixer
//! needs no more rounds than with short texts.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::RetryHint;
use super::fixer::fix;
use crate::check::check;
use crate::json::Json;
use crate::shape::{
    Field, Kind, Length, Measure, Object, Pattern, PatternMatcher, Ref, Rule, Shape, Tagging, Text, Union, UnknownKeys,
    Variant,
};

/// The form of a parameter, the length of its texts, and its defect.
#[derive(Clone, Debug)]
struct Parameter {
    sort: u8,
    name: usize,
    words: usize,
    values: usize,
    defect: u8,
}

fn parameter() -> impl Strategy<Value = Parameter> {
    let lengths = || prop_oneof![2 => 1_usize..12, 1 => 30_usize..64, 1 => 64_usize..80];
    let words = prop_oneof![2 => 1_usize..40, 1 => 60_usize..120, 1 => 240_usize..1_200];
    (0_u8..6, lengths(), words, 1_usize..9, 0_u8..3).prop_map(|(sort, name, words, values, defect)| Parameter {
        sort,
        name,
        words,
        values,
        defect,
    })
}

/// Returns a text of this length that starts with a number, so that all texts differ.
fn text(number: usize, length: usize, letters: &str) -> String {
    let text = format!("p{number}_");
    let rest = length.saturating_sub(text.len());
    text + &letters.chars().cycle().take(rest).collect::<String>()
}

fn accepted(sort: u8, index: usize, parameter: &Parameter) -> Value {
    match sort {
        0 => json!(7),
        1 => json!(text(0, parameter.words.min(120), "value ")),
        2 => json!("a-1"),
        3 => json!(text(index, parameter.words, "example ")),
        4 => json!([1, 2]),
        _ => json!("some text"),
    }
}

fn field(index: usize, parameter: &Parameter) -> Field {
    let name = text(index, parameter.name, "name_of_it_");
    let doc: Text = text(index, parameter.words, "what it means ").into();
    let text_of = |value: Value| Some(Text::from(value.to_string()));
    let (kind, rules, example) = match parameter.sort {
        0 => (Kind::Integer, Vec::new(), None),
        1 => {
            let variants: Vec<Variant> = (0..parameter.values)
                .map(|value| Variant::unit(text(value, parameter.words.min(120), "value ").into()))
                .collect();
            let union = Union { tagging: Tagging::External, variants: variants.into(), unknown: UnknownKeys::Rejected };
            (Kind::Union(union), Vec::new(), None)
        }
        2 => {
            let source = format!("^[a-z]+-[0-9]+$|^{}$", "x".repeat(parameter.words));
            let matcher = PatternMatcher::Static(|text| text == "a-1");
            let pattern = Pattern { source: source.into(), matcher, sample: "a-1".into() };
            (Kind::String, vec![Rule::Pattern(pattern)], text_of(json!("a-1")))
        }
        3 => (Kind::String, Vec::new(), text_of(accepted(3, index, parameter))),
        4 => {
            let length = Length { measure: Measure::Items, min: 2, max: Some(4) };
            (Kind::Array(Ref::Static(const { &Shape::new(Kind::Integer) })), vec![Rule::Length(length)], None)
        }
        _ => (Kind::String, vec![Rule::Length(Length { measure: Measure::Characters, min: 3, max: None })], None),
    };
    let shape = Ref::Shared(Shape { rules: rules.into(), ..Shape::new(kind) }.into());
    Field { example, ..Field::plain(name.into(), doc, shape, true) }
}

/// Inserts the defect: an absent value, a value of another type, or a rejected value of the right type. Returns `true` if the defect was
/// inserted.
fn plant(arguments: &mut serde_json::Map<String, Value>, name: &str, parameter: &Parameter) -> bool {
    match (parameter.defect, parameter.sort) {
        (0, _) => drop(arguments.remove(name)),
        (1 | 2, 0) => drop(arguments.insert(name.to_owned(), json!({}))),
        (1, _) => drop(arguments.insert(name.to_owned(), json!(5))),
        (_, 1 | 2) => drop(arguments.insert(name.to_owned(), json!("quite something else"))),
        (_, 4) => drop(arguments.insert(name.to_owned(), json!([]))),
        (_, 3) => return false,
        _ => drop(arguments.insert(name.to_owned(), json!("x"))),
    }
    true
}

fn rounds(shape: &Shape, arguments: &mut Value, most: usize, log: &mut Vec<String>) -> Option<usize> {
    for round in 0..=most {
        let text = arguments.to_string();
        let issues = Json::parse(&text).map(|json| check(shape, &json)).unwrap_or_default();
        if issues.is_empty() {
            return Some(round);
        }
        let hint = RetryHint::from_issues("create_order", &issues).to_json();
        assert!(hint.len() <= 1_024, "{} bytes: {hint}", hint.len());
        log.push(hint.clone());
        fix(&serde_json::from_str(&hint).unwrap_or_default(), arguments);
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn long_texts_need_no_additional_rounds(parameters in vec(parameter(), 1..9)) {
        let fields: Vec<Field> = parameters.iter().enumerate().map(|(index, one)| field(index, one)).collect();
        let names: Vec<String> = fields.iter().map(|field| field.name.to_string()).collect();
        let mut members: serde_json::Map<_, _> = names.iter().zip(&parameters).enumerate()
            .map(|(index, (name, one))| (name.clone(), accepted(one.sort, index, one))).collect();
        let shape = Shape::new(Kind::Object(Object { fields: fields.into(), unknown: UnknownKeys::Rejected }));
        let planted = names.iter().zip(&parameters).filter(|(name, one)| plant(&mut members, name, one)).count();
        let most = planted.div_ceil(3) + 1;
        let mut log = Vec::new();
        let taken = rounds(&shape, &mut Value::Object(members), most, &mut log);
        prop_assert!(taken.is_some(), "{planted} faults, more than {most} rounds\n{}", log.join("\n"));
    }
}
