//! Values that count the reads of `jsonschema`: [`Metered`] is a value, and [`Meter`] the bound.
//!
//! `jsonschema` remembers the results of recursive references, so almost every check takes linear time. Some parts are not remembered: lists
//! of errors, `unevaluatedProperties`, and branches without a reference. They may take exponential time for a nested value. Once a meter is
//! spent, every object and array looks empty, so that the check ends soon.
//!
//! Invariants: the bound on reads is linear in the size of the value. The result of a check with a spent meter is never used.

use std::borrow::Cow;
use std::cell::Cell;
use std::slice;

use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, cmp, unique};
use jsonschema::{JsonType, Validator};
use serde_json::{Map, Number, Value, map};
use tool_runtime::tool_schema::issue::MOST_ISSUES;
use tool_runtime::tool_schema::json::{Json as Schema, Node as SchemaNode};

/// The number of reads that every value allows.
const FREE: u64 = 1 << 16;
/// The minimum number of reads that each part of a value allows.
const EACH: u64 = 64;
/// The number of reads that each part of a value allows for each subschema.
const EACH_SCHEMA: u64 = 4;
/// The maximum number of reads that each part of a value allows.
const MOST_EACH: u64 = 1 << 14;
/// The number of values of an `enum` that count as one more error, because `jsonschema` copies them into each error.
const COPIED: usize = 8;

/// The bounds for the values of one schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    each: u64,
    errors: usize,
}

impl Bounds {
    pub(super) fn of(schema: &Schema<'_>, schemas: usize) -> Self {
        let each = (EACH + EACH_SCHEMA.saturating_mul(schemas as u64)).min(MOST_EACH);
        Self { each, errors: (MOST_ISSUES / (1 + longest(schema) / COPIED)).max(1) }
    }
}

/// Returns the length of the longest list in a schema, whose depth is bounded.
fn longest(json: &Schema<'_>) -> usize {
    match &json.node {
        SchemaNode::Array(items) => items.iter().map(longest).max().unwrap_or_default().max(items.len()),
        SchemaNode::Object(members) => members.iter().map(|member| longest(&member.value)).max().unwrap_or_default(),
        _ => 0,
    }
}

/// The reads and errors that are left for one check of a value.
pub(super) struct Meter<'v> {
    root: &'v Value,
    bounds: Bounds,
    reads: Cell<u64>,
    errors: Cell<usize>,
    state: Cell<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The free reads are not used up, so the value has not been counted.
    Free,
    Counted,
    Spent,
}

impl<'v> Meter<'v> {
    pub(super) fn new(root: &'v Value, bounds: Bounds) -> Self {
        let (reads, errors) = (Cell::new(FREE), Cell::new(bounds.errors));
        Self { root, bounds, reads, errors, state: Cell::new(State::Free) }
    }

    /// Returns the whole value.
    pub(super) fn value(&'v self) -> Metered<'v> {
        Metered { value: self.root, meter: Some(self) }
    }

    /// Returns `true` if the check was not finished, so that its result must not be used.
    pub(super) fn is_spent(&self) -> bool {
        self.state.get() == State::Spent
    }

    /// Counts a read; returns `false` if no more are allowed.
    fn may_read(&self) -> bool {
        match self.reads.get().checked_sub(1) {
            Some(left) => self.reads.set(left),
            None if self.state.get() == State::Free => {
                self.reads.set(self.bounds.each.saturating_mul(nodes(self.root)));
                self.state.set(State::Counted);
            }
            None => self.state.set(State::Spent),
        }
        !self.is_spent()
    }

    /// Counts an error.
    fn report(&self) {
        match self.errors.get().checked_sub(1) {
            Some(left) => self.errors.set(left),
            None => {
                self.state.set(State::Spent);
                self.reads.set(0);
            }
        }
    }
}

/// Returns the number of parts of a value, whose depth is bounded.
fn nodes(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(members) => members.values().map(nodes).sum(),
        _ => 0,
    }
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Valid,
    Invalid,
    /// The check would have taken too many reads.
    Undecided,
}

/// Checks a value.
pub(super) fn verdict(validator: &Validator<MeteredJson>, bounds: Bounds, value: &Value) -> Verdict {
    let meter = Meter::new(value, bounds);
    match validator.is_valid(meter.value()) {
        _ if meter.is_spent() => Verdict::Undecided,
        true => Verdict::Valid,
        false => Verdict::Invalid,
    }
}

/// The representation of JSON by [`Metered`] values.
pub(super) struct MeteredJson;

/// A part of a value, with the meter of the check.
#[derive(Clone, Copy)]
pub(super) struct Metered<'v> {
    value: &'v Value,
    /// The meter; `None` for a key, which has no parts.
    meter: Option<&'v Meter<'v>>,
}

impl Metered<'_> {
    fn may_read(self) -> bool {
        self.meter.is_none_or(Meter::may_read)
    }

    fn is_spent(self) -> bool {
        self.meter.is_some_and(Meter::is_spent)
    }
}

impl Json for MeteredJson {
    type Node<'v> = Metered<'v>;
    type PreparedKey = String;
    type StringBuffer = Value;

    // Keys are compared to find one, so for several keys it is cheaper to visit all members.
    const KEYS_PER_LOOKUP: usize = 2;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Value, string: &str, f: impl FnOnce(Metered<'_>) -> T) -> T {
        *buffer = Value::String(string.to_owned());
        f(Metered { value: buffer, meter: None })
    }
}

impl<'v> Node<'v, MeteredJson> for Metered<'v> {
    type Object = Members<'v>;
    type Array = Items<'v>;
    type Number = &'v Number;

    fn as_object(&self) -> Option<Members<'v>> {
        self.value.as_object().map(|members| Members { members, of: *self })
    }

    fn as_array(&self) -> Option<Items<'v>> {
        self.value.as_array().map(|items| Items { items, of: *self })
    }

    fn as_string(&self) -> Option<Cow<'v, str>> {
        self.value.as_str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<&'v Number> {
        self.value.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        self.value.as_bool()
    }

    fn is_null(&self) -> bool {
        self.value.is_null()
    }

    fn json_type(&self) -> JsonType {
        match self.value {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        cmp::equal(self.value, expected)
    }

    /// Returns the value for an error, which is counted: nothing else asks for it.
    fn to_value(&self) -> Cow<'v, Value> {
        self.meter.into_iter().for_each(Meter::report);
        Cow::Borrowed(self.value)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref(self.value) as usize))
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
        if self.of.is_spent() { 0 } else { self.members.len() }
    }

    fn get(&self, key: &String) -> Option<Metered<'v>> {
        let value = self.members.get(key).filter(|_| self.of.may_read())?;
        Some(Metered { value, ..self.of })
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
        if self.of.is_spent() { 0 } else { self.items.len() }
    }

    fn elements(&self) -> Self::ElementsIter {
        Reads { parts: self.items.iter(), of: self.of }
    }

    fn is_unique(&self) -> bool {
        unique::is_unique(self.items)
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
        let (key, value) = self.parts.next().filter(|_| self.of.may_read())?;
        Some((key, Metered { value, ..self.of }))
    }
}

impl<'v> Iterator for Reads<'v, slice::Iter<'v, Value>> {
    type Item = Metered<'v>;

    fn next(&mut self) -> Option<Metered<'v>> {
        let value = self.parts.next().filter(|_| self.of.may_read())?;
        Some(Metered { value, ..self.of })
    }
}
