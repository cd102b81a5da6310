//! Flattening, closing, and objects without fields.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_schema::schema::schema_text;

use crate::schema::{judge, judge_both, schema};

#[derive(Deserialize, ToolInput, JsonSchema)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Page {
    number: u8,
    size: Option<u8>,
}

#[test]
fn an_object_without_fields_has_empty_properties() {
    #[derive(Deserialize, ToolInput)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    assert_eq!(schema_text(Nothing::SHAPE), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
}

#[test]
fn the_fields_of_a_flattened_struct_keep_their_position_and_the_object_is_open() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    struct Search {
        query: String,
        #[serde(flatten)]
        page: Page,
        sorted: bool,
    }
    judge::<Search>(
        &[r#"{"query": "a", "number": 1, "sorted": true}"#, r#"{"query": "a", "number": 1, "sorted": true, "x": 1}"#],
        &[r#"{"query": "a", "sorted": true}"#, r#"{"query": "a", "number": "1", "sorted": true}"#],
    );
    let schema = schema(Search::SHAPE);
    assert_eq!(schema["required"], serde_json::json!(["query", "number", "sorted"]));
}

#[test]
fn a_flattened_map_describes_the_values_of_all_other_keys() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    struct Labelled {
        name: String,
        #[serde(flatten)]
        labels: BTreeMap<String, bool>,
    }
    judge_both::<Labelled>(&[r#"{"name": "a", "x": true}"#], &[r#"{"name": "a", "x": 1}"#, r#"{"x": true}"#]);
}

#[test]
fn a_closed_object_accepts_the_keys_of_its_branches() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[tool(undocumented)]
    #[allow(dead_code)]
    enum Target {
        City(String),
        Zip(u32),
    }
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    struct Send {
        text: String,
        #[serde(flatten)]
        target: Target,
    }
    judge_both::<Send>(
        &[r#"{"text": "a", "city": "Bern"}"#, r#"{"text": "a", "zip": 3000}"#],
        &[
            r#"{"text": "a"}"#,
            r#"{"text": "a", "city": 1}"#,
            r#"{"text": "a", "city": "Bern", "x": 1}"#,
            r#"{"city": "Bern"}"#,
        ],
    );
    let schema = schema(Send::SHAPE);
    assert_eq!((&schema["unevaluatedProperties"], schema.get("additionalProperties")), (&false.into(), None));
}

#[test]
fn both_of_two_flattened_unions_must_match() {
    #[derive(Deserialize, ToolInput)]
    #[serde(tag = "a")]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    enum First {
        X { x: u8 },
        Y,
    }
    #[derive(Deserialize, ToolInput)]
    #[serde(tag = "b")]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    enum Second {
        Z { z: u8 },
        W,
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    struct Both {
        #[serde(flatten)]
        first: First,
        #[serde(flatten)]
        second: Second,
    }
    judge::<Both>(
        &[r#"{"a": "X", "x": 1, "b": "W"}"#, r#"{"a": "Y", "b": "Z", "z": 1}"#],
        &[r#"{"a": "X", "b": "W"}"#, r#"{"a": "X", "x": 1}"#, r#"{"a": "Y", "b": "Z"}"#],
    );
}
