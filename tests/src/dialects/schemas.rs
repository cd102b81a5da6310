//! Random schemas: odd keys, maps in unions, recursion, defaults, nullable and optional values at every depth.

use serde_json::{Map, Value, json};
use tool_schema::json::Json;

use super::recorded::Tool;
use super::values::Dice;

/// Keys that some provider refuses, that rewritten definitions use themselves, or that become alike when they are renamed.
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
