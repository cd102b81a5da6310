//! Texts for expectations: `string of 1 to 80 characters`, `one of "celsius", "fahrenheit"`, `array of 1 to 5 strings`.
//!
//! The texts use the terms of JSON. Invariant: lists are cut and end with the number of omitted elements, and shapes are followed two
//! levels deep, so that the text of a recursive type is finite. Except for an enum, the text does not mention that an optional value may be
//! `null`, because the value can be omitted. It also leaves out the limits of integer types with 32 bits or more, except for a minimum of zero.

use std::fmt;

use super::bounded_text_list::{WriteText, article, push_count, push_cut, push_length, to_escaped_text, write_list};
use super::expected::{Terminal, only_type};
use super::message::write_allowed;
use super::{Expected, ExpectedFacts};
use crate::json::{Number, write_visible as quote};
use crate::shape::{AcceptedTypes, Kind, Object, Ref, Tagging, Text, Union, UnknownKeys};

impl WriteText for Expected {
    fn write(&self, out: &mut String) {
        Words { expected: self, depth: 0 }.write(out);
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_escaped_text(self))
    }
}

impl Expected {
    /// Writes the text, and stores the facts for it in `facts`.
    pub(crate) fn describe(&self, out: &mut String, facts: &mut ExpectedFacts) {
        let words = Words { expected: self, depth: 0 };
        let described = self.at_terminal(|terminal| {
            facts.complete(terminal);
            words.write_terminal(out, terminal, facts);
        });
        if described.is_none() {
            words.write_alone(out);
        }
    }
}

/// The maximum depth of a text.
const MOST_DEPTH: usize = 2;

struct Words<'e> {
    expected: &'e Expected,
    depth: usize,
}

impl WriteText for Words<'_> {
    fn write(&self, out: &mut String) {
        let written = self.expected.at_terminal(|terminal| {
            let mut facts = ExpectedFacts::default();
            facts.fill(terminal);
            self.write_terminal(out, terminal, &facts);
        });
        if written.is_none() {
            self.write_alone(out);
        }
    }
}

impl Words<'_> {
    /// Writes the text of an expectation without a shape.
    fn write_alone(&self, out: &mut String) {
        push_cut(out, self.expected.text.as_deref().unwrap_or("nothing"));
    }

    fn write_terminal(&self, out: &mut String, terminal: &Terminal<'_>, facts: &ExpectedFacts) {
        if let Some(words) = &self.expected.text {
            return push_cut(out, words);
        }
        if !facts.values.is_empty() {
            out.push_str(if facts.values.len() > 1 { "one of " } else { "" });
            write_list(out, ", ", facts.values.iter(), |out, value| out.push_str(value));
            return write_null(out, facts.nullable && !facts.values.iter().any(|value| &**value == "null"));
        }
        match &terminal.shape.kind {
            Kind::Null => out.push_str("null"),
            Kind::Boolean => out.push_str("boolean"),
            Kind::Integer => write_number(out, "integer", without_widths(facts), facts),
            Kind::Number(_) => write_number(out, "number", (facts.min, facts.max), facts),
            Kind::String => write_string(out, facts),
            Kind::Array(items) => {
                let nouns =
                    if facts.unique_items { format!("different {}", plural(items)) } else { plural(items).into() };
                let noun = nouns.trim_end_matches('s');
                out.push_str("array");
                match (facts.min_items, facts.max_items) {
                    (None, None) => out.extend([" of ", &nouns]),
                    count => write_count(out, count, (noun, &nouns)),
                }
                self.write_each(out, &terminal.inner(items));
            }
            Kind::Tuple(edges) => self.write_tuple(out, edges),
            Kind::Map { values, .. } => {
                out.push_str("object");
                write_count(out, (facts.min_properties, facts.max_properties), ("property", "properties"));
                out.extend([" with ", plural(values), " as values"]);
                self.write_each(out, &terminal.inner(values));
            }
            Kind::Object(object) => write_object(out, object, facts),
            Kind::Union(union) => self.write_union(out, union, facts),
            // Only `schemars` can describe the type, and only serde decides which values are accepted.
            Kind::Foreign(_) => out.push_str("value that fits its schema"),
            _ => out.push_str("any JSON value"),
        }
        // A field whose value may be `null` can be omitted instead, but an item of an array cannot. The values of an enum are a complete list.
        write_null(out, facts.nullable && (self.depth > 0 || !facts.allowed_values.is_empty()));
    }

    /// Writes the text about the items, if it says more than their type.
    fn write_each(&self, out: &mut String, inner: &Expected) {
        if self.depth + 1 >= MOST_DEPTH {
            return;
        }
        let words = to_escaped_text(&Words { expected: inner, depth: self.depth + 1 });
        let is_plain = ["string", "integer", "number", "boolean", "object", "array", "null", "any JSON value"];
        if is_plain.contains(&words.as_str()) {
            return;
        }
        out.extend([", each ", article(&words)]);
        push_cut(out, &words);
    }

    fn write_tuple(&self, out: &mut String, edges: &[Ref]) {
        out.push_str("array of ");
        push_count(out, edges.len());
        out.push_str(if edges.len() == 1 { " item" } else { " items" });
        if self.depth + 1 >= MOST_DEPTH || edges.is_empty() {
            return;
        }
        out.push_str(" (");
        self.write_forms(out, ", ", &edges.iter().cloned().map(Expected::from_shape).collect::<Vec<_>>());
        out.push(')');
    }

    fn write_forms(&self, out: &mut String, separator: &str, forms: &[Expected]) {
        write_list(out, separator, forms.iter(), |out, expected| {
            Words { expected, depth: self.depth + 1 }.write(out);
        });
    }

    fn write_union(&self, out: &mut String, union: &Union, facts: &ExpectedFacts) {
        match &union.tagging {
            _ if union.is_enumeration() => write_allowed(out, &facts.allowed_values),
            Tagging::External => write_external(out, union),
            Tagging::Internal { tag } => {
                out.extend(["object with ", tag, " "]);
                write_allowed(out, &union.names());
            }
            Tagging::Adjacent { tag, content } => {
                out.extend(["object with ", tag, " "]);
                write_allowed(out, &union.names());
                out.extend([" and its ", content]);
            }
            Tagging::Untagged if self.depth + 1 >= MOST_DEPTH => write_types(out, facts, union),
            Tagging::Untagged => {
                out.push_str("one of: ");
                let shown = union.variants.iter().filter(|variant| !variant.hidden);
                let form = |payload: Option<&Ref>| match payload {
                    Some(payload) => Expected::from_shape(payload.clone()),
                    None => Expected::from_text(Text::from_static("null")),
                };
                self.write_forms(out, "; ", &shown.map(|variant| form(variant.payload.as_ref())).collect::<Vec<_>>());
            }
        }
    }
}

fn write_null(out: &mut String, is_nullable: bool) {
    out.push_str(if is_nullable { " or null" } else { "" });
}

/// Writes the JSON types of a union that is too deep to be described.
fn write_types(out: &mut String, facts: &ExpectedFacts, union: &Union) {
    if let Some(json_type) = facts.json_type {
        return out.push_str(json_type);
    }
    let types = union.variants.iter().flat_map(|variant| AcceptedTypes::of_payload(variant).iter());
    let mut names: Vec<_> = types.map(crate::json::JsonType::name).collect();
    names.sort_unstable();
    names.dedup();
    out.push_str(&names.join(" or "));
}

/// Writes, for example, `"none" or an object with exactly one of the keys "circle", "square"`.
fn write_external(out: &mut String, union: &Union) {
    let shown = || union.variants.iter().filter(|variant| !variant.hidden && !variant.untagged);
    let names = |units: bool| -> Vec<Text> {
        shown().filter(|variant| variant.payload.is_none() == units).map(|variant| variant.name.clone()).collect()
    };
    let (units, keys) = (names(true), names(false));
    if !units.is_empty() {
        write_allowed(out, &units);
        out.push_str(if keys.is_empty() { "" } else { " or an " });
    }
    match &keys[..] {
        [] => {}
        [key] => {
            out.push_str("object with the key ");
            quote(out, key);
        }
        keys => {
            out.push_str("object with exactly one of the keys ");
            write_list(out, ", ", keys.iter(), |out, key| quote(out, key));
        }
    }
}

fn write_object(out: &mut String, object: &Object, facts: &ExpectedFacts) {
    let named = object.fields.iter().filter(|field| !field.hidden && !field.flatten);
    let optional: Vec<_> = named.map(|field| &field.name).collect();
    let write = |out: &mut String, name: &Text| out.push_str(name);
    if !facts.required_fields.is_empty() {
        out.push_str("object with ");
        write_list(out, ", ", facts.required_fields.iter().map(|(name, _)| name), write);
    } else if !optional.is_empty() {
        out.push_str("object with any of ");
        write_list(out, ", ", optional.into_iter(), write);
    } else if object.fields.is_empty() && object.unknown == UnknownKeys::Rejected {
        out.push_str("empty object");
    } else {
        out.push_str("object");
    }
}

/// Writes, for example, `date (YYYY-MM-DD)` or `string of 1 to 80 characters matching ^[a-z]+$`.
fn write_string(out: &mut String, facts: &ExpectedFacts) {
    out.push_str(facts.format.map_or("string", |format| format.expectation()));
    write_count(out, (facts.min_length, facts.max_length), ("character", "characters"));
    if let Some(pattern) = &facts.pattern {
        out.push_str(" matching ");
        push_cut(out, pattern);
    }
}

/// Writes, for example, ` of 1 to 80 characters`; nothing if there are no bounds.
fn write_count(out: &mut String, count: (Option<u64>, Option<u64>), (noun, nouns): (&str, &str)) {
    let (words, number) = match count {
        (None, None) => return,
        (Some(min), Some(max)) if min == max => (" of ", min),
        (Some(min), Some(max)) => {
            out.push_str(" of ");
            push_length(out, min);
            out.push_str(" to ");
            push_length(out, max);
            return out.extend([" ", nouns]);
        }
        (Some(min), None) => (" of at least ", min),
        (None, Some(max)) => (" of at most ", max),
    };
    out.push_str(words);
    push_length(out, number);
    out.extend([" ", if number == 1 { noun } else { nouns }]);
}

/// Writes, for example, `integer from 1 to 14` or `number above 0 and up to 1, a multiple of 0.1`.
fn write_number(out: &mut String, noun: &str, (min, max): (Option<Number>, Option<Number>), facts: &ExpectedFacts) {
    out.push_str(noun);
    let low = min.map(|min| (" from ", min)).or(facts.exclusive_min.map(|min| (" above ", min)));
    let up_to = if min.is_some() { " to " } else { " up to " };
    let high = max.map(|max| (up_to, max)).or(facts.exclusive_max.map(|max| (" below ", max)));
    if let Some((words, bound)) = low {
        out.push_str(words);
        bound.push(out);
    }
    if let Some((words, bound)) = high {
        let is_plain = low.is_none() || min.is_some() && max.is_some();
        out.extend([if is_plain { "" } else { " and" }, words]);
        bound.push(out);
    }
    if let Some(divisor) = facts.multiple_of {
        out.push_str(", a multiple of ");
        divisor.push(out);
    }
}

/// Returns the ends of a range without the limits of a wide integer type.
fn without_widths(facts: &ExpectedFacts) -> (Option<Number>, Option<Number>) {
    let is_least = |bound| {
        matches!(bound, Number::Integer(bound) if {
            [i128::from(i32::MIN), i128::from(i64::MIN), i128::MIN].contains(&bound)
        })
    };
    let is_greatest = |bound| match bound {
        Number::Integer(bound) => {
            [i32::MAX.into(), u32::MAX.into(), i64::MAX.into(), u64::MAX.into(), i128::MAX].contains(&bound)
        }
        Number::Large(bound) => bound == u128::MAX,
        Number::Float(_) => false,
    };
    (facts.min.filter(|&bound| !is_least(bound)), facts.max.filter(|&bound| !is_greatest(bound)))
}

/// Returns the plural for several values of a shape.
fn plural(edge: &Ref) -> &'static str {
    match only_type(&edge.shape()) {
        Some("string") => "strings",
        Some("integer") => "integers",
        Some("number") => "numbers",
        Some("boolean") => "booleans",
        Some("object") => "objects",
        Some("array") => "arrays",
        Some("null") => "nulls",
        _ => "values",
    }
}
