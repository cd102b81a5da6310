//! Random schemas: odd keys, maps in unions, recursion, defaults, nullable and optional values at every depth.

use serde_json::{Map, Value, json};
use tool_schema::json::Json;

use super::recorded::Tool;
use super::values::Dice;

/// Keys that some provider rejects, that rewritten definitions use themselves, or that become alike when they are renamed.
const KEYS: [&str; 14] = [
    "a",
    "b",
    "key",
    "value",
    "kind",
    "$top",
    "filter[id]",
    "user name",
    "user_name",
    "",
    "é",
    "~1",
    "$ref",
    "properties",
];

/// The number of definitions of a schema.
const DEFINITIONS: usize = 3;

fn pick<'t, T>(dice: &mut Dice, choices: &'t [T]) -> &'t T {
    &choices[dice.below(choices.len())]
}

fn schema(dice: &mut Dice, depth: usize) -> Value {
    let leaf = depth == 0;
    let mut schema = match dice.below(if leaf { 6 } else { 13 }) {
        0 => json!({"type": "string", "minLength": dice.below(2), "description": "A text."}),
        1 => pick(
            dice,
            &[json!({"enum": ["x", "y"]}), json!({"type": "integer", "enum": [1, 2]}), json!({"const": "x"})],
        )
        .clone(),
        2 => json!({"type": "integer", "minimum": 0, "maximum": 5, "default": 3}),
        3 => json!({"type": "boolean"}),
        4 => json!({"type": ["string", "null"]}),
        5 => json!({"$ref": format!("#/$defs/d{}", dice.below(DEFINITIONS))}),
        6 => json!({"type": "array", "items": schema(dice, depth - 1), "maxItems": 4}),
        7 => json!({"type": "object", "additionalProperties": schema(dice, depth - 1)}),
        8 | 9 => union(dice, depth - 1),
        10 => json!({"allOf": [schema(dice, depth - 1)]}),
        _ => object(dice, depth - 1),
    };
    if dice.below(6) == 0
        && let Some(members) = schema.as_object_mut()
    {
        members.insert("description".to_owned(), json!("It is described."));
    }
    schema
}

fn union(dice: &mut Dice, depth: usize) -> Value {
    let tags = ["one", "two", "three"];
    let is_tagged = dice.below(2) == 0;
    let branch = |number: usize, dice: &mut Dice| {
        if !is_tagged {
            return schema(dice, depth);
        }
        let mut branch = object(dice, depth);
        branch["properties"]["kind"] = json!({"const": tags[number]});
        let required = branch["required"].as_array().cloned().unwrap_or_default();
        branch["required"] = required.into_iter().filter(|name| name != "kind").chain([json!("kind")]).collect();
        branch
    };
    let mut branches: Vec<Value> = (0..2 + dice.below(2)).map(|number| branch(number, dice)).collect();
    if dice.below(4) == 0 {
        branches.push(json!({"type": "null"}));
    }
    json!({*pick(dice, &["anyOf", "oneOf"]): branches})
}

fn object(dice: &mut Dice, depth: usize) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for _ in 0..=dice.below(4) {
        let key = *pick(dice, &KEYS);
        if !properties.contains_key(key) && dice.below(2) == 0 {
            required.push(key);
        }
        properties.entry(key).or_insert_with(|| schema(dice, depth));
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Returns a schema of a kind that makes some provider reject a request, perhaps inside of others.
fn rejected(dice: &mut Dice, depth: usize) -> Value {
    if depth > 0 && dice.below(2) == 0 {
        let inner = rejected(dice, depth - 1);
        let key = *pick(dice, &["a", "b", "required", "anyOf", "user name"]);
        return match dice.below(6) {
            0 => json!({"type": "array", "items": inner}),
            1 => json!({"type": "object", "additionalProperties": inner}),
            2 => json!({"anyOf": [inner, {"type": "null"}], "description": "Either."}),
            3 => json!({"type": "array", "items": [inner, rejected(dice, depth - 1)], "minItems": dice.below(3)}),
            _ => json!({"type": "object", "properties": {key: inner}, "additionalProperties": false}),
        };
    }
    let (text, integer) = (json!({"type": "string"}), json!({"type": "integer"}));
    pick(
        dice,
        &[
            json!({"type": "array"}),
            json!({"type": ["array", "null"], "maxItems": 3}),
            json!({"type": "array", "items": [text, integer], "minItems": 1, "maxItems": 2}),
            json!({"type": "array", "items": [integer], "additionalItems": text}),
            json!({"type": "array", "items": [text, integer], "additionalItems": false}),
            json!({"type": "array", "items": [text, {"type": "null"}]}),
            json!({"type": "string", "enum": ["a", ""]}),
            json!({"enum": [1, "auto", null, ""]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
            json!({"const": ""}),
            json!(true),
            json!({}),
            json!({"description": "Anything."}),
            json!({"type": ["string", "integer", "null"], "maxLength": 5, "minimum": 1, "description": "Several."}),
            json!({"properties": {"a": text}}),
            json!({"type": "object"}),
            json!({"type": "string", "pattern": "\\S", "maxLength": 5000}),
            json!({"anyOf": [{"type": "object", "additionalProperties": integer}, {"type": "null"}], "default": null}),
            json!({"type": "object", "anyOf": [{"properties": {"a": text}, "required": ["a"]}, {"properties": {"b": integer}}]}),
            json!({"allOf": [{"type": "string"}, {"minLength": 1}]}),
        ],
    )
    .clone()
}

/// Writes lists of items as in JSON Schema 2020-12.
fn modern(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(modern),
        Value::Object(members) => {
            members.values_mut().for_each(modern);
            if members.get("items").is_some_and(Value::is_array) {
                let list = members.remove("items").unwrap_or_default();
                members.insert("prefixItems".to_owned(), list);
                if let Some(rest) = members.remove("additionalItems") {
                    members.insert("items".to_owned(), rest);
                }
            }
        }
        Value::String(reference) if reference.ends_with("/items/0") => {
            *reference = reference.replace("/items/0", "/prefixItems/0");
        }
        _ => {}
    }
}

/// Returns a tool with a schema of shapes that some provider rejects, in draft-07 or, for odd seeds, in JSON Schema 2020-12.
///
/// # Panics
///
/// If a schema of `serde_json` is not JSON.
pub fn rejected_tool(seed: u64) -> Tool {
    let mut dice = Dice::new(seed);
    let deep = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
    let mut root = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "one": rejected(&mut dice, 2),
            "two": rejected(&mut dice, 2),
            "into_a_branch": {"$ref": "#/anyOf/0/properties/deep"},
            "into_a_list": {"$ref": "#/properties/pair/items/0"},
            "to_a_property": {"$ref": "#/properties/pair"},
            "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}
        },
        "required": ["one"],
    });
    if seed % 2 == 1 {
        root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        modern(&mut root);
    }
    root["anyOf"] = json!([{"properties": {"deep": deep, "one": {}}}, {"properties": {"two": true}}]);
    let schema = Json::parse(&root.to_string()).expect("a schema is JSON").into_owned();
    Tool { name: format!("tool_{seed}"), value: root, schema }
}

/// Returns a tool with a random schema.
///
/// # Panics
///
/// If a schema of `serde_json` is not JSON.
pub fn tool(seed: u64) -> Tool {
    let mut dice = Dice::new(seed);
    let mut root = object(&mut dice, 3);
    let definitions: Map<String, Value> =
        (0..DEFINITIONS).map(|number| (format!("d{number}"), object(&mut dice, 1))).collect();
    root["$defs"] = Value::Object(definitions);
    let schema = Json::parse(&root.to_string()).expect("a schema is JSON").into_owned();
    Tool { name: format!("tool_{seed}"), value: root, schema }
}
