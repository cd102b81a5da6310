//! Hostile input: the work is linear in the input, and recursion is bounded.

use serde::Deserialize;
use tests::private::repair::{MAX_REPAIRS, coerce};
use tool_runtime::RepairPolicy;
use tool_runtime::ToolInput;
use tool_schema::json::{DEPTH_LIMIT, Json};
use tool_schema::shape::Shape;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[serde(untagged)]
#[tool(undocumented)]
enum Condition {
    And { a: Box<Condition>, b: Box<Condition> },
    Or { a: Box<Condition>, b: Box<Condition> },
    Not { a: Box<Condition> },
    Number(u8),
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct List {
    next: Option<Box<List>>,
    #[serde(default)]
    value: u8,
}

/// Returns a text as a JSON string.
fn stringified(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns the bytes that a coercion allocates, as a measure of work that other processes do not influence.
fn bytes(shape: &Shape, text: &str) -> u64 {
    let json = Json::parse(text).map_or_else(|error| panic!("{error}"), Json::into_owned);
    allocation_counter::measure(|| {
        std::hint::black_box(coerce(shape, json.clone(), RepairPolicy::Assisted));
    })
    .bytes_total
}

#[test]
fn the_cost_of_nested_strings_is_linear_in_their_length() {
    let nested = |items: usize| {
        let inner = format!("[{}]", vec!["\"1\""; items].join(","));
        stringified(&format!("[{}]", stringified(&format!("[{}]", stringified(&inner)))))
    };
    let shape = <Vec<Vec<Vec<u8>>>>::SHAPE;
    let (small, large) = (bytes(shape, &nested(100)), bytes(shape, &nested(1_000)));
    assert!(large < 15 * small, "{small} and {large}");
    let json = Json::parse(&nested(3)).map_or_else(|error| panic!("{error}"), Json::into_owned);
    assert_eq!(coerce(shape, json, RepairPolicy::Lossless).value.to_text(), "[[[1,1,1]]]");
}

#[test]
fn the_cost_of_faults_is_linear_in_their_number() {
    let shape = <Vec<Condition>>::SHAPE;
    let many = |items: usize| format!("[{}]", vec![r#"{"a": "1", "b": {"a": "x"}}"#; items].join(","));
    let (small, large) = (bytes(shape, &many(100)), bytes(shape, &many(1_000)));
    assert!(large < 15 * small, "{small} and {large}");
}

#[test]
fn nested_variants_are_tried_once_each() {
    let nested =
        |levels: usize| (0..levels).fold("\"5\"".to_owned(), |inner, _| format!(r#"{{"a": {inner}, "b": "6"}}"#));
    // Twice the depth is at most four times the work: each level is visited once and checked as a whole.
    let (small, large) = (bytes(Condition::SHAPE, &nested(30)), bytes(Condition::SHAPE, &nested(60)));
    assert!(large < 8 * small, "{small} and {large}");
}

#[test]
fn the_only_matching_variant_is_found_at_any_depth() {
    let nested =
        |levels: usize, inner: &str| (0..levels).fold(inner.to_owned(), |inner, _| format!(r#"{{"a":{inner}}}"#));
    let json = Json::parse(&nested(100, "\"5\"")).map_or_else(|error| panic!("{error}"), Json::into_owned);
    let coerced = coerce(Condition::SHAPE, json, RepairPolicy::Lossless);
    assert_eq!(coerced.value.to_text(), nested(100, "5"));
}

#[test]
fn repairs_do_not_exceed_the_depth_limit() {
    let deepest = format!("{}{}", "{\"next\":".repeat(DEPTH_LIMIT - 1), "{}") + &"}".repeat(DEPTH_LIMIT - 1);
    let text = format!(r#"{{"next": {}}}"#, stringified(&deepest));
    let json = Json::parse(&text).map_or_else(|error| panic!("{error}"), Json::into_owned);
    let coerced = coerce(List::SHAPE, json, RepairPolicy::Lossless);
    assert!(coerced.repairs.is_empty() && !coerced.issues.is_empty());
    let fits = format!(r#"{{"next": {}}}"#, stringified(&deepest[8..deepest.len() - 1]));
    let json = Json::parse(&fits).map_or_else(|error| panic!("{error}"), Json::into_owned);
    assert!(coerce(List::SHAPE, json, RepairPolicy::Lossless).issues.is_empty());
}

#[test]
fn a_long_string_of_quotes_is_cheap() {
    let quotes = |count: usize| stringified(&stringified(&"\\\"".repeat(count)));
    let shape = <Vec<u8>>::SHAPE;
    let (small, large) = (bytes(shape, &quotes(10_000)), bytes(shape, &quotes(100_000)));
    assert!(large < 15 * small, "{small} and {large}");
    let json = Json::parse(&quotes(100_000)).map_or_else(|error| panic!("{error}"), Json::into_owned);
    assert!(coerce(shape, json, RepairPolicy::Assisted).repairs.is_empty());
}

/// Repairs in discarded variants are not counted; those in the chosen variant are.
#[test]
fn only_repairs_in_the_chosen_variant_are_counted() {
    let texts = |texts: usize| format!("[{}]", vec!["\"5\""; texts].join(","));
    let repairs = |shape: &Shape, text: &str| {
        let json = Json::parse(text).expect("it is JSON").into_owned();
        let coerced = coerce(shape, json, RepairPolicy::Assisted);
        (coerced.issues.is_empty(), coerced.repairs.len())
    };
    let numbers = |many: usize| format!("[{}]", vec!["{\"a\":\"5\"}"; many].join(","));
    assert_eq!(repairs(<Vec<Either>>::SHAPE, &numbers(MAX_REPAIRS)), (true, MAX_REPAIRS));
    assert_eq!(repairs(<Vec<Either>>::SHAPE, &numbers(MAX_REPAIRS + 1)), (false, 0));
    let lists = |many: usize| format!("[{}]", vec![format!("{{\"b\":{}}}", texts(100)); many].join(","));
    assert_eq!(repairs(<Vec<Either>>::SHAPE, &lists(10)), (true, MAX_REPAIRS));
    assert_eq!(repairs(<Vec<Either>>::SHAPE, &lists(11)), (false, 0));
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(undocumented)]
#[allow(dead_code)]
enum Either {
    Wide(Wide),
    One(One),
    Many(Many),
}

#[derive(serde::Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
struct Wide {
    /// A number.
    a: u8,
    /// Another.
    z: u8,
}

#[derive(serde::Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
struct One {
    /// A number.
    a: u8,
}

#[derive(serde::Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
struct Many {
    /// Numbers.
    b: Vec<u8>,
}
