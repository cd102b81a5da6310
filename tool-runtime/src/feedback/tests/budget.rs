//! Long names, deep paths and many issues: a rejection stays within its size, is valid JSON, and counts the omitted entries.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::failure::{Failure, ToolError};
use crate::hint::RetryHint;
use crate::issue::{Constraint, Expected, Issue, Path, ValidationError, expected_words, got, new_issue};
use crate::json::{Json, Node, Number};
use crate::shape::{CustomRuleError, Kind, Ref, Shape, Text};

/// The maximum number of bytes of a rejection.
const REJECTION: usize = 4_096;

/// Generates a text of any characters, sometimes far too long.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,8}",
        1 => "\\PC{0,12}",
        1 => ("[\"\\\\\0-\u{20}é😀]{1,6}", 1_usize..200).prop_map(|(text, times)| text.repeat(times)),
    ]
}

fn path() -> impl Strategy<Value = Path> {
    let step = prop_oneof![4 => text().prop_map(Ok), 1 => (0_usize..99_999).prop_map(Err)];
    let extend = |path: Path, step| match step {
        Ok(key) => path.key(String::into_boxed_str(key)),
        Err(index) => path.index(index),
    };
    (text(), vec(step, 0..12)).prop_map(move |(first, steps)| steps.into_iter().fold(Path::root().key(first), extend))
}

fn constraint() -> impl Strategy<Value = Constraint> {
    let texts = || vec(text().prop_map(Text::from), 0..9);
    prop_oneof![
        3 => Just(Constraint::Required),
        2 => texts().prop_map(|allowed| Constraint::UnknownField { allowed: allowed.into() }),
        2 => texts().prop_map(|allowed| Constraint::Enum(allowed.into())),
        1 => (texts(), any::<bool>())
            .prop_map(|(allowed, is_key)| Constraint::Discriminator { tag: None, is_key, allowed: allowed.into() }),
        1 => texts().prop_map(|variants| Constraint::AnyOf { variants: variants.into() }),
        1 => any::<i128>().prop_map(|bound| Constraint::Maximum(Number::Integer(bound))),
        1 => text().prop_map(|pattern| Constraint::Pattern(pattern.into())),
        1 => text().prop_map(|sentence| Constraint::Custom(CustomRuleError::new(sentence))),
    ]
}

prop_compose! {
    fn issue()(path in path(), constraint in constraint(), value in text(), words in proptest::option::of(text()),
               suggestion in proptest::option::of(text()), description in text()) -> Issue {
        let expected = match words {
            Some(words) => expected_words(words.into()),
            None => Expected::from_shape(Ref::Static(const { &Shape::new(Kind::String) })),
        };
        let sent = got(&Json::from_node(Node::String(value.into())));
        let mut issue = new_issue(path, constraint, expected, sent);
        (issue.suggestion, issue.description) = (suggestion.map(Text::from), description.into());
        issue
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn strings<'v>(list: &'v Value, key: Option<&str>) -> Vec<&'v str> {
    let items = list.as_array().map_or(&[][..], |items| items);
    items.iter().filter_map(|item| key.map_or(item, |key| &item[key]).as_str()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_rejection_is_bounded_and_counts_omitted_issues(issues in vec(issue(), 1..30), tool in text()) {
        let count = issues.len();
        let hint = parsed(&RetryHint::from_issues(&tool, &issues).to_json());
        let missing = strings(&hint["missing_fields"], None);
        let hinted = strings(&hint["constraints"], Some("field")).into_iter().chain(missing).collect::<Vec<_>>();
        let Some(error) = ValidationError::new(issues) else { return Ok(()) };
        let text = Failure::validation(&tool, error).to_json();
        prop_assert!(text.len() <= REJECTION, "{} bytes: {text}", text.len());
        let json = parsed(&text);
        let properties = strings(&json["errors"], Some("property"));
        prop_assert!(hinted.iter().any(|field| properties.contains(field)), "{text}");
        prop_assert!(!properties.is_empty() && properties.len() <= 5);
        let omitted = json["omitted"].as_u64().map_or(0, |omitted| usize::try_from(omitted).unwrap_or(0));
        prop_assert_eq!(properties.len() + omitted, count);
        let is_control = |character: char| character.is_control();
        prop_assert!(json["tool"].as_str().is_some_and(|name| name.chars().count() <= 64 && !name.contains(is_control)));
    }

    #[test]
    fn every_other_failure_is_bounded(name in text(), long in text(), names in vec(text(), 0..40)) {
        let names = || names.iter().map(String::as_str);
        let attempted = Value::Object(names().map(|name| (name.to_owned(), long.clone().into())).collect());
        let attempted = Json::from_value(&attempted).unwrap_or_else(|_| Json::from_node(Node::Null));
        let rows = [
            Failure::container_called_with_arguments(&name, &attempted, names()),
            Failure::container_not_expanded(&name, &long),
            Failure::ambiguous_tool(&name, names()),
            Failure::unknown_tool(&name, names(), names()),
            Failure::tool_error(&name, &ToolError::retry(long.clone()).field(&long)),
            Failure::tool_error(&name, &ToolError::new(long.repeat(9))),
            Failure::denied(&name, &long.repeat(9)),
            Failure::timeout(&name, Some(std::time::Duration::MAX)),
            Failure::malformed_response(&name, &long.repeat(9)),
        ];
        for failure in rows {
            let text = failure.to_json();
            prop_assert!(text.len() <= REJECTION, "{} bytes: {text}", text.len());
            prop_assert_eq!(&parsed(&text)["error_type"], failure.error_type());
        }
    }
}
