//! Policies: the repairs of each policy, and which setting takes precedence.

use serde::Deserialize;
use tests::replay::replay_values;
use tool_runtime::RepairPolicy;
use tool_runtime::ToolInput;
use tool_schema::json::Json;

use crate::repair::coerce::coerced;

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Closed {
    path: String,
    lines: Option<u8>,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Open {
    city_name: String,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Mixed {
    #[tool(repair = "strict")]
    exact: Part,
    #[tool(repair = "lossless")]
    easy: Part,
    plain: Part,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Part {
    count: u8,
}

/// Checks the result for a value, which may be unchanged.
fn made(shape: &tool_schema::shape::Shape, policy: RepairPolicy, sent: &str, expected: &str) {
    let coerced = coerced(shape, sent, policy);
    assert_eq!(coerced.value.to_text(), expected, "{policy:?}");
    assert_eq!(coerced.repairs.is_empty(), sent == expected, "{policy:?} {:?}", coerced.repairs);
    let replayed = Json::parse(sent).ok().and_then(|json| replay_values(json, &coerced.repairs));
    assert_eq!(replayed, Some(coerced.value), "{policy:?}");
}

#[test]
fn the_strict_policy_repairs_nothing() {
    made(u8::SHAPE, RepairPolicy::Strict, r#""5""#, r#""5""#);
    made(u8::SHAPE, RepairPolicy::Strict, "5.0", "5.0");
    made(<Vec<u8>>::SHAPE, RepairPolicy::Strict, "5", "5");
    made(Closed::SHAPE, RepairPolicy::Strict, r#"{"path":"a","lines":""}"#, r#"{"path":"a","lines":""}"#);
}

#[test]
fn the_assisted_policy_renames_the_only_unknown_key_to_the_only_missing_one() {
    let path = r#"{"path":"a"}"#;
    made(Closed::SHAPE, RepairPolicy::Assisted, r#"{"Path":"a"}"#, path);
    made(Closed::SHAPE, RepairPolicy::Assisted, r#"{"file_path":"a"}"#, path);
    made(Closed::SHAPE, RepairPolicy::Lossless, r#"{"file_path":"a"}"#, r#"{"file_path":"a"}"#);
    // A dissimilar name, a different type, two unknown keys, or no missing key.
    made(Closed::SHAPE, RepairPolicy::Assisted, r#"{"file":"a"}"#, r#"{"file":"a"}"#);
    for sent in [r#"{"file_path":5}"#, r#"{"file_path":"a","dir":"b"}"#, r#"{"path":"a","file_path":"b"}"#] {
        made(Closed::SHAPE, RepairPolicy::Assisted, sent, sent);
    }
}

#[test]
fn the_assisted_policy_also_repairs_the_value_of_a_renamed_field() {
    #[derive(Deserialize, ToolInput)]
    #[allow(dead_code)]
    #[serde(deny_unknown_fields)]
    #[tool(undocumented)]
    struct Counted {
        counts: Vec<u8>,
    }
    made(Counted::SHAPE, RepairPolicy::Assisted, r#"{"count":"5"}"#, r#"{"counts":[5]}"#);
}

#[test]
fn with_allowed_unknown_keys_only_a_similar_key_is_renamed() {
    made(Open::SHAPE, RepairPolicy::Assisted, r#"{"cityName":"Paris"}"#, r#"{"city_name":"Paris"}"#);
    made(Open::SHAPE, RepairPolicy::Assisted, r#"{"note":"Paris"}"#, r#"{"note":"Paris"}"#);
}

#[test]
fn the_innermost_policy_takes_precedence() {
    let part = r#"{"count":"5"}"#;
    let sent = format!(r#"{{"exact":{part},"easy":{part},"plain":{part}}}"#);
    let of = |exact: &str, easy: &str, plain: &str| {
        format!(r#"{{"exact":{{"count":{exact}}},"easy":{{"count":{easy}}},"plain":{{"count":{plain}}}}}"#)
    };
    made(Mixed::SHAPE, RepairPolicy::Strict, &sent, &of("\"5\"", "5", "\"5\""));
    made(Mixed::SHAPE, RepairPolicy::Lossless, &sent, &of("\"5\"", "5", "5"));
}
