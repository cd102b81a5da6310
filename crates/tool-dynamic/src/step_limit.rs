//! Values that count the steps of a check by `jsonschema`: [`Metered`] is a borrowed value, and [`Meter`] the bound.
//!
//! `jsonschema` remembers the results of recursive references, so almost every check takes linear time. Some parts are not remembered: lists
//! of errors, `unevaluatedProperties`, and references that are not recursive. They may take exponential time. Once a meter is spent, there are
//! no objects, arrays and texts, so that the check ends soon.
//!
//! Invariants: the bound on steps is linear in the size of the value. The result of a check with a spent meter is never used.

use std::borrow::Cow;
use std::cell::Cell;
use std::slice;

use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, SerdeJson, unique};
use jsonschema::{JsonType, ValidationError, Validator};
use serde_json::{Map, Number, Value, map};
use tool_runtime::tool_schema::issue::MAX_ISSUES;
use tool_runtime::tool_schema::json::Json as Schema;

use crate::private::json::nodes;

/// The number of steps that every value allows.
const FREE: u64 = 1 << 20;
/// The number of steps that each part of a value allows, and the number that it allows for each part of the schema.
const EACH: u64 = 1 << 10;
const EACH_SCHEMA: u64 = 1 << 6;
/// The maximum number of steps that each part of a value allows.
const MOST_EACH: u64 = 1 << 16;
/// The number of steps for a read of a part. A comparison with a value of the schema is one step.
const READ: u64 = 16;
/// The number of bytes of a text that count as one more part. An error about an object with many members, or with a long path, counts like
/// several errors, because `jsonschema` copies the names.
const TEXT: usize = 64;

/// The maximum number of errors that a check may list after its meter is spent, because of the levels of the value that it has entered.
const LATE: u64 = 2 * MAX_ISSUES as u64;

/// The bounds for the values of one schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The number of steps that each part of a value allows.
    each: u64,
    /// The number of schemas that may apply to one value, and thus the number of errors at one level.
    same: u64,
}

impl Bound {
    /// Returns the bounds for a schema, given the largest number of schemas for one value.
    pub(super) fn new(schema: &Schema<'_>, same: u64) -> Self {
        Self { each: EACH.saturating_add(EACH_SCHEMA.saturating_mul(nodes(schema))).min(MOST_EACH), same }
    }

    /// Returns `true` if the errors of a value may be listed.
    fn allows_errors(self, value: &Value) -> bool {
        self.same.saturating_mul(levels(value, 0)) <= LATE
    }
}

/// Returns the number of levels of a value, whose depth is bounded. A level whose path is long counts like several.
fn levels(value: &Value, path: usize) -> u64 {
    let below = match value {
        Value::Array(items) => items.iter().map(|item| levels(item, path + 1)).max(),
        Value::Object(members) => members.iter().map(|(key, value)| levels(value, path + 1 + key.len())).max(),
        _ => None,
    };
    1 + (path / TEXT) as u64 + below.unwrap_or_default()
}

/// The steps and errors that are left for one check of a value.
pub(super) struct Meter<'v> {
    root: &'v Value,
    bound: Bound,
    steps: Cell<u64>,
    errors: Cell<usize>,
    state: Cell<MeterState>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MeterState {
    /// The free steps are not used up, so the parts of the value have not been counted.
    Free,
    Counted,
    Spent,
}

impl<'v> Meter<'v> {
    fn new(root: &'v Value, bound: Bound) -> Self {
        let (steps, errors) = (Cell::new(FREE), Cell::new(MAX_ISSUES));
        Self { root, bound, steps, errors, state: Cell::new(MeterState::Free) }
    }

    /// Returns the whole value.
    fn value(&'v self) -> Metered<'v> {
        Metered { value: self.root, meter: Some(self), path: 0 }
    }

    /// Returns `true` if the check was not finished, so that its result must not be used.
    fn is_spent(&self) -> bool {
        self.state.get() == MeterState::Spent
    }

    fn count(&self, steps: u64) {
        match self.steps.get().checked_sub(steps) {
            Some(left) => self.steps.set(left),
            None if self.state.get() == MeterState::Free => {
                self.steps.set(self.bound.each.saturating_mul(parts(self.root)));
                self.state.set(MeterState::Counted);
            }
            None => self.state.set(MeterState::Spent),
        }
    }

    fn count_errors(&self, errors: usize) {
        match self.errors.get().checked_sub(errors) {
            Some(left) => self.errors.set(left),
            None => self.state.set(MeterState::Spent),
        }
    }
}

/// Returns the number of parts of a value, whose depth is bounded.
fn parts(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(parts).sum(),
        Value::Object(members) => members.values().map(parts).sum(),
        Value::String(text) => (text.len() / TEXT) as u64,
        _ => 0,
    }
}

/// Checks a value. Returns `None` if the check would take too many steps.
pub(super) fn is_valid(validator: &Validator<MeteredJson>, bound: Bound, value: &Value) -> Option<bool> {
    finished(bound, value, |value| validator.is_valid(value))
}

/// Converts the errors of a value. Returns `None` if there are too many, or if the check would take too many steps.
pub(super) fn errors<T>(
    validator: &Validator<MeteredJson>,
    bound: Bound,
    value: &Value,
    convert: impl FnMut(ValidationError<'_>) -> Vec<T>,
) -> Option<Vec<T>> {
    let value = bound.allows_errors(value).then_some(value)?;
    finished(bound, value, |value| validator.iter_errors(value).flat_map(convert).collect())
}

/// Converts the first error of a value. Returns `None` if there is none, or if the check would take too many steps.
pub(super) fn first_error<T>(
    validator: &Validator<MeteredJson>,
    bound: Bound,
    value: &Value,
    convert: impl FnOnce(ValidationError<'_>) -> T,
) -> Option<T> {
    let value = bound.allows_errors(value).then_some(value)?;
    finished(bound, value, |value| validator.validate(value).err().map(convert)).flatten()
}

/// Returns the result of a check; `None` if it was not finished.
fn finished<T>(bound: Bound, value: &Value, check: impl FnOnce(Metered<'_>) -> T) -> Option<T> {
    let meter = Meter::new(value, bound);
    let result = check(meter.value());
    (!meter.is_spent()).then_some(result)
}

/// The representation of JSON by [`Metered`] values.
pub(super) struct MeteredJson;

/// A part of a value, with the meter of the check.
#[derive(Clone, Copy)]
pub(super) struct Metered<'v> {
    value: &'v Value,
    /// The meter; `None` for a key, which has no parts.
    meter: Option<&'v Meter<'v>>,
    /// The number of bytes of the keys that lead to this part.
    path: usize,
}

impl<'v> Metered<'v> {
    /// Counts steps of a check. Returns `None` if no more are allowed.
    fn read(self, steps: u64) -> Option<&'v Value> {
        self.meter.inspect(|meter| meter.count(steps));
        (!self.meter.is_some_and(Meter::is_spent)).then_some(self.value)
    }

    fn item(self, value: &'v Value) -> Self {
        Self { value, ..self }
    }

    fn member(self, key: &str, value: &'v Value) -> Self {
        Self { value, path: self.path + key.len(), ..self }
    }
}

impl Json for MeteredJson {
    type Node<'v> = Metered<'v>;
    type PreparedKey = String;
    type StringBuffer = Value;

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Value, string: &str, f: impl FnOnce(Metered<'_>) -> T) -> T {
        SerdeJson::with_string_node(buffer, string, |value| f(Metered { value, meter: None, path: 0 }))
    }
}

impl<'v> Node<'v, MeteredJson> for Metered<'v> {
    type Object = Members<'v>;
    type Array = Items<'v>;
    type Number = &'v Number;

    fn as_object(&self) -> Option<Members<'v>> {
        self.read(READ)?.as_object().map(|members| Members { members, of: *self })
    }

    fn as_array(&self) -> Option<Items<'v>> {
        self.read(READ)?.as_array().map(|items| Items { items, of: *self })
    }

    fn as_string(&self) -> Option<Cow<'v, str>> {
        let length = self.value.as_str().map_or(0, str::len);
        self.read((1 + length / TEXT) as u64 * READ)?.as_str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<&'v Number> {
        self.read(READ)?.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        self.read(READ)?.as_bool()
    }

    fn is_null(&self) -> bool {
        self.read(READ).is_some_and(Value::is_null)
    }

    fn json_type(&self) -> JsonType {
        self.read(READ);
        Node::<SerdeJson>::json_type(&self.value)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        self.read(1).is_some_and(|value| Node::<SerdeJson>::equals_value(&value, expected))
    }

    /// Returns the value for an error, which is counted: nothing else asks for it. The value of an error is not used, and `jsonschema` copies it
    /// for each branch of a union. So only the name of a key is returned.
    fn to_value(&self) -> Cow<'v, Value> {
        let Some(meter) = self.meter else { return Cow::Borrowed(self.value) };
        let members = self.value.as_object().map_or(0, Map::len);
        meter.count_errors(1 + (members + self.path) / TEXT);
        Cow::Owned(Value::Null)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Node::<SerdeJson>::identity(&self.value)
    }
}

/// The members of an object.
pub(super) struct Members<'v> {
    members: &'v Map<String, Value>,
    of: Metered<'v>,
}

impl<'v> Object<'v, MeteredJson> for Members<'v> {
    type Node = Metered<'v>;
    type MemberName = &'v str;
    type MembersIter = Reads<'v, map::Iter<'v>>;

    fn len(&self) -> usize {
        self.members.len()
    }

    fn get(&self, key: &String) -> Option<Metered<'v>> {
        self.of.read(READ)?;
        Some(self.of.member(key, self.members.get(key)?))
    }

    fn members(&self) -> Self::MembersIter {
        Reads { parts: self.members.iter(), of: self.of }
    }
}

/// The items of an array.
pub(super) struct Items<'v> {
    items: &'v [Value],
    of: Metered<'v>,
}

impl<'v> Array<'v, MeteredJson> for Items<'v> {
    type Node = Metered<'v>;
    type ElementsIter = Reads<'v, slice::Iter<'v, Value>>;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn elements(&self) -> Self::ElementsIter {
        Reads { parts: self.items.iter(), of: self.of }
    }

    fn is_unique(&self) -> bool {
        self.of.read(self.items.len() as u64 * READ).is_none() || unique::is_unique(self.items)
    }
}

/// An iterator over parts of a value, which ends when the meter is spent.
pub(super) struct Reads<'v, I> {
    parts: I,
    of: Metered<'v>,
}

impl<'v> Iterator for Reads<'v, map::Iter<'v>> {
    type Item = (&'v str, Metered<'v>);

    fn next(&mut self) -> Option<Self::Item> {
        self.of.read(READ)?;
        let (key, value) = self.parts.next()?;
        Some((key, self.of.member(key, value)))
    }
}

impl<'v> Iterator for Reads<'v, slice::Iter<'v, Value>> {
    type Item = Metered<'v>;

    fn next(&mut self) -> Option<Metered<'v>> {
        self.of.read(READ)?;
        Some(self.of.item(self.parts.next()?))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{FREE, Meter};
    use crate::{InputSchema, SchemaError};

    fn nested(levels: usize, leaf: Value) -> Value {
        (0..levels).fold(leaf, |value, _| json!({"a": value}))
    }

    /// Definitions that do not contain themselves are not remembered, so both branches of each of the 24 levels are read.
    #[test]
    fn a_check_with_too_many_steps_is_not_decided() -> Result<(), SchemaError> {
        let level = |index: usize| {
            let below = json!({"properties": {"a": {"$ref": format!("#/$defs/d{}", index + 1)}}});
            (format!("d{index}"), json!({"not": {"not": {"anyOf": [below, below]}}}))
        };
        let mut levels: Map<String, Value> = (0..24).map(level).collect();
        levels.insert("d24".to_owned(), json!({"type": "string"}));
        let schema = InputSchema::parse(json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": levels}))?;
        assert!(schema.check(&nested(25, json!("text")).into()).is_empty());
        let issues = schema.check(&nested(25, json!(5)).into());
        assert_eq!(issues.iter().map(|issue| issue.constraint.code()).collect::<Vec<_>>(), ["NOT_CHECKED"]);
        Ok(())
    }

    /// The first branch is soon rejected. Its errors, which are in the error of the union, take the steps of the test above.
    #[test]
    fn the_error_of_an_unfinished_check_is_not_shown() -> Result<(), SchemaError> {
        let (no, level) = (json!({"not": {"type": "object"}}), |index: usize| {
            let below = json!({"properties": {"a": {"$ref": format!("#/$defs/d{}", index + 1)}}});
            (format!("d{index}"), json!({"not": {"not": {"anyOf": [below, below]}}}))
        });
        let mut levels: Map<String, Value> = (0..24).map(level).collect();
        levels.insert("d24".to_owned(), json!({"type": "integer"}));
        let a = json!({"anyOf": [{"allOf": [no, {"$ref": "#/$defs/d0"}]}, no]});
        let schema = InputSchema::parse(json!({"properties": {"a": a}, "$defs": levels}))?;
        let issues = schema.check(&nested(25, json!("text")).into());
        assert_eq!(issues.iter().map(|issue| issue.constraint.code()).collect::<Vec<_>>(), ["CUSTOM"]);
        Ok(())
    }

    #[test]
    fn the_steps_of_overlapping_branches_grow_with_the_depth_only() -> Result<(), SchemaError> {
        for branches in [1_u64, 2, 4, 8] {
            let branch =
                |index| json!({"properties": {"a": {"$ref": "#/$defs/node"}}, "required": [format!("b{index}")]});
            let mut union: Vec<Value> = (1..branches).map(branch).collect();
            union.push(json!({"properties": {"a": {"$ref": "#/$defs/node"}}}));
            let schema = InputSchema::parse(json!({"$ref": "#/$defs/node", "$defs": {"node": {"anyOf": union}}}))?;
            let steps = |levels| {
                let value = nested(levels, json!(1));
                let meter = Meter::new(&value, schema.0.bound);
                assert!(schema.0.validator.is_valid(meter.value()), "{branches} {levels}");
                FREE - meter.steps.get()
            };
            let (few, many) = (steps(60), steps(120));
            assert!(many <= 2 * few && many <= 120 * branches * 512, "{branches}: {few} and {many} steps");
        }
        Ok(())
    }
}
