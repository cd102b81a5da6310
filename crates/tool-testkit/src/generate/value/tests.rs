//! Tests of the values that given choices produce: bounds of ranges and lengths, optional parts, and the depth from which optional parts
//! are left out.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_runtime::tool_schema::shape::Range;

use super::*;

/// Returns the value that these choices produce at this depth.
fn made<T: ToolInput>(rules: &[Rule], depth: usize, choices: &[u32]) -> String {
    Maker::new(choices.to_vec()).make(&Ref::Static(T::SHAPE), rules, None, depth).to_text()
}

fn range(min: i128, max: i128) -> Rule {
    Rule::Range(Range::inclusive(Number::Integer(min), Number::Integer(max)))
}

fn length(measure: Measure, min: u64, max: u64) -> Rule {
    Rule::Length(Length { measure, min, max: Some(max) })
}

#[test]
fn numbers_reach_both_bounds() {
    assert_eq!((made::<u8>(&[], 0, &[]), made::<u8>(&[], 0, &[255])), ("0".to_owned(), "255".to_owned()));
    let rules = [range(3, 9)];
    assert_eq!((made::<u8>(&rules, 0, &[]), made::<u8>(&rules, 0, &[6])), ("3".to_owned(), "9".to_owned()));
    assert_eq!(made::<u8>(&rules, 0, &[7]), "3");
    assert_eq!(made::<u8>(&[Rule::MultipleOf(Number::Integer(5))], 0, &[3]), "15");
    assert_eq!(made::<u8>(&[Rule::MultipleOf(Number::Integer(0))], 0, &[7]), "7");
}

#[test]
fn numbers_have_a_fraction_only_without_a_rule() {
    assert_eq!((made::<f64>(&[], 0, &[3]), made::<f64>(&[], 0, &[3, 1])), ("3".to_owned(), "3.5".to_owned()));
    assert_eq!(made::<f64>(&[range(0, 9)], 0, &[3, 1]), "3");
}

#[test]
fn both_booleans_are_made() {
    assert_eq!((made::<bool>(&[], 0, &[]), made::<bool>(&[], 0, &[1])), ("false".to_owned(), "true".to_owned()));
}

#[test]
fn texts_reach_both_bounds_of_their_length() {
    let rules = [length(Measure::Characters, 2, 6)];
    assert_eq!(made::<String>(&rules, 0, &[]), r#""aa""#);
    assert_eq!(made::<String>(&rules, 0, &[4, 0, 1, 2, 3, 4, 5]), r#""aZ7 é🦀""#);
    assert_eq!(made::<String>(&[length(Measure::Items, 3, 3)], 0, &[]), r#""""#);
}

#[test]
fn items_repeat_except_in_sets() {
    assert_eq!(made::<Vec<u8>>(&[], 0, &[2, 7, 7]), "[7,7]");
    assert_eq!(made::<BTreeSet<u8>>(&[], 0, &[2, 7, 7]), "[7]");
    assert_eq!(made::<BTreeSet<u8>>(&[], 0, &[2, 7, 8]), "[7,8]");
    assert_eq!(made::<Vec<u8>>(&[Rule::Inner(vec![range(3, 9)].into())], 0, &[1]), "[3]");
}

#[test]
fn keys_of_a_map_do_not_repeat() {
    assert_eq!(made::<BTreeMap<String, u8>>(&[], 0, &[2, 1, 0, 7, 1, 1, 8]), r#"{"a":7,"Z":8}"#);
    assert_eq!(made::<BTreeMap<String, u8>>(&[], 0, &[2, 1, 0, 7, 1, 0, 8]), r#"{"a":7}"#);
}

#[test]
fn an_option_is_null_at_one_choice_in_four_and_always_below_the_shallow_depth() {
    assert_eq!(made::<Option<u8>>(&[], 0, &[4, 5]), "null");
    let at = |depth| made::<Option<u8>>(&[], depth, &[1, 5]);
    assert_eq!([0, SHALLOW, SHALLOW + 1, SHALLOW + 2].map(at), ["5", "5", "null", "null"]);
}

#[test]
fn lists_have_their_minimal_length_below_the_shallow_depth() {
    let at = |depth| made::<Vec<u8>>(&[length(Measure::Items, 1, 3)], depth, &[1, 7, 8]);
    assert_eq!([0, SHALLOW, SHALLOW + 1, SHALLOW + 2].map(at), ["[7,8]", "[7,8]", "[1]", "[1]"]);
    assert_eq!(made::<Vec<u8>>(&[], SHALLOW + 1, &[1, 7]), "[]");
}

/// Each level of nesting counts, so a list inside a value at the maximum depth for optional parts is empty.
#[test]
fn nested_values_are_one_level_deeper() {
    assert_eq!(made::<Box<Vec<u8>>>(&[], SHALLOW, &[1, 7]), "[]");
    assert_eq!(made::<Option<Vec<u8>>>(&[], SHALLOW, &[1, 1, 7]), "[]");
    assert_eq!(made::<Vec<Vec<u8>>>(&[], SHALLOW, &[1, 1, 7]), "[[]]");
    assert_eq!(made::<(Vec<u8>, u8)>(&[], SHALLOW, &[1, 7]), "[[],1]");
    assert_eq!(made::<BTreeMap<String, Vec<u8>>>(&[], SHALLOW, &[1, 0, 1, 7]), r#"{"":[]}"#);
}

#[test]
fn values_below_the_deepest_level_are_null() {
    let at = |depth| made::<bool>(&[], depth, &[1]);
    assert_eq!([DEEPEST, DEEPEST + 1, DEEPEST + 2].map(at), ["true", "null", "null"]);
    assert_eq!(made::<(bool, bool)>(&[], DEEPEST, &[1, 1]), "[null,null]");
}

#[derive(Deserialize, tool_runtime::ToolInput)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Page {
    list: Vec<u8>,
    #[serde(flatten)]
    rest: Rest,
    note: Option<bool>,
}

#[derive(Deserialize, tool_runtime::ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
struct Rest {
    more: Vec<u8>,
}

#[test]
fn optional_fields_are_present_or_absent() {
    assert_eq!(made::<Page>(&[], 0, &[0, 0, 0, 1, 1]), r#"{"list":[],"more":[]}"#);
    assert_eq!(made::<Page>(&[], 0, &[0, 0, 1, 1, 1]), r#"{"list":[],"more":[],"note":true}"#);
    assert_eq!(made::<Page>(&[], SHALLOW - 1, &[0, 1, 1, 1]), r#"{"list":[],"more":[],"note":true}"#);
    assert_eq!(made::<Page>(&[], SHALLOW, &[1, 1, 1]), r#"{"list":[],"more":[],"note":null}"#);
    assert_eq!(made::<Page>(&[], SHALLOW, &[0, 1, 1]), r#"{"list":[],"more":[]}"#);
    assert_eq!(made::<Page>(&[], SHALLOW + 1, &[1, 1, 1]), r#"{"list":[],"more":[]}"#);
}

#[derive(Deserialize, tool_runtime::ToolInput)]
#[tool(undocumented)]
#[allow(dead_code)]
enum Tree {
    Leaf(Vec<u8>),
    End,
    #[tool(hidden)]
    Old,
}

#[test]
fn every_visible_variant_is_generated_and_only_the_empty_one_below_the_shallow_depth() {
    assert_eq!(made::<Tree>(&[], 0, &[0, 1, 7]), r#"{"Leaf":[7]}"#);
    assert_eq!(made::<Tree>(&[], 0, &[1]), r#""End""#);
    assert_eq!(made::<Tree>(&[], 0, &[2, 1, 7]), r#"{"Leaf":[7]}"#);
    let at = |depth| made::<Tree>(&[], depth, &[0, 1, 7]);
    assert_eq!([SHALLOW, SHALLOW + 1, SHALLOW + 2].map(at), [r#"{"Leaf":[]}"#, r#""End""#, r#""End""#]);
}
