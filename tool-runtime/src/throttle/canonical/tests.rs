//! Tests that different spellings of one value are equal, and that different values differ.

use serde::Deserialize;

use super::*;
use crate::ToolInput;

#[derive(Deserialize, tool_macros::ToolInput)]
#[tool(ignore_unknown, crate = crate)]
#[allow(dead_code)]
struct Page {
    /// The query.
    #[tool(example = "rust")]
    #[serde(alias = "q")]
    query: String,
    /// The limit.
    #[tool(example = 10)]
    limit: Option<f64>,
    /// The offset.
    #[tool(default = 3)]
    #[serde(default)]
    offset: Option<u32>,
    /// Ranges.
    #[serde(default)]
    ranges: Vec<Range>,
    /// Order of the results.
    order: Option<Order>,
}

#[derive(Deserialize, tool_macros::ToolInput)]
#[tool(crate = crate)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[serde(alias = "newest")]
    Date,
}

#[derive(Deserialize, tool_macros::ToolInput)]
#[tool(ignore_unknown, crate = crate)]
#[allow(dead_code)]
struct Range {
    /// From.
    #[tool(example = 1)]
    from: Option<u32>,
}

fn page(text: &str) -> Option<u64> {
    arguments(&Arguments::from(text), &Ref::Static(Page::SHAPE))
}

#[test]
fn spellings_of_one_value_are_the_same() {
    let written = r#"{"query": "a", "limit": 1, "ranges": [{}]}"#;
    for other in
        [r#"{"limit":1.0,"query":"a","ranges":[{}]}"#, r#"{"q":"\u0061","limit":10e-1,"ranges":[{"from":null}]}"#]
    {
        assert_eq!(page(other), page(written), "{other}");
    }
    assert_eq!(page(r#"{"query":"a","limit":null}"#), page(r#"{"query":"a"}"#));
    assert_eq!(page(r#"{"query":"a","offset":3}"#), page(r#"{"query":"a"}"#));
    assert_eq!(page(r#"{"query":"a","offset":3.0}"#), page(r#"{"query":"a"}"#));
    assert_eq!(page(r#"{"query":"a","order":"newest"}"#), page(r#"{"query":"a","order":"date"}"#));
    assert_eq!(page(""), page("{}"));
}

#[test]
fn different_values_differ() {
    let texts = [
        r#"{"query":"a"}"#,
        r#"{"query":"a","limit":1}"#,
        r#"{"query":"a","limit":-1}"#,
        r#"{"query":"a","limit":"1"}"#,
        r#"{"query":"a","limit":1.5}"#,
        r#"{"query":"a","offset":null}"#, // Omitting `offset` means 3.
        r#"{"query":"a","ranges":[]}"#,
        r#"{"query":"a","ranges":[{"from":1},{"from":2}]}"#,
        r#"{"query":"a","ranges":[{"from":2},{"from":1}]}"#,
        r#"{"query":null}"#, // `query` is required, so null differs from omitting it.
        "{}",
        r#"["query","a"]"#,
        "[[]]",
        "[{}]",
    ];
    let hashes: std::collections::HashSet<_> = texts.map(page).into_iter().flatten().collect();
    assert_eq!(hashes.len(), texts.len());
    assert_eq!(page("{\"query\""), None);
}

#[test]
fn volatile_members_are_ignored_at_any_depth() {
    let volatile = SharedSlice::from(vec![Text::from_static("timestamp"), Text::from_static("id")]);
    let of = |text| result(text, &volatile);
    assert_eq!(of(r#"{"timestamp":1,"rows":[{"id":7,"n":1}]}"#), of(r#"{"rows":[{"n":1,"id":8}],"timestamp":2}"#));
    assert_ne!(of(r#"{"timestamp":1,"rows":[{"n":1}]}"#), of(r#"{"timestamp":1,"rows":[{"n":2}]}"#));
    assert_ne!(of("timestamp 1"), of("timestamp 2"));
    assert_ne!(result(r#"{"id":1}"#, &SharedSlice::EMPTY), result(r#"{"id":2}"#, &SharedSlice::EMPTY));
}
