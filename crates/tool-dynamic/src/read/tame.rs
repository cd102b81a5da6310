//! `Tame`: an upper bound for the checks that `jsonschema` would make for a value, computed before it runs.
//!
//! `jsonschema` tries one branch after the other without memoization, so a recursive schema with branches can take exponential time, even
//! for valid values. A value is only checked if the number of checks is below a bound that is linear in the size of the value.
//!
//! Invariants: the count is never too low. Each pair of a schema and a value is visited once. For a schema that cannot take exponential
//! time, nothing is counted.

use std::collections::HashMap;

use serde_json::Value;

use super::document::{At, Document};
use super::effort::{parts, times};
use super::keywords::{About, tokens};
use super::own_errors::Own;

/// The number of checks that every value allows. Each part of a value allows [`EACH`] more.
const FREE: u64 = 1 << 16;
const EACH: u64 = 64;

/// The data about a schema that is needed to count checks.
#[derive(Debug)]
pub(crate) struct Tame {
    schemas: Vec<Schema>,
    /// `true` if the checks for a value must be counted before it is checked.
    is_wild: bool,
}

#[derive(Debug, Default)]
pub(super) struct Schema {
    times: u64,
    pub(super) own: Own,
    pub(super) same: Vec<usize>,
    pub(super) inside: Vec<(Slot, usize)>,
}

/// The parts of a value to which a subschema applies.
#[derive(Debug)]
pub(super) enum Slot {
    Member(String),
    Members,
    Names,
    Item(usize),
    Items,
}

impl Tame {
    pub(super) fn new(document: &Document, is_wild: bool) -> Self {
        let mut tame = Self { schemas: Vec::new(), is_wild };
        tame.number(document);
        tame
    }

    /// Assigns a number to each schema that is reachable from the root.
    fn number(&mut self, document: &Document) {
        let (mut numbers, mut open) = (HashMap::from([(String::new(), 0)]), vec![document.start()]);
        let mut next = 0;
        while let Some(at) = open.get(next).cloned() {
            next += 1;
            let mut schema = Schema { times: times(&at), own: Own::of(&at), ..Schema::default() };
            for (about, part) in parts(document, &at).unwrap_or_default() {
                let number = *numbers.entry(part.pointer.clone()).or_insert_with(|| {
                    open.push(part.clone());
                    open.len() - 1
                });
                match about {
                    About::Same => schema.same.push(number),
                    About::Inside => schema.inside.push((slot(&at, &part), number)),
                    About::Nothing => {}
                }
            }
            self.schemas.push(schema);
        }
    }

    /// Returns `true` if the value may be checked, because the number of checks is below the bound.
    pub(crate) fn allows(&self, value: &Value) -> bool {
        let count = || Count { schemas: &self.schemas, known: HashMap::new() }.judgements(0, value);
        !self.is_wild || count() <= Self::most(value)
    }

    /// Returns the number of checks that are allowed for a value.
    pub(super) fn most(value: &Value) -> u64 {
        FREE.saturating_add(EACH.saturating_mul(nodes(value)))
    }

    pub(super) fn schema(&self, number: usize) -> Option<&Schema> {
        self.schemas.get(number)
    }
}

fn slot(at: &At<'_>, part: &At<'_>) -> Slot {
    let below = part.pointer.strip_prefix(&at.pointer).unwrap_or_default();
    let mut tokens = tokens(below);
    let (keyword, name) = (tokens.next().unwrap_or_default(), tokens.next());
    match (&*keyword, name) {
        ("properties", Some(name)) => Slot::Member(name.into_owned()),
        ("prefixItems" | "items", Some(index)) => index.parse().map_or(Slot::Items, Slot::Item),
        ("propertyNames", _) => Slot::Names,
        ("items" | "additionalItems" | "unevaluatedItems" | "contains", _) => Slot::Items,
        _ => Slot::Members,
    }
}

fn nodes(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(members) => members.values().map(nodes).sum(),
        _ => 0,
    }
}

struct Count<'t> {
    schemas: &'t [Schema],
    /// The counts, keyed by the number of the schema and the address of the value. Values do not move while they are counted.
    known: HashMap<(usize, usize), u64>,
}

static NAME: Value = Value::Bool(true);

impl Count<'_> {
    fn judgements(&mut self, number: usize, value: &Value) -> u64 {
        let key = (number, std::ptr::from_ref(value) as usize);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let Some(schema) = self.schemas.get(number) else { return 1 };
        let mut sum = 0_u64;
        for &same in &schema.same {
            sum = sum.saturating_add(self.judgements(same, value));
        }
        for (slot, inner) in &schema.inside {
            sum = sum.saturating_add(self.inside(slot, *inner, value));
        }
        let judgements = sum.saturating_mul(schema.times).saturating_add(1);
        self.known.insert(key, judgements);
        judgements
    }

    fn inside(&mut self, slot: &Slot, inner: usize, value: &Value) -> u64 {
        let mut sum = 0_u64;
        each(slot, value, |value, times| {
            sum = sum.saturating_add(self.judgements(inner, value).saturating_mul(times));
        });
        sum
    }
}

/// Calls `visit` for each part of the value that the slot selects, with the number of equal parts that it represents.
pub(super) fn each(slot: &Slot, value: &Value, mut visit: impl FnMut(&Value, u64)) {
    match (slot, value) {
        (Slot::Member(name), Value::Object(members)) => members.get(name).into_iter().for_each(|part| visit(part, 1)),
        (Slot::Members, Value::Object(members)) => members.values().for_each(|part| visit(part, 1)),
        (Slot::Names, Value::Object(members)) if !members.is_empty() => visit(&NAME, members.len() as u64),
        (Slot::Item(index), Value::Array(items)) => items.get(*index).into_iter().for_each(|part| visit(part, 1)),
        (Slot::Items, Value::Array(items)) => items.iter().for_each(|part| visit(part, 1)),
        _ => {}
    }
}
