//! Hostile input: wide, long and deep. It causes no panic, all issues are reported, and texts stay short.

use std::fmt::Write;

use tool_runtime::ValidationError;
use tool_schema::issue::MAX_ISSUES;
use tool_schema::shape::{Kind, Ref, UnknownKeys};

use crate::check::{INTEGER, STRING, field, issues, object, shape, u8_shape};

fn members(count: usize, key: impl Fn(usize) -> String) -> String {
    let mut text = String::from("{");
    for index in 0..count {
        let comma = if index == 0 { "" } else { "," };
        write!(text, "{comma}\"{}\":1", key(index)).expect("a string takes everything");
    }
    text + "}"
}

#[test]
fn a_hundred_thousand_unknown_keys_give_a_bounded_list_of_issues() {
    let shape = object(&[field("key", INTEGER)], UnknownKeys::Rejected);
    let found = issues(shape, &members(100_000, |index| format!("key{index}")));
    assert_eq!(found.len(), MAX_ISSUES + 1);
    assert!(found.iter().filter(|issue| issue.suggestion.is_some()).count() <= 64);
    let told = ValidationError::new(found).map(|error| error.to_string()).unwrap_or_default();
    assert!(told.starts_with("more than 1000 issues: key is required; ") && told.ends_with("; and more than 995 more"));
    assert!(told.len() < 1_024);
}

#[test]
fn a_hundred_thousand_repetitions_of_one_key_are_one_issue() {
    let shape = object(&[field("key", INTEGER)], UnknownKeys::Rejected);
    let found = issues(shape, &members(100_000, |_| "key".to_owned()));
    assert_eq!(found.iter().map(tool_runtime::Issue::message).collect::<Vec<_>>(), ["key must be given only once"]);
}

#[test]
fn a_thousand_unknown_keys_beside_a_thousand_fields_are_all_reported() {
    let names: Vec<&'static str> = (0..1_000).map(|index| &*Box::leak(format!("f{index}").into_boxed_str())).collect();
    let fields: Vec<_> = names.iter().map(|name| field(name, INTEGER)).collect();
    let found = issues(object(&fields, UnknownKeys::Rejected), &members(2_000, |index| format!("f{index}")));
    assert_eq!(found.len(), 1_000);
}

#[test]
fn a_long_key_and_a_long_value_are_shortened() {
    let shape = object(&[field("a", u8_shape())], UnknownKeys::Rejected);
    let long = "ä".repeat(5_000);
    let found = issues(shape, &format!("{{\"a\": \"{long}\", \"{long}\": 1}}"));
    assert_eq!(found.len(), 2);
    for issue in found {
        assert!(issue.message().len() < 400 && issue.got.preview.len() <= 200);
    }
}

#[test]
fn an_issue_below_a_hundred_levels_is_found() {
    fn nested(levels: usize) -> &'static tool_schema::shape::Shape {
        (0..levels).fold(STRING, |inner, _| shape(Kind::Array(Ref::Static(inner))))
    }
    let text = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let found = issues(nested(100), &text);
    assert_eq!(found[0].path.to_string(), "[0]".repeat(100));
}

#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[allow(dead_code)]
struct Around {
    /// A name.
    name: String,
    #[serde(flatten)]
    inner: Option<Inner>,
}

#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
struct Inner {
    /// Small numbers.
    #[tool(inner(range(max = 5)))]
    numbers: Vec<u8>,
    /// A word.
    word: String,
}

/// serde decodes a flattened `Option` as absent if its value does not decode, even if the value also breaks rules.
#[test]
fn a_full_list_of_issues_does_not_hide_a_decoding_fault() {
    let call = |word: &str| format!(r#"{{"name": "a", "numbers": [{}9], "word": {word}}}"#, "9,".repeat(2_000));
    let shape = <Around as tool_runtime::ToolInput>::SHAPE;
    assert_eq!(issues(shape, &call("5")).len(), 0);
    assert!(serde_json::from_str::<Around>(&call("5")).is_ok_and(|around| around.inner.is_none()));
    assert_eq!(issues(shape, &call("\"x\"")).len(), MAX_ISSUES + 1);
}
