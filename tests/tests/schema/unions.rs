//! The four enum representations of serde, alone and in options.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_schema::schema::schema_text;

use crate::schema::{judge, judge_both};

macro_rules! action {
    ($name:ident $(, #[$attribute:meta])*) => {
        #[derive(Deserialize, ToolInput, JsonSchema)]
        #[serde(rename_all = "lowercase", deny_unknown_fields $(, $attribute)*)]
        #[tool(undocumented)]
        #[allow(dead_code)]
        enum $name {
            Stop,
            Move {
                x: u8,
                y: Option<u8>,
            },
        }
    };
}

#[test]
fn the_schema_of_externally_tagged_enums_accepts_their_values() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[tool(undocumented)]
    #[allow(dead_code)]
    enum Action {
        Stop,
        Wait(u8),
        Pause,
        Pair(u8, bool),
    }
    judge_both::<Action>(
        &[r#""stop""#, r#""pause""#, r#"{"wait": 1}"#, r#"{"pair": [1, true]}"#],
        &[r#""wait""#, r#"{"wait": "a"}"#, r#"{"wait": 1, "pair": [1, true]}"#, r#"{"pair": [1]}"#, r#""x""#, "{}"],
    );
    judge_both::<Option<Action>>(&["null", r#""stop""#, r#"{"wait": 1}"#], &["{}"]);
}

#[test]
fn the_schema_of_internally_tagged_enums_accepts_their_values() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(tag = "type", rename_all = "lowercase")]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    enum Action {
        Stop,
        Move { x: u8, y: Option<u8> },
        Go(Target),
    }
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    struct Target {
        city: String,
    }
    judge::<Action>(
        &[r#"{"type": "stop"}"#, r#"{"type": "move", "x": 1, "y": null}"#, r#"{"type": "go", "city": "Bern"}"#],
        &[r#"{"type": "move"}"#, r#"{"x": 1}"#, r#"{"type": "go", "city": "Bern", "x": 1}"#, r#"{"type": "x"}"#],
    );
    assert!(schema_text(Action::SHAPE).starts_with(
        r#"{"type":"object","anyOf":[{"type":"object","properties":{"type":{"type":"string","const":"stop"}},"required":["type"]}"#
    ));
}

#[test]
fn the_schema_of_adjacently_tagged_enums_accepts_their_values() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(tag = "t", content = "c", rename_all = "lowercase")]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    enum Action {
        Stop,
        Wait(u8),
    }
    judge_both::<Action>(
        &[r#"{"t": "stop"}"#, r#"{"t": "wait", "c": 1}"#],
        &[r#"{"t": "wait"}"#, r#"{"t": "wait", "c": "a"}"#, r#"{"c": 1}"#, r#""stop""#],
    );
    judge::<Action>(&[r#"{"t": "stop", "c": null}"#], &[r#"{"t": "stop", "c": 1}"#]);
}

#[test]
fn the_schema_of_untagged_enums_accepts_their_values() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(untagged)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    enum Id {
        Number(u8),
        Name { name: String },
        Nothing,
    }
    judge_both::<Id>(&["1", r#"{"name": "a"}"#, "null"], &["256", "{}", r#""a""#]);
    assert_eq!(schema_text(<Option<Id>>::SHAPE), schema_text(Id::SHAPE), "`null` is listed once");
}

#[test]
fn a_closed_enum_is_closed_in_every_representation() {
    action!(External);
    action!(Internal, #[tag = "type"]);
    action!(Adjacent, #[tag = "t"], #[content = "c"]);
    action!(Untagged, #[untagged]);
    judge_both::<External>(&[r#"{"move": {"x": 1}}"#], &[r#"{"move": {"x": 1, "z": 1}}"#]);
    judge_both::<Internal>(&[r#"{"type": "move", "x": 1}"#], &[r#"{"type": "move", "x": 1, "z": 1}"#]);
    judge_both::<Adjacent>(&[r#"{"t": "move", "c": {"x": 1}}"#], &[r#"{"t": "move", "c": {"x": 1}, "z": 1}"#]);
    judge_both::<Untagged>(&[r#"{"x": 1, "y": 2}"#], &[r#"{"x": 1, "z": 1}"#]);
}

#[test]
fn aliases_and_hidden_variants_are_not_shown() {
    #[derive(Deserialize, ToolInput)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)]
    enum Unit {
        #[serde(alias = "c")]
        Celsius,
        #[tool(hidden)]
        Kelvin,
    }
    assert_eq!(schema_text(Unit::SHAPE), r#"{"type":"string","enum":["celsius"]}"#);
    assert_eq!(schema_text(<Option<Unit>>::SHAPE), r#"{"type":["string","null"],"enum":["celsius",null]}"#);
}
