//! Each rule of `#[tool(…)]`, on a field, behind `Option`, on items, on positions and on whole types.

use serde::Deserialize;
use tool_runtime::{CustomRuleError, ToolInput};

use crate::macros::derive::{expect, expect_sure};

macro_rules! one_field {
    ($test:ident: $type:ty, [$($rule:tt)*], $shape:literal, accepted $accepted:expr, rejected $rejected:expr) => {
        #[test]
        fn $test() {
            #[derive(Deserialize, ToolInput)]
            #[tool(ignore_unknown)]
            #[allow(dead_code)]
            struct One {
                /// The only one.
                #[tool($($rule)*)]
                a: $type,
            }
            expect::<One>(concat!("One {a", $shape, "}"), $accepted, $rejected);
            expect_sure::<One>($accepted);
        }
    };
}

one_field!(length_counts_characters: String, [length(min = 1, max = 3)], ": string [length 1..3]",
    accepted &[r#"{"a":"é"}"#, r#"{"a":"ééé"}"#], rejected &[r#"{"a":""}"#, r#"{"a":"éééé"}"#]);
one_field!(length_counts_items: Vec<u8>, [length(equal = 2)], ": [integer] [length 2..2]",
    accepted &[r#"{"a":[1,2]}"#], rejected &[r#"{"a":[1]}"#, r#"{"a":[1,2,3]}"#]);
one_field!(a_rule_says_nothing_about_an_absent_value: Option<String>, [length(min = 2)], "?: string? [length 2..]",
    accepted &["{}", r#"{"a":null}"#, r#"{"a":"ab"}"#], rejected &[r#"{"a":"a"}"#]);
one_field!(range_includes_its_ends: i8, [range(min = -5, max = 5)], ": integer [range -5..5]",
    accepted &[r#"{"a":-5}"#, r#"{"a":5}"#], rejected &[r#"{"a":-6}"#, r#"{"a":6}"#]);
one_field!(range_excludes_its_ends: f64, [range(exclusive_min = 0, exclusive_max = 1.5)], ": number [range (0)..(1.5)]",
    accepted &[r#"{"a":0.1}"#, r#"{"a":1}"#], rejected &[r#"{"a":0}"#, r#"{"a":1.5}"#]);
one_field!(multiple_of_a_decimal: f64, [multiple_of = 0.1], ": number [multiple_of 0.1]",
    accepted &[r#"{"a":0.3}"#], rejected &[r#"{"a":0.35}"#]);
one_field!(pattern_is_a_search: String, [pattern = "b+"], ": string [pattern b+]",
    accepted &[r#"{"a":"abba"}"#], rejected &[r#"{"a":"aa"}"#]);
one_field!(format_is_asserted: String, [format = "date"], ": string [format date]",
    accepted &[r#"{"a":"2024-02-29"}"#], rejected &[r#"{"a":"2023-02-29"}"#]);
one_field!(unique_items_compares_items: Vec<u8>, [unique_items], ": [integer] [unique_items]",
    accepted &[r#"{"a":[1,2]}"#], rejected &[r#"{"a":[1,2,1]}"#]);
one_field!(inner_judges_items: Option<Vec<String>>, [inner(length(max = 2), pattern = "^a")], "?: [string]? [inner [length 0..2, pattern ^a]]",
    accepted &["{}", r#"{"a":["a","ab"]}"#], rejected &[r#"{"a":["abc"]}"#, r#"{"a":["a","b"]}"#]);
one_field!(inner_nests: Vec<Vec<u8>>, [inner(inner(range(max = 2)))], ": [[integer]] [inner [inner [range ..2]]]",
    accepted &[r#"{"a":[[1],[2]]}"#], rejected &[r#"{"a":[[1],[2,3]]}"#]);
one_field!(rules_add_up: u8, [range(min = 2), multiple_of = 2, custom = not_four], ": integer [range 2.., multiple_of 2, custom]",
    accepted &[r#"{"a":2}"#], rejected &[r#"{"a":0}"#, r#"{"a":3}"#, r#"{"a":4}"#]);
one_field!(custom_judges_items: Vec<u8>, [inner(custom = not_four)], ": [integer] [inner [custom]]",
    accepted &[r#"{"a":[3,5]}"#], rejected &[r#"{"a":[3,4]}"#]);

fn not_four(value: &u8) -> Result<(), CustomRuleError> {
    if *value == 4 { Err("must not be four".into()) } else { Ok(()) }
}

#[test]
fn a_rule_of_a_type_applies_to_the_whole_value() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, custom = ordered, undocumented)]
    struct Span {
        from: u8,
        to: u8,
    }
    fn ordered(span: &Span) -> Result<(), CustomRuleError> {
        if span.from <= span.to { Ok(()) } else { Err("must not end before it begins".into()) }
    }
    expect::<Span>("Span {from: integer, to: integer} [custom]", &[r#"{"from":1,"to":2}"#], &[r#"{"from":2,"to":1}"#]);
}

#[test]
fn a_newtype_has_the_rules_of_its_field() {
    #[derive(Deserialize, ToolInput)]
    struct Code(#[tool(length(max = 2))] String);
    expect::<Code>("Code = string [length 0..2]", &[r#""ab""#], &[r#""abc""#, "1"]);
    expect_sure::<Code>(&[r#""ab""#]);
}

#[test]
fn a_tuple_position_has_its_own_rules() {
    #[derive(Deserialize, ToolInput)]
    struct Pair(u8, #[tool(range(max = 9))] u8);
    expect::<Pair>("Pair (integer, = integer [range ..9])", &["[20,9]"], &["[20,10]", "[1]", "[1,2,3]"]);
}

#[test]
fn rules_hold_in_every_representation() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    enum External {
        Struct {
            /// At most nine.
            #[tool(range(max = 9))]
            a: u8,
        },
        Newtype(#[tool(range(max = 9))] u8),
        Tuple(u8, #[tool(range(max = 9))] u8),
        Unit,
    }
    expect::<External>(
        "External <external: Struct {a: integer [range ..9]} | Newtype = integer [range ..9] | Tuple (integer, = integer [range ..9]) | Unit>",
        &[r#"{"Struct":{"a":9}}"#, r#"{"Newtype":9}"#, r#"{"Tuple":[99,9]}"#, r#""Unit""#],
        &[r#"{"Struct":{"a":10}}"#, r#"{"Newtype":10}"#, r#"{"Tuple":[9,10]}"#],
    );
    expect_sure::<External>(&[r#"{"Struct":{"a":9}}"#, r#"{"Newtype":9}"#, r#"{"Tuple":[99,9]}"#, r#""Unit""#]);

    #[derive(Deserialize, ToolInput)]
    #[serde(untagged)]
    #[tool(ignore_unknown, undocumented)]
    enum Untagged {
        Number(#[tool(range(max = 9))] u8),
        Text(String),
        Struct { a: u8 },
    }
    expect::<Untagged>(
        "Untagged <untagged: Number = integer [range ..9] | Text string | Struct {a: integer}>",
        &["9", r#""x""#, r#"{"a":10}"#],
        &["10", "true", r#"{"b":1}"#],
    );
}

#[test]
fn nested_types_are_checked_too() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Tree {
        #[tool(range(max = 9))]
        value: u8,
        #[serde(default)]
        children: Vec<Tree>,
    }
    expect::<Tree>(
        "Tree {value: integer [range ..9], children?: [Tree]}",
        &[r#"{"value":1,"children":[{"value":9}]}"#],
        &[r#"{"value":1,"children":[{"value":10}]}"#],
    );
}
