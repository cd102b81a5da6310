//! Valid and invalid values for a schema that is known at run time.

use serde_json::{Map, Value, json};

use super::forward::In;

/// A deterministic generator of pseudo-random numbers.
pub struct Dice(u64);

impl Dice {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below a bound.
    pub fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides.max(1)
    }
}

/// Returns a value that the schema probably accepts.
pub fn value(at: In<'_>, dice: &mut Dice, depth: usize) -> Value {
    let schema = at.schema;
    if depth == 0 {
        return Value::Null;
    }
    if let Some(target) =
        schema.get("$ref").and_then(Value::as_str).and_then(|text| at.root.pointer(text.strip_prefix('#')?))
    {
        return value(at.at(target), dice, depth - 1);
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
        return values[dice.below(values.len())].clone();
    }
    let branches = at.branches();
    if !branches.is_empty() {
        return value(at.at(&branches[dice.below(branches.len())]), dice, depth - 1);
    }
    if let Some(part) = schema.pointer("/allOf/0") {
        return value(at.at(part), dice, depth - 1);
    }
    let json_type = match schema.get("type") {
        Some(Value::Array(names)) if !names.is_empty() => names[dice.below(names.len())].as_str().unwrap_or_default(),
        Some(Value::String(name)) => name,
        _ if schema.get("properties").is_some() => "object",
        _ => ["string", "integer", "boolean", "object", "array", "null"][dice.below(6)],
    };
    match json_type {
        "null" => Value::Null,
        "boolean" => json!(dice.below(2) == 0),
        "integer" | "number" => number(schema, dice, json_type == "integer"),
        "string" => text(schema, dice),
        "array" => array(at, dice, depth),
        _ => object(at, dice, depth),
    }
}

fn number(schema: &Value, dice: &mut Dice, is_integer: bool) -> Value {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let least = bound("minimum").or(bound("exclusiveMinimum").map(|n| n + 1.0)).unwrap_or(0.0);
    let most = bound("maximum").or(bound("exclusiveMaximum").map(|n| n - 1.0)).unwrap_or(least + 9.0);
    let step = [0.0, 1.0, 2.0, 3.0, 4.0][dice.below(5)];
    let drawn = (least + step).min(most).ceil();
    // `3.0` is written as `3`, so that it equals the restored value.
    let whole = serde_json::from_str(&format!("{drawn:.0}")).unwrap_or_default();
    if is_integer || dice.below(2) == 0 { whole } else { json!(f64::midpoint(least, most) + 0.25) }
}

fn text(schema: &Value, dice: &mut Dice) -> Value {
    let count = |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let (least, most) = (count("minLength").unwrap_or(0), count("maxLength").unwrap_or(12));
    let length = (least + dice.below(4)).min(most.max(least)).min(2_000);
    json!("aé $\"{".chars().cycle().skip(dice.below(6)).take(length).collect::<String>())
}

fn array(at: In<'_>, dice: &mut Dice, depth: usize) -> Value {
    let least = at.schema.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(20);
    let length = usize::try_from(least).unwrap_or_default() + dice.below(3);
    (0..length).map(|position| value(at.item(position), dice, depth - 1)).collect()
}

fn object(at: In<'_>, dice: &mut Dice, depth: usize) -> Value {
    let names = |keyword: &str| at.schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
    let is_required = |key: &str| names("required").any(|name| name == key);
    let mut members = Map::new();
    let chance = dice.below(4);
    for (key, schema) in at.schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if is_required(key) || dice.below(3) < chance {
            members.insert(key.clone(), value(at.at(schema), dice, depth - 1));
        }
    }
    let any = json!({});
    let others = match at.schema.get("additionalProperties") {
        Some(Value::Bool(false)) => return Value::Object(members),
        Some(schema @ Value::Object(_)) => schema,
        _ => &any,
    };
    for key in ["extra", "key", "value", "a b"].iter().take(dice.below(4)) {
        if !members.contains_key(*key) {
            members.insert((*key).to_owned(), value(at.at(others), dice, depth.saturating_sub(2)));
        }
    }
    Value::Object(members)
}

/// Returns a changed value, which the schema may reject.
pub fn spoilt(value: &Value, dice: &mut Dice) -> Value {
    let odd = [Value::Null, json!([]), json!({}), json!("x"), json!(1.5), json!([{"key": "a", "value": null}])];
    match value {
        Value::Object(members) if !members.is_empty() && dice.below(4) > 0 => {
            let chosen = dice.below(members.len());
            let change = |(index, (key, value)): (usize, (&String, &Value))| {
                let value = if index == chosen { spoilt(value, dice) } else { value.clone() };
                (key.clone(), value)
            };
            Value::Object(members.iter().enumerate().map(change).collect())
        }
        Value::Array(items) if !items.is_empty() && dice.below(4) > 0 => {
            let chosen = dice.below(items.len());
            let change =
                |(index, value): (usize, &Value)| if index == chosen { spoilt(value, dice) } else { value.clone() };
            items.iter().enumerate().map(change).collect()
        }
        _ => odd[dice.below(odd.len())].clone(),
    }
}
