//! Tools with random schemas.

use serde_json::{Map, json};
use tests::cases;
use tests::dialects::called::{Advertised, Judged};
use tests::dialects::recorded::Tool;
use tests::dialects::schemas::{rejected_tool, tool};
use tests::dialects::values::Dice;
use tests::providers::DIALECTS;
use tool_schema::json::Json;

use crate::dialects::judge::Judge;
use crate::dialects::{dialect, render};

#[test]
fn every_value_of_a_random_schema_is_restored() {
    let (mut all, mut judged, mut strict) = (Vec::new(), 0, 0);
    for seed in 0..cases(9).into() {
        let tool = tool(seed);
        let judge = Judge::of(&tool);
        for name in DIALECTS {
            let dialect = dialect(name);
            let rendition = render(dialect, &tool.name, &tool.schema);
            strict += usize::from(rendition.strictness() == tool_schema::dialect::EffectiveStrictness::Strict);
            judged += judge.faults(dialect, &rendition, &mut all);
        }
    }
    let number = all.len();
    all.truncate(30);
    assert!(all.is_empty(), "{number} faults:\n{}", all.join("\n"));
    assert!(judged > 500 && strict > 5, "only {judged} values were tested, {strict} forms are strict");
}

#[test]
fn no_provider_rejects_a_shape_that_was_reported() {
    let (mut all, mut judged) = (Vec::new(), 0);
    for seed in 0..cases(60).into() {
        let tool = rejected_tool(seed);
        let judge = Judge::of(&tool);
        for name in DIALECTS {
            let dialect = dialect(name);
            judged += judge.faults(dialect, &render(dialect, &tool.name, &tool.schema), &mut all);
        }
    }
    let number = all.len();
    all.truncate(30);
    assert!(all.is_empty(), "{number} faults:\n{}", all.join("\n"));
    assert!(judged > 500, "only {judged} values were tested");
}

/// The body of the fuzz target `inverse`, with generated calls.
#[test]
fn calls_under_a_rewritten_form_are_restored_or_rejected_in_that_form() {
    let (mut ran, mut rejected, mut faults) = (0, 0, Vec::new());
    for seed in 0..cases(10).into() {
        let tool = tool(seed);
        for name in DIALECTS {
            let Some(advertised) = Advertised::of(dialect(name), &tool) else { continue };
            let mut dice = Dice::new(seed + 1);
            for _ in 0..12 {
                let text = advertised.text(&mut dice);
                match advertised.judge(&text) {
                    Ok(Judged::Ran) => ran += 1,
                    Ok(Judged::Rejected) => rejected += 1,
                    Err(fault) => faults.push(format!("{name} {seed}: {text}: {fault}")),
                }
            }
        }
    }
    let number = faults.len();
    faults.truncate(20);
    assert!(faults.is_empty(), "{number} faults in {} calls:\n{}", ran + rejected, faults.join("\n"));
    assert!(ran > 150 && rejected > 150, "{ran} calls ran, {rejected} were rejected");
}

/// The fuzz target `inverse` found it. The model writes the tool's own keys `~1` and `$ref`, which it has not seen. The
/// first is shown as `_1`; the tag belongs to a branch without the second, which keeps the spelling of the model.
#[test]
fn a_key_that_the_named_branch_does_not_have_keeps_its_spelling() {
    let advertised = Advertised::of(dialect("anthropic-strict"), &tool(97)).expect("a rewritten form");
    let text =
        r#"{"$ref": {"filter[id]": [], "properties": {}}, "properties": "x", "~1": {"$ref": [], "kind": "two"}}"#;
    assert_eq!(advertised.judge(text), Ok(Judged::Rejected));
}

/// Calls that more cases of the tests above found.
#[test]
fn rejections_of_calls_in_inner_unions_have_the_shown_form() {
    let calls = [
        // The object belongs to a branch of a union inside of the outer union, by the key that is shown as `filter_id_`.
        (
            "anthropic",
            97,
            r#"{"_ref": {"filter_id_": ["y"], "properties": {}}, "properties": "x", "_1": {"filter_id_": null, "properties": "é"}}"#,
        ),
        // Only one branch has all keys, but their values have issues.
        ("anthropic", 231, r#"{"key": {"a": {"_1": [], "user_name": {"_": 4}}}}"#),
        (
            "anthropic",
            542,
            r#"{"filter[id]": {}, "user name": {"kind": 1.5, "value": {"$ref": 2, "b": true, "kind": "one", "~1": false}}}"#,
        ),
        // The key that is shown as `user_name_2` becomes `user name`, which another branch shows as `user_name`.
        (
            "anthropic-strict",
            450,
            r#"{"_ref": null, "value": false,
                "key": {"properties": {"_": {"kind": null, "user_name": null, "user_name_2": null}, "filter_id_": "a", "properties": "x"}}}"#,
        ),
        // The issue is one of the union, although the branch of the object is certain.
        (
            "anthropic-strict",
            446,
            r#"{"$top": {"kind": true}, "a": {}, "properties": {"": null, "key": "", "kind": []}}"#,
        ),
        // Only some entries of a map in a union are entries.
        (
            "anthropic-strict",
            728,
            r#"{"_": "", "user_name": true, "user_name_2": [{"key": "$", "value": [{"key": "", "value": " $"}, {"key": "é", "value": "{"}]}, []]}"#,
        ),
        // The tag names two unions, but only one of their branches has all keys.
        ("anthropic", 1922, r#"{"kind": 1, "user_name": {"a": 1.5, "kind": "two", "user_name": {"filter_id_": "a"}}}"#),
        // A required key of a branch is missing in a map of which only some entries are accepted.
        (
            "anthropic-strict",
            1458,
            r#"{"_1": [{"key": "a", "value": {"_1": 1.5, "key": "é", "user_name": "{"}}], "properties": " "}"#,
        ),
        // A map was sent as an object.
        ("gemini-schema", 1185, r#"{"extra": null, "key": [], "value": [{"key": "a", "value": null}]}"#),
        // The issue is described by the validator instead of the shape.
        ("anthropic", 830, r#"{"_": {"kind": "one", "properties": {"_": "a", "b": {"value": 2}}}}"#),
    ];
    for (name, seed, text) in calls {
        let advertised = Advertised::of(dialect(name), &tool(seed)).expect("a rewritten form");
        assert_eq!(advertised.judge(text), Ok(Judged::Rejected), "{name} {seed}: {text}");
    }
    // Without members, a value of a union of an object and a map is a map, also if the map is in a union inside of the union.
    for (seed, text) in [(470, r#"{"user_name": {}}"#), (957, r#"{"b": true, "user name": {}}"#)] {
        let advertised = Advertised::of(dialect("openai-strict"), &tool(seed)).expect("a rewritten form");
        assert_eq!(advertised.judge(text), Ok(Judged::Ran), "{seed}: {text}");
    }
}

/// The branch of an object was searched once for each way through the unions, several times on each level.
#[test]
fn unions_inside_each_other_are_searched_once() {
    let (mut definitions, levels) = (Map::new(), 12);
    for level in 0..levels {
        let below = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        definitions.insert(format!("d{level}"), json!({"anyOf": [below, below]}));
    }
    let object = |key: &str, value| json!({"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": false});
    definitions.insert(format!("d{levels}"), object("filter[id]", json!({"type": "string"})));
    let mut value = object("a", json!({"$ref": "#/$defs/d0"}));
    value["$defs"] = definitions.into();
    let schema = Json::parse(&value.to_string()).expect("a schema is JSON").into_owned();
    let tool = Tool { name: "nested".to_owned(), value, schema };
    let advertised = Advertised::of(dialect("anthropic"), &tool).expect("a rewritten form");
    assert_eq!(advertised.judge(r#"{"a": {"filter_id_": 3, "b": 1}}"#), Ok(Judged::Rejected));
    assert_eq!(advertised.judge(r#"{"a": {"filter_id_": "x"}}"#), Ok(Judged::Ran));
}
