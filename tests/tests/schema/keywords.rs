//! Rules, documentation and examples as schema keywords.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_schema::schema::{schema_text, schemars_schema};
use tool_schema::shape::{Kind, Ref, Shape};

use crate::schema::{judge, judge_both, judge_schema, schema};

#[test]
fn keywords_and_properties_have_a_fixed_order() {
    /// Where to look.
    #[derive(Deserialize, ToolInput)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Search {
        /// What to look for.
        #[tool(length(min = 1, max = 80), pattern = "^[a-z]+$", example = "rust")]
        query: String,
        /// How many results.
        #[serde(default)]
        #[tool(range(min = 1, max = 50), default = 10)]
        limit: u8,
        /// Where it lies.
        #[tool(deprecated)]
        folder: Option<String>,
    }
    assert_eq!(
        schema_text(Search::SHAPE),
        concat!(
            r#"{"type":"object","description":"Where to look.","properties":{"#,
            r#""query":{"type":"string","description":"What to look for.","minLength":1,"maxLength":80,"pattern":"^[a-z]+$","examples":["rust"]},"#,
            r#""limit":{"type":"integer","description":"How many results.","minimum":1,"maximum":50,"default":10},"#,
            r#""folder":{"type":["string","null"],"description":"Where it lies.","deprecated":true}"#,
            r#"},"required":["query"],"additionalProperties":false}"#,
        )
    );
}

#[test]
fn the_tightest_bound_applies() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    struct Days {
        #[tool(range(max = 14))]
        days: u8,
        #[tool(range(min = 0.5, exclusive_max = 2))]
        factor: f64,
    }
    judge::<Days>(
        &[r#"{"days": 0, "factor": 0.5}"#, r#"{"days": 14, "factor": 1.9}"#],
        &[r#"{"days": 15, "factor": 1}"#, r#"{"days": -1, "factor": 1}"#, r#"{"days": 1, "factor": 2}"#],
    );
    assert_eq!(schema_text(u8::SHAPE), r#"{"type":"integer","minimum":0,"maximum":255}"#);
}

#[test]
fn big_numbers_are_exact() {
    let text = schema_text(u128::SHAPE);
    assert_eq!(text, r#"{"type":"integer","minimum":0,"maximum":340282366920938463463374607431768211455}"#);
}

#[test]
fn rules_apply_inside_options_and_to_items() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    struct Tags {
        #[tool(length(max = 2), inner(length(min = 2)))]
        tags: Option<Vec<String>>,
        #[tool(inner(range(max = 3)))]
        counts: BTreeMap<String, u8>,
    }
    judge::<Tags>(
        &[r#"{"tags": ["ab"], "counts": {"a": 3}}"#, r#"{"tags": null, "counts": {}}"#],
        &[
            r#"{"tags": ["a"], "counts": {}}"#,
            r#"{"tags": ["ab", "cd", "ef"], "counts": {}}"#,
            r#"{"tags": [], "counts": {"a": 4}}"#,
        ],
    );
}

#[test]
fn std_types_accept_the_same_values_as_with_schemars() {
    judge_both::<Option<String>>(&["null", r#""a""#], &["1"]);
    judge_both::<(u8, bool)>(&["[1, true]"], &["[1]", "[true, 1]", "[1, true, 2]"]);
    judge_both::<[u8; 2]>(&["[1, 2]"], &["[1]", "[1, 2, 3]"]);
    judge_both::<BTreeSet<u8>>(&["[]", "[1, 2]"], &["[1, 1]", "[-1]"]);
    judge_both::<BTreeMap<String, bool>>(&["{}", r#"{"a": true}"#], &[r#"{"a": 1}"#, "[]"]);
    judge_both::<()>(&["null"], &["0", "{}"]);
    judge_both::<serde_json::Value>(&["null", "[1]", "{}"], &[]);
    judge_both::<Vec<Option<i8>>>(&["[null, -128]"], &["[128]", "null"]);
}

#[test]
fn keys_of_maps_are_restricted_as_strings() {
    #[derive(Deserialize, ToolInput, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "lowercase")]
    enum Side {
        Left,
        Right,
    }
    let sides = Kind::Map { keys: Ref::Static(Side::SHAPE), values: Ref::Static(u8::SHAPE) };
    let schemas = [schema(&Shape::new(sides)), schemars::schema_for!(BTreeMap<Side, u8>).to_value()];
    for schema in schemas {
        judge_schema(&schema, &[r#"{"left": 1, "right": 2}"#], &[r#"{"top": 1}"#]);
    }
    judge::<BTreeMap<i32, u8>>(&[r#"{"-5": 1, "0": 2}"#], &[r#"{"a": 1}"#, r#"{"05": 1}"#, r#"{"-0": 1}"#]);
    judge::<BTreeMap<u32, u8>>(&[r#"{"5": 1}"#], &[r#"{"-5": 1}"#]);
}

#[test]
fn the_description_of_a_field_replaces_that_of_its_type_but_not_those_of_its_values() {
    /// Any unit.
    #[derive(Deserialize, ToolInput)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)]
    enum Unit {
        /// Water freezes at 0.
        Celsius,
        #[tool(deprecated)]
        Kelvin,
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    #[allow(dead_code)]
    struct Input {
        /// Unit of the answer.
        unit: Unit,
    }
    assert_eq!(
        schema_text(Input::SHAPE),
        concat!(
            r#"{"type":"object","properties":{"unit":{"type":"string","#,
            r#""description":"Unit of the answer.\ncelsius: Water freezes at 0.\nkelvin (deprecated)","#,
            r#""enum":["celsius","kelvin"]}},"required":["unit"]}"#,
        )
    );
}

#[test]
fn schemars_gets_the_same_schema() {
    let ours: serde_json::Value = serde_json::from_str(&schema_text(<Option<u8>>::SHAPE)).expect("a schema is JSON");
    assert_eq!(schemars_schema(<Option<u8>>::SHAPE).to_value(), ours);
}
