//! Suggestions in issues: a name that is already present is never suggested, in whatever spelling, and the order of the keys does not
//! matter.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde::Deserialize;
use tests::cases;
use tool_runtime::ToolInput;
use tool_schema::shape::Shape;

use crate::check::issues;

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Place {
    #[serde(alias = "town")]
    city: String,
    #[serde(alias = "cc", alias = "land")]
    country: Option<String>,
    cities: Option<u8>,
}

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[serde(tag = "kind", content = "content", deny_unknown_fields)]
#[allow(dead_code)]
enum Beside {
    Circle { radius: u8 },
    Nothing,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
enum Outside {
    #[serde(alias = "round")]
    Circle {
        radius: u8,
    },
    Square(u8),
}

/// Returns the suggestion for each unknown key.
fn suggested(shape: &Shape, text: &str) -> BTreeMap<String, Option<String>> {
    let found = issues(shape, text).into_iter().filter(|issue| issue.constraint.code() == "UNKNOWN_FIELD");
    found
        .map(|issue| {
            let key = issue.path.last_key().unwrap_or_default().to_owned();
            (key, issue.suggestion.map(|name| name.to_string()))
        })
        .collect()
}

fn check(shape: &Shape, text: &str, key: &str, expect: Option<&str>) {
    assert_eq!(suggested(shape, text).get(key), Some(&expect.map(str::to_owned)), "{text}");
}

#[test]
fn a_field_that_is_present_under_an_alias_is_not_suggested() {
    check(Place::SHAPE, r#"{"citty": "a"}"#, "citty", Some("city"));
    check(Place::SHAPE, r#"{"town": "a", "citty": "b"}"#, "citty", None);
    check(Place::SHAPE, r#"{"Country": "b", "city": "a", "land": "c"}"#, "Country", None);
}

#[test]
fn a_present_tag_or_content_is_not_suggested() {
    check(Beside::SHAPE, r#"{"kind": "Circle", "contents": {"radius": 1}}"#, "contents", Some("content"));
    check(Beside::SHAPE, r#"{"kind": "Circle", "content": {"radius": 1}, "contents": 1}"#, "contents", None);
    check(Beside::SHAPE, r#"{"Kind": "x", "kind": "Circle", "content": {"radius": 1}}"#, "Kind", None);
}

#[test]
fn a_present_variant_is_not_suggested() {
    check(Outside::SHAPE, r#"{"Circle": {"radius": 1}, "circle": {"radius": 2}}"#, "circle", None);
    check(Outside::SHAPE, r#"{"rounds": 1, "round": {"radius": 1}}"#, "rounds", None);
}

#[test]
fn a_flattened_field_that_is_present_under_an_alias_is_not_suggested() {
    #[derive(Deserialize, ToolInput)]
    #[tool(undocumented)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Outer {
        note: Option<String>,
        #[serde(flatten)]
        place: Inner,
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    struct Inner {
        #[serde(alias = "town")]
        city: String,
    }
    check(Outer::SHAPE, r#"{"citty": "a"}"#, "citty", Some("city"));
    check(Outer::SHAPE, r#"{"citty": "a", "town": "b"}"#, "citty", None);
}

#[test]
fn a_map_key_that_is_present_under_an_alias_is_not_suggested() {
    #[derive(Deserialize, ToolInput, PartialEq, Eq, Hash)]
    enum Colour {
        #[serde(alias = "crimson")]
        Red,
        Blue,
    }
    let shape = <std::collections::HashMap<Colour, u8>>::SHAPE;
    check(shape, r#"{"red": 1}"#, "red", Some("Red"));
    check(shape, r#"{"red": 1, "crimson": 2}"#, "red", None);
}

/// Returns objects whose keys are distinct names, aliases and misspellings.
fn keys() -> impl Strategy<Value = Vec<&'static str>> {
    let pool = [
        "city", "town", "citty", "City", "cities", "citties", "country", "cc", "land", "Country", "countri", "contry",
        "", "ci ty", "cïty", "x",
    ];
    proptest::sample::subsequence(pool.to_vec(), 0..pool.len()).prop_shuffle()
}

fn text(keys: &[&str]) -> String {
    let members: Vec<_> = keys.iter().map(|key| format!("{key:?}: null")).collect();
    format!("{{{}}}", members.join(", "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(256)) })]

    #[test]
    fn a_present_name_is_never_suggested(keys in keys()) {
        let spellings: [(&str, &[&str]); 3] =
            [("city", &["city", "town"]), ("country", &["country", "cc", "land"]), ("cities", &["cities"])];
        let given: BTreeSet<&str> = spellings
            .iter()
            .filter(|(_, spelt)| spelt.iter().any(|key| keys.contains(key)))
            .map(|(name, _)| *name)
            .collect();
        for (key, name) in suggested(Place::SHAPE, &text(&keys)) {
            prop_assert!(name.as_deref().is_none_or(|name| !given.contains(name)), "{key} is not {name:?}: {keys:?}");
        }
    }

    #[test]
    fn suggestions_do_not_depend_on_the_order_of_keys(keys in keys(), other in any::<proptest::sample::Index>()) {
        let mut turned = keys.clone();
        turned.rotate_left(other.index(keys.len().max(1)));
        turned.reverse();
        prop_assert_eq!(suggested(Place::SHAPE, &text(&keys)), suggested(Place::SHAPE, &text(&turned)));
    }
}
