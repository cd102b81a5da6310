//! The tasks: a prompt in plain words, its one right call, and a typical wrong one.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A task of `data/tasks.jsonl`.
#[derive(Clone, Debug, Deserialize)]
pub struct Task {
    pub id: String,
    pub tool: String,
    /// The kind of issue in the wrong call.
    pub fault: String,
    pub prompt: String,
    /// The arguments of the right call.
    pub right: Box<RawValue>,
    /// The arguments of the wrong call, as text.
    pub wrong: String,
}

impl Task {
    /// Returns the arguments of the right call as a value.
    #[must_use]
    pub fn right(&self) -> Value {
        serde_json::from_str(self.right.get()).expect("the text is JSON")
    }
}

/// Returns the tasks.
#[must_use]
pub fn tasks() -> Vec<Task> {
    let lines = include_str!("../data/tasks.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a line of `data/tasks.jsonl` is a task")).collect()
}

/// Returns `true` if two arguments mean the same: absent keys equal `null` and `false`, and 2 equals 2.0.
#[must_use]
pub fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(members), Value::Object(others)) => {
            let part = |members: &serde_json::Map<_, _>, others: &serde_json::Map<String, Value>| {
                members
                    .iter()
                    .all(|(key, value)| others.get(key).map_or(is_left_out(value), |other| is_same(value, other)))
            };
            part(members, others) && part(others, members)
        }
        (Value::Array(items), Value::Array(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| is_same(item, other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other || is_left_out(one) && is_left_out(other),
    }
}

fn is_left_out(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false))
}
