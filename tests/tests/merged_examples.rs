//! `example_input` of a hint, merged with the arguments key by key: it corrects the paths that it covers, and nothing that was sent is lost.

use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::Value;
use tests::deep::Stage;
use tests::generate::{Choices, near_valid, planted};
use tests::rows::rows;
use tool_runtime::{Issue, RetryHint, ToolInput};
use tool_schema::check::check;
use tool_schema::issue::{Path, Segment};
use tool_schema::json::Json;
use tool_schema::shape::Shape;

use proptest::prelude::Rng;

fn issues(shape: &Shape, text: &str) -> Vec<Issue> {
    Json::parse(text).map(|json| check(shape, &json)).unwrap_or_default()
}

/// Merges an example with the arguments, as `docs/wire.md` says, and returns the paths of the values that it adds.
fn merge(example: &Value, arguments: &mut Value, path: &Path, covered: &mut Vec<Path>) {
    if let (Value::Object(example), Value::Object(arguments)) = (example, &mut *arguments) {
        for (key, value) in example {
            let path = path.clone().key(key.clone());
            if let Some(inner) = arguments.get_mut(key) {
                merge(value, inner, &path, covered);
            } else {
                arguments.insert(key.clone(), value.clone());
                covered.push(path);
            }
        }
        return;
    }
    panic!("{example} replaces {arguments} at {path}");
}

/// Returns `true` if a value contains each part of another one, at the same place.
fn contains(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::Object(members), Value::Object(parts)) => {
            parts.iter().all(|(key, part)| members.get(key).is_some_and(|value| contains(value, part)))
        }
        (Value::Array(items), Value::Array(parts)) => {
            items.len() == parts.len() && items.iter().zip(parts).all(|(value, part)| contains(value, part))
        }
        _ => value == part,
    }
}

fn is_below(path: &Path, above: &Path) -> bool {
    path.segments().starts_with(above.segments())
}

/// Merges the example of a call, and returns the number of values that it added.
fn judge(shape: &Shape, text: &str) -> usize {
    let found = issues(shape, text);
    let hint = RetryHint::from_issues("plan", &found);
    let (Some(example), Ok(sent)) = (hint.example_input(), serde_json::from_str::<Value>(text)) else { return 0 };
    // A repeated key is another issue, which this reading of the text would hide.
    if found.iter().any(|issue| issue.constraint.code() == "REPEATED_FIELD") {
        return 0;
    }
    let (mut merged, mut covered) = (sent.clone(), Vec::new());
    merge(&example, &mut merged, &Path::root(), &mut covered);
    assert!(contains(&merged, &sent), "{text} with {example} lost a part: {merged}");
    for path in &covered {
        let is_missing = |issue: &Issue| issue.constraint.code() == "REQUIRED_FIELD" && issue.path == *path;
        assert!(found.iter().any(is_missing), "{path} was not missing in {text}: {example}");
        assert!(path.segments().iter().all(|segment| matches!(segment, Segment::Key(_))), "{path}");
        let left = issues(shape, &merged.to_string());
        let left: Vec<_> = left.iter().filter(|issue| is_below(&issue.path, path)).map(Issue::message).collect();
        assert!(left.is_empty(), "{left:?} at {path} of {merged}");
    }
    covered.len()
}

#[test]
fn a_merged_example_corrects_what_it_covers_and_loses_nothing() {
    let mut source = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut numbers = || (0..400).map(|_| source.next_u32()).collect::<Vec<_>>();
    let mut added = 0;
    for attempt in 0..tests::cases(400) as usize {
        let numbers = numbers();
        let wanted = |defect: &tests::generate::Defect| attempt % 2 == 0 || defect.code == "REQUIRED_FIELD";
        let Some(planted) = planted(Stage::SHAPE, 1 + attempt % 4, wanted, &mut Choices::new(&numbers)) else {
            continue;
        };
        added += judge(Stage::SHAPE, &planted.tree.to_string());
    }
    assert!(added > 50, "only {added} values were added");
}

#[test]
fn an_example_of_any_type_can_be_merged() {
    let mut source = TestRng::from_seed(RngAlgorithm::ChaCha, &[8; 32]);
    let mut added = 0;
    for row in rows() {
        for _ in 0..tests::cases(20) {
            let numbers: Vec<u32> = (0..200).map(|_| source.next_u32()).collect();
            added += judge(row.shape, &near_valid(row.shape, &mut Choices::new(&numbers)).to_string());
        }
    }
    assert!(added > 50, "only {added} values were added");
}
