//! Extreme inputs: long names, deep paths, many issues. The size limits are kept, the JSON is valid, the counts are right, and the most
//! important issue is included.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use super::super::{BUDGET, Draft, RetryHint, group_by_field, path_text};
use crate::issue::{Constraint, Expected, Got, Issue, Path};
use crate::json::{Json, Number};
use crate::shape::{CustomRuleError, Kind, Ref, Shape, Text};

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
            Some(words) => Expected::from_text(words.into()),
            None => Expected::from_shape(Ref::Static(const { &Shape::new(Kind::String) })),
        };
        let got = Got::from_node(&Json::from_node(crate::json::Node::String(value.into())));
        Issue { path, constraint, expected: expected.into(), got, suggestion: suggestion.map(Text::from), description: description.into(), inside: None }
    }
}

prop_compose! {
    /// Generates a missing field with a long name and a long description, as an author may write them.
    fn plain()(name in "[a-z_]{60,150}", above in "[a-z_]{0,90}", description in "[a-z ]{60,200}", is_missing in any::<bool>()) -> Issue {
        let constraint = if is_missing { Constraint::Required } else { Constraint::Type(vec![crate::json::JsonType::String]) };
        let expected = Expected::from_shape(Ref::Static(const { &Shape::new(Kind::String) }));
        let path = Path::root().key(String::into_boxed_str(above)).key(String::into_boxed_str(name));
        Issue { path, constraint, expected: expected.into(), got: Got::absent(), suggestion: None, description: description.into(), inside: None }
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
    fn a_hint_is_bounded_and_counts_omitted_issues(issues in vec(issue(), 1..30), tool in text()) {
        let hint = RetryHint::from_issues(&tool, &issues);
        let text = hint.to_json();
        prop_assert!(text.len() <= BUDGET, "{} bytes: {text}", text.len());
        let json = parsed(&text);

        let (ranked, fields) = group_by_field::groups_by_rank(&issues, usize::MAX);
        let most_important = path_text(ranked[0].issue());
        let missing = strings(&json["missing_fields"], None);
        let constrained = strings(&json["constraints"], Some("field"));
        prop_assert!(missing.contains(&&*most_important) || constrained.contains(&&*most_important), "{text}");

        let named: HashSet<_> = missing.iter().chain(&constrained).collect();
        prop_assert!(named.len() <= 3);
        let shown: HashSet<_> = issues.iter().enumerate().filter(|&(index, _)| hint.field(&issues, index).is_some()).map(|(_, issue)| &issue.path).collect();
        prop_assert_eq!(shown.len() + json["omitted"].as_u64().map_or(0, |omitted| usize::try_from(omitted).unwrap_or(0)), fields);
    }

    #[test]
    fn the_example_is_removed_first_then_the_question_then_the_last_constraints(
        issues in vec(prop_oneof![issue(), plain()], 1..6), tool in text(),
    ) {
        let mut facts = Default::default();
        let (whole, fitted) = (Draft::new(&tool, &issues, &mut facts).hint, RetryHint::from_issues(&tool, &issues));
        let text = fitted.to_json();
        let asks = |hint: &RetryHint| hint.clarifying_question().is_some();
        if fitted.constrained_fields().count() < whole.constrained_fields().count() || fitted.fields.len() < whole.fields.len() {
            prop_assert!(!asks(&fitted), "a constraint was removed before the question: {text}");
        }
        if asks(&whole) && !asks(&fitted) {
            prop_assert!(parsed(&text)["example_input"].is_null(), "the question was removed before the example: {text}");
        }
        for question in [whole.clarifying_question(), fitted.clarifying_question()].into_iter().flatten() {
            prop_assert!(question.starts_with("Which ") && question.ends_with(" use?"), "{question}");
        }
    }
}
