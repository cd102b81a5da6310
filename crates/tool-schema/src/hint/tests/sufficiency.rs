//! The fixer reaches a valid call from the hints alone, within ⌈k/3⌉ + 1 rounds for k initial issues.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::RetryHint;
use super::fixer::fix;
use super::order;
use crate::check::check;
use crate::json::Json;

/// Returns the number of rounds until the arguments are acceptable, and the initial number of issues.
fn rounds(arguments: &mut Value, log: &mut Vec<String>) -> (usize, usize) {
    let mut first = None;
    for round in 0..9 {
        let text = arguments.to_string();
        let issues = Json::parse(&text).map(|json| check(&order::SHAPE, &json)).unwrap_or_default();
        if issues.is_empty() {
            return (round, first.unwrap_or(0));
        }
        first.get_or_insert(issues.len());
        let hint = RetryHint::from_issues("create_order", &issues).to_json();
        log.push(format!("{text}\n  {hint}"));
        fix(&serde_json::from_str(&hint).unwrap_or_default(), arguments);
    }
    (usize::MAX, first.unwrap_or(0))
}

/// A defect at a location of its own, so that defects can be combined.
type Defect = (&'static str, fn(&mut Value));

const DEFECTS: &[Defect] = &[
    ("missing string", |order| drop(order["customer"].as_object_mut().map(|object| object.remove("name")))),
    ("pattern with an example", |order| order["customer"]["code"] = "nothing like it".into()),
    ("format", |order| order["customer"]["email"] = "ada at example".into()),
    ("wrong type for an object", |order| order["address"] = "Paris".into()),
    ("missing in an item", |order| drop(order["items"][1].as_object_mut().map(|object| object.remove("quantity")))),
    ("maximum in an item", |order| order["items"][0]["quantity"] = 200.into()),
    ("misspelled enum value", |order| order["speed"] = "expres".into()),
    ("unlike any enum value", |order| order["items"][1]["colour"] = "mauve".into()),
    ("renamed field", |order| {
        if let Some(object) = order.as_object_mut() {
            let value = object.remove("currency").unwrap_or_default();
            object.insert("currencies".to_owned(), value);
        }
    }),
    ("unknown field", |order| order["customer"]["shoe"] = 43.into()),
    ("wrong tag", |order| order["payment"]["method"] = "cardd".into()),
    ("exclusive minimum", |order| order["discount"] = 0.into()),
    ("multiple of", |order| order["weight"] = json!(1.3)),
    ("too many characters", |order| order["note"] = "n".repeat(99).into()),
    ("too few items", |order| order["tags"] = json!(["a"])),
    ("repeated items", |order| order["codes"] = json!([1, 1, 2, 2])),
    ("wrong type", |order| order["gift"] = "yes".into()),
    ("misspelled variant as a key", |order| order["shape"] = json!({"cirkle": {"radius": 1}})),
    ("no variant fits", |order| order["when"] = json!([])),
    ("missing at depth 5", |order| {
        drop(order["items"][0]["parts"][1].as_object_mut().map(|object| object.remove("size")));
    }),
    ("wrong type at depth 5", |order| order["items"][0]["parts"][0]["size"] = "large".into()),
    ("too few properties", |order| order["labels"] = json!({})),
    ("too many properties", |order| order["labels"] = json!({"a": true, "b": true, "c": false})),
    ("too many items", |order| order["ranks"] = json!([1, 2, 3, 4])),
];

#[test]
fn every_defect_alone_is_corrected_within_two_rounds() {
    for (name, plant) in DEFECTS {
        let mut arguments = order::valid();
        plant(&mut arguments);
        let mut log = Vec::new();
        let (rounds, issues) = rounds(&mut arguments, &mut log);
        assert!(issues > 0 && rounds <= 2, "{name}: {rounds} rounds\n{}", log.join("\n"));
    }
}

/// Each defect changes what the surrounding union expects, so they are not combined.
#[test]
fn a_union_with_a_missing_or_unknown_tag_is_corrected() {
    let payments = [json!({}), json!({"number": "4711"}), json!({"method": "cash"}), json!("card"), json!(null)];
    let shapes =
        [json!("circle"), json!({}), json!({"blob": {}}), json!({"circle": {}, "square": {"side": 1}}), json!(7)];
    let cases = payments.map(|value| ("payment", value)).into_iter().chain(shapes.map(|value| ("shape", value)));
    for (field, value) in cases {
        let mut arguments = order::valid();
        arguments[field] = value.clone();
        let mut log = Vec::new();
        let (rounds, issues) = rounds(&mut arguments, &mut log);
        assert!(rounds <= issues.div_ceil(3) + 1, "{field} {value}: {rounds} rounds\n{}", log.join("\n"));
    }
}

#[test]
fn all_missing_fields_are_added() {
    let (mut arguments, mut log) = (json!({}), Vec::new());
    let (rounds, issues) = rounds(&mut arguments, &mut log);
    assert!(rounds <= issues.div_ceil(3) + 1, "{rounds} rounds for {issues}\n{}", log.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_fixer_reaches_a_valid_call(chosen in proptest::sample::subsequence(DEFECTS, 1..DEFECTS.len())) {
        let (mut arguments, mut log) = (order::valid(), Vec::new());
        for (_, plant) in &chosen {
            plant(&mut arguments);
        }
        let (rounds, issues) = rounds(&mut arguments, &mut log);
        let fields = chosen.len() - usize::from(chosen.iter().filter(|(name, _)| name.ends_with("properties")).count() == 2);
        prop_assert!(issues >= fields);
        prop_assert!(rounds <= issues.div_ceil(3) + 1, "{} rounds for {}\n{}", rounds, issues, log.join("\n"));
    }
}
