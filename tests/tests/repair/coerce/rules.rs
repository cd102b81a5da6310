//! Each rule with its own values.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tool_runtime::ToolInput;

use crate::repair::coerce::read;

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Order {
    id: u32,
    express: Option<bool>,
    #[serde(default)]
    copies: u8,
    #[serde(default)]
    unit: Option<Unit>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    #[tool(length(min = 2))]
    note: Option<String>,
}

#[derive(Deserialize, ToolInput, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Unit {
    DegreesCelsius,
    DegreesFahrenheit,
    #[serde(rename = "5")]
    Five,
    #[serde(rename = "true")]
    Yes,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[serde(tag = "type", rename_all = "snake_case")]
#[tool(undocumented)]
enum Action {
    CreateUser { age: u8 },
    DeleteUser { id: u32 },
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[serde(tag = "t", content = "c", rename_all = "snake_case")]
#[tool(undocumented)]
enum Beside {
    OneNumber(u8),
    ManyNumbers(Vec<u8>),
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[serde(rename_all = "snake_case")]
#[tool(undocumented)]
enum Shape {
    Unit,
    RoundShape { radius: u8 },
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[serde(untagged)]
#[tool(undocumented)]
enum Target {
    Numbers(Vec<u8>),
    Named { name: String, size: u8 },
    Flag(bool),
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(untagged)]
enum ListOrMap {
    List(Vec<serde_json::Value>),
    Map(BTreeMap<String, serde_json::Value>),
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Around {
    a: u8,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    action: Action,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Inner {
    b: u8,
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Wrapped(Vec<u8>);

#[test]
fn a_value_in_quotes_is_unquoted() {
    read(u8::SHAPE, r#""5""#, "5", &[("$", "text")]);
    read(u8::SHAPE, r#"" 5 ""#, "5", &[("$", "text")]);
    read(f64::SHAPE, r#""-1.5e3""#, "-1.5e3", &[("$", "text")]);
    read(bool::SHAPE, r#""true""#, "true", &[("$", "text")]);
    read(bool::SHAPE, r#""True""#, "true", &[("$", "text")]);
    read(bool::SHAPE, r#""False""#, "false", &[("$", "text")]);
    read(<Option<u8>>::SHAPE, r#""null""#, "null", &[("$", "text")]);
    read(<Box<Option<u8>>>::SHAPE, r#""7""#, "7", &[("$", "text")]);
    read(
        u128::SHAPE,
        r#""340282366920938463463374607431768211455""#,
        "340282366920938463463374607431768211455",
        &[("$", "text")],
    );
}

#[test]
fn a_whole_number_is_an_integer() {
    read(u8::SHAPE, "5.0", "5", &[("$", "whole_number")]);
    read(u64::SHAPE, "1e3", "1000", &[("$", "whole_number")]);
    read(i64::SHAPE, "-0", "0", &[("$", "whole_number")]);
    read(i64::SHAPE, "-0.0", "0", &[("$", "whole_number")]);
    read(i64::SHAPE, r#""-5.00""#, "-5", &[("$", "text"), ("$", "whole_number")]);
    read(u64::SHAPE, "9007199254740993.0", "9007199254740993", &[("$", "whole_number")]);
    read(u128::SHAPE, "3.4e38", &format!("34{}", "0".repeat(37)), &[("$", "whole_number")]);
}

#[test]
fn a_stringified_container_is_parsed() {
    read(<Vec<u8>>::SHAPE, r#""[1, 2]""#, "[1,2]", &[("$", "stringified")]);
    read(<(u8, bool)>::SHAPE, r#""[1, \"true\"]""#, "[1,true]", &[("$", "stringified"), ("[1]", "text")]);
    read(<BTreeMap<String, u8>>::SHAPE, r#""{\"a\": 1}""#, r#"{"a":1}"#, &[("$", "stringified")]);
    read(
        <BTreeMap<String, Vec<u8>>>::SHAPE,
        r#"{"a": "[\"1\", 2.0]"}"#,
        r#"{"a":[1,2]}"#,
        &[("a", "stringified"), ("a[0]", "text"), ("a[1]", "whole_number")],
    );
    read(Order::SHAPE, r#""{\"id\": 1}""#, r#"{"id":1}"#, &[("$", "stringified")]);
    // A string within a string.
    read(<Vec<u8>>::SHAPE, r#""\"[1]\"""#, "[1]", &[("$", "stringified"), ("$", "stringified")]);
    read(<Vec<Vec<u8>>>::SHAPE, r#"["[1]", [2]]"#, "[[1],[2]]", &[("[0]", "stringified")]);
}

#[test]
fn up_to_five_nested_strings_are_parsed() {
    let stringified = |times: usize| (0..times).fold("[1]".to_owned(), |text, _| format!("{text:?}"));
    let lines = [("$", "stringified"); 5];
    read(<Vec<u8>>::SHAPE, &stringified(5), "[1]", &lines);
    crate::repair::coerce::left(<Vec<u8>>::SHAPE, &stringified(6));
}

#[test]
fn a_single_value_becomes_an_array() {
    read(<Vec<u8>>::SHAPE, "5", "[5]", &[("$", "single_item")]);
    read(<Vec<u8>>::SHAPE, r#""5""#, "[5]", &[("$", "single_item"), ("[0]", "text")]);
    read(<Vec<String>>::SHAPE, r#""a b""#, r#"["a b"]"#, &[("$", "single_item")]);
    read(<Vec<String>>::SHAPE, r#""5""#, r#"["5"]"#, &[("$", "single_item")]);
    read(
        <BTreeSet<Unit>>::SHAPE,
        r#""Degrees Celsius""#,
        r#"["degrees_celsius"]"#,
        &[("$", "single_item"), ("[0]", "enum_spelling")],
    );
    read(<Vec<Order>>::SHAPE, r#"{"id": "1"}"#, r#"[{"id":1}]"#, &[("$", "single_item"), ("[0].id", "text")]);
    read(<Vec<Order>>::SHAPE, r#""{\"id\": 1}""#, r#"[{"id":1}]"#, &[("$", "single_item"), ("[0]", "stringified")]);
    read(Wrapped::SHAPE, "5", "[5]", &[("$", "single_item")]);
    read(<BTreeMap<String, Vec<u8>>>::SHAPE, r#"{"a": 1}"#, r#"{"a":[1]}"#, &[("a", "single_item")]);
}

#[test]
fn an_empty_value_of_an_optional_field_is_left_out() {
    read(
        Order::SHAPE,
        r#"{"id": 1, "express": "", "tags": null}"#,
        r#"{"id":1}"#,
        &[("express", "absent"), ("tags", "absent")],
    );
    read(Order::SHAPE, r#"{"copies": null, "id": "1"}"#, r#"{"id":1}"#, &[("id", "text"), ("copies", "absent")]);
    read(
        Order::SHAPE,
        r#"{"id": 1, "unit": "", "copies": ""}"#,
        r#"{"id":1}"#,
        &[("copies", "absent"), ("unit", "absent")],
    );
    // The value violates the rule of the field.
    read(Order::SHAPE, r#"{"id": 1, "note": ""}"#, r#"{"id":1}"#, &[("note", "absent")]);
}

#[test]
fn a_misspelt_enum_value_is_corrected() {
    read(Unit::SHAPE, r#""degrees-celsius""#, r#""degrees_celsius""#, &[("$", "enum_spelling")]);
    read(Unit::SHAPE, r#""DegreesCelsius""#, r#""degrees_celsius""#, &[("$", "enum_spelling")]);
    read(Unit::SHAPE, r#"" degrees fahrenheit ""#, r#""degrees_fahrenheit""#, &[("$", "enum_spelling")]);
    read(Unit::SHAPE, r#""\"degrees_celsius\"""#, r#""degrees_celsius""#, &[("$", "stringified")]);
    read(
        <BTreeMap<Unit, u8>>::SHAPE,
        r#"{"Degrees Celsius": "1"}"#,
        r#"{"degrees_celsius":1}"#,
        &[("[\"Degrees Celsius\"]", "rename"), ("degrees_celsius", "text")],
    );
}

#[test]
fn a_number_or_a_boolean_can_be_the_name_of_an_enum_value() {
    read(Unit::SHAPE, "5", r#""5""#, &[("$", "as_text")]);
    read(Unit::SHAPE, "true", r#""true""#, &[("$", "as_text")]);
}

#[test]
fn a_misspelt_tag_is_corrected_and_identifies_the_variant() {
    read(
        Action::SHAPE,
        r#"{"type": "CreateUser", "age": "5"}"#,
        r#"{"type":"create_user","age":5}"#,
        &[("type", "enum_spelling"), ("age", "text")],
    );
    read(
        Action::SHAPE,
        r#""{\"type\": \"delete_user\", \"id\": 7.0}""#,
        r#"{"type":"delete_user","id":7}"#,
        &[("$", "stringified"), ("id", "whole_number")],
    );
    read(Beside::SHAPE, r#"{"t": "one_number", "c": "5"}"#, r#"{"t":"one_number","c":5}"#, &[("c", "text")]);
    read(
        Beside::SHAPE,
        r#"{"c": 5, "t": "Many-Numbers"}"#,
        r#"{"c":[5],"t":"many_numbers"}"#,
        &[("t", "enum_spelling"), ("c", "single_item")],
    );
    read(
        Shape::SHAPE,
        r#"{"round_shape": {"radius": "5"}}"#,
        r#"{"round_shape":{"radius":5}}"#,
        &[("round_shape.radius", "text")],
    );
    read(
        Shape::SHAPE,
        r#"{"RoundShape": "{\"radius\": 5}"}"#,
        r#"{"round_shape":{"radius":5}}"#,
        &[("RoundShape", "rename"), ("round_shape", "stringified")],
    );
    read(Shape::SHAPE, r#""UNIT""#, r#""unit""#, &[("$", "enum_spelling")]);
}

#[test]
fn in_an_untagged_union_the_only_matching_variant_is_used() {
    read(Target::SHAPE, r#""[1, \"2\"]""#, "[1,2]", &[("$", "stringified"), ("[1]", "text")]);
    read(Target::SHAPE, r#"{"name": "5", "size": "5"}"#, r#"{"name":"5","size":5}"#, &[("size", "text")]);
    read(Target::SHAPE, r#""True""#, "true", &[("$", "text")]);
    // The list is the only variant that can accept the value.
    read(Target::SHAPE, "5", "[5]", &[("$", "single_item")]);
    // The object could be an item of a list, but it is a valid object itself.
    read(ListOrMap::SHAPE, r#""{\"a\": 1}""#, r#"{"a":1}"#, &[("$", "stringified")]);
    read(ListOrMap::SHAPE, r#""[1]""#, "[1]", &[("$", "stringified")]);
}

#[test]
fn flattened_types_are_repaired_among_the_outer_keys() {
    read(
        Around::SHAPE,
        r#"{"b": "2", "type": "DeleteUser", "id": "3", "a": "1"}"#,
        r#"{"b":2,"type":"delete_user","id":3,"a":1}"#,
        &[("a", "text"), ("b", "text"), ("type", "enum_spelling"), ("id", "text")],
    );
}
