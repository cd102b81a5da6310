//! Words for an expectation: `string of 1 to 80 characters`, `one of "celsius", "fahrenheit"`, `array of 1 to 5 strings`.
//!
//! In the words of JSON. What always holds: lists are cut and say how much was left out, and shapes are followed two levels deep, so
//! that the words of a recursive type end too. That an optional value may be `null` is left out: leaving it out says the same.
//! Ends of a range that are those of an integer type of 32 bits or more are noise; only a zero at the lower end is worth a word.

use std::fmt::{self, Display};

use super::facts::only_type;
use super::list::{Cut, Quoted, WithArticle, write_list};
use super::message::write_allowed;
use super::{Expected, Facts};
use crate::json::Number;
use crate::shape::{Kind, Object, Ref, Tagging, Text, Types, Union, Unknown};

impl Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Words { expected: self, depth: 0 }.fmt(f)
    }
}

/// How deep the words go.
const MOST_DEPTH: usize = 2;

struct Words<'e> {
    expected: &'e Expected,
    depth: usize,
}

impl Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(words) = &self.expected.words {
            return Cut(words).fmt(f);
        }
        let Some(terminal) = self.expected.terminal() else { return f.write_str("nothing") };
        let (shape, facts) = (terminal.edge.shape(), Facts::of(&terminal));
        if !facts.values.is_empty() {
            f.write_str(if facts.values.len() > 1 { "one of " } else { "" })?;
            return write_list(f, ", ", facts.values.iter());
        }
        match &shape.kind {
            Kind::Null => f.write_str("null"),
            Kind::Boolean => f.write_str("boolean"),
            Kind::Integer => write_number(f, "integer", &without_widths(&facts)),
            Kind::Number(_) => write_number(f, "number", &facts),
            Kind::String => write_string(f, &facts),
            Kind::Array(items) => {
                let nouns =
                    if facts.unique_items { format!("different {}", plural(items)) } else { plural(items).into() };
                let noun = nouns.trim_end_matches('s');
                f.write_str("array")?;
                match (facts.min_items, facts.max_items) {
                    (None, None) => write!(f, " of {nouns}")?,
                    count => write_count(f, count, (noun, &nouns))?,
                }
                self.write_each(f, &terminal.inner(items))
            }
            Kind::Tuple(edges) => self.write_tuple(f, edges),
            Kind::Map { values, .. } => {
                f.write_str("object")?;
                write_count(f, (facts.min_properties, facts.max_properties), ("property", "properties"))?;
                write!(f, " with {} as values", plural(values))?;
                self.write_each(f, &terminal.inner(values))
            }
            Kind::Object(object) => write_object(f, object, &facts),
            Kind::Union(union) => self.write_union(f, union, &facts),
            _ => f.write_str("any JSON value"),
        }?;
        // At the place itself the caller may leave the value out; within an array it cannot.
        if facts.nullable && self.depth > 0 { f.write_str(" or null") } else { Ok(()) }
    }
}

impl Words<'_> {
    /// What is said of items beyond their type.
    fn write_each(&self, f: &mut fmt::Formatter<'_>, inner: &Expected) -> fmt::Result {
        if self.depth + 1 >= MOST_DEPTH {
            return Ok(());
        }
        let words = Words { expected: inner, depth: self.depth + 1 }.to_string();
        let is_plain = ["string", "integer", "number", "boolean", "object", "array", "null", "any JSON value"];
        if is_plain.contains(&words.as_str()) {
            return Ok(());
        }
        write!(f, ", each {}", WithArticle(Cut(&words)))
    }

    fn write_tuple(&self, f: &mut fmt::Formatter<'_>, edges: &[Ref]) -> fmt::Result {
        write!(f, "array of {} item{}", edges.len(), if edges.len() == 1 { "" } else { "s" })?;
        if self.depth + 1 >= MOST_DEPTH || edges.is_empty() {
            return Ok(());
        }
        f.write_str(" (")?;
        self.write_forms(f, ", ", &edges.iter().cloned().map(Expected::of).collect::<Vec<_>>())?;
        f.write_str(")")
    }

    fn write_forms(&self, f: &mut fmt::Formatter<'_>, separator: &str, forms: &[Expected]) -> fmt::Result {
        let words = |expected: &Expected| Words { expected, depth: self.depth + 1 }.to_string();
        write_list(f, separator, forms.iter().map(words))
    }

    fn write_union(&self, f: &mut fmt::Formatter<'_>, union: &Union, facts: &Facts) -> fmt::Result {
        match &union.tagging {
            _ if union.is_enumeration() => write_allowed(f, &facts.allowed_values),
            Tagging::External => write_external(f, union),
            Tagging::Internal { tag } => {
                write!(f, "object with {tag} ")?;
                write_allowed(f, &union.names())
            }
            Tagging::Adjacent { tag, content } => {
                write!(f, "object with {tag} ")?;
                write_allowed(f, &union.names())?;
                write!(f, " and its {content}")
            }
            Tagging::Untagged if self.depth + 1 >= MOST_DEPTH => write_types(f, facts, union),
            Tagging::Untagged => {
                f.write_str("one of: ")?;
                let shown = union.variants.iter().filter(|variant| !variant.hidden);
                let form = |payload: Option<&Ref>| match payload {
                    Some(payload) => Expected::of(payload.clone()),
                    None => Expected::words(Text::new("null")),
                };
                self.write_forms(f, "; ", &shown.map(|variant| form(variant.payload.as_ref())).collect::<Vec<_>>())
            }
        }
    }
}

/// The JSON types of a union that lies too deep to be spelled out.
fn write_types(f: &mut fmt::Formatter<'_>, facts: &Facts, union: &Union) -> fmt::Result {
    if let Some(json_type) = facts.json_type {
        return f.write_str(json_type);
    }
    let types = union.variants.iter().flat_map(|variant| Types::of_payload(variant).to_list());
    let mut names: Vec<_> = types.map(crate::json::JsonType::name).collect();
    names.sort_unstable();
    names.dedup();
    f.write_str(&names.join(" or "))
}

/// `"none" or an object with exactly one of the keys "circle", "square"`
fn write_external(f: &mut fmt::Formatter<'_>, union: &Union) -> fmt::Result {
    let shown = || union.variants.iter().filter(|variant| !variant.hidden && !variant.untagged);
    let names = |units: bool| -> Vec<Text> {
        shown().filter(|variant| variant.payload.is_none() == units).map(|variant| variant.name.clone()).collect()
    };
    let (units, keys) = (names(true), names(false));
    if !units.is_empty() {
        write_allowed(f, &units)?;
        f.write_str(if keys.is_empty() { "" } else { " or an " })?;
    }
    match &keys[..] {
        [] => Ok(()),
        [key] => write!(f, "object with the key {}", Quoted(key)),
        keys => {
            f.write_str("object with exactly one of the keys ")?;
            write_list(f, ", ", keys.iter().map(|key| Quoted(key)))
        }
    }
}

fn write_object(f: &mut fmt::Formatter<'_>, object: &Object, facts: &Facts) -> fmt::Result {
    let named = object.fields.iter().filter(|field| !field.hidden && !field.flatten);
    let optional: Vec<_> = named.map(|field| &field.name).collect();
    if !facts.required_fields.is_empty() {
        f.write_str("object with ")?;
        write_list(f, ", ", facts.required_fields.iter().map(|(name, _)| name))
    } else if !optional.is_empty() {
        f.write_str("object with any of ")?;
        write_list(f, ", ", optional.into_iter())
    } else if object.fields.is_empty() && object.unknown == Unknown::Refused {
        f.write_str("empty object")
    } else {
        f.write_str("object")
    }
}

/// `date (YYYY-MM-DD)`, `string of 1 to 80 characters matching ^[a-z]+$`
fn write_string(f: &mut fmt::Formatter<'_>, facts: &Facts) -> fmt::Result {
    f.write_str(facts.format.map_or("string", |format| format.expectation()))?;
    write_count(f, (facts.min_length, facts.max_length), ("character", "characters"))?;
    facts.pattern.as_ref().map_or(Ok(()), |pattern| write!(f, " matching {}", Cut(pattern)))
}

/// ` of 1 to 80 characters`; nothing where there are no bounds.
fn write_count(
    f: &mut fmt::Formatter<'_>,
    (min, max): (Option<u64>, Option<u64>),
    (noun, nouns): (&str, &str),
) -> fmt::Result {
    let noun_of = |count| if count == 1 { noun } else { nouns };
    match (min, max) {
        (None, None) => Ok(()),
        (Some(min), Some(max)) if min == max => write!(f, " of {min} {}", noun_of(min)),
        (Some(min), Some(max)) => write!(f, " of {min} to {max} {nouns}"),
        (Some(min), None) => write!(f, " of at least {min} {}", noun_of(min)),
        (None, Some(max)) => write!(f, " of at most {max} {}", noun_of(max)),
    }
}

/// `integer from 1 to 14`, `number above 0 and up to 1, a multiple of 0.1`
fn write_number(f: &mut fmt::Formatter<'_>, noun: &str, facts: &Facts) -> fmt::Result {
    f.write_str(noun)?;
    let low = facts.min.map(|min| ("from", min)).or(facts.exclusive_min.map(|min| ("above", min)));
    let up_to = if facts.min.is_some() { "to" } else { "up to" };
    let high = facts.max.map(|max| (up_to, max)).or(facts.exclusive_max.map(|max| ("below", max)));
    if let Some((word, bound)) = low {
        write!(f, " {word} {bound}")?;
    }
    if let Some((word, bound)) = high {
        let is_plain = low.is_none() || facts.min.is_some() && facts.max.is_some();
        write!(f, "{} {word} {bound}", if is_plain { "" } else { " and" })?;
    }
    facts.multiple_of.map_or(Ok(()), |divisor| write!(f, ", a multiple of {divisor}"))
}

/// Without the ends that are only those of a wide integer type.
fn without_widths(facts: &Facts) -> Facts {
    let is_least = |bound| {
        matches!(bound, Number::Integer(bound) if {
            [i128::from(i32::MIN), i128::from(i64::MIN), i128::MIN].contains(&bound)
        })
    };
    let is_greatest = |bound| match bound {
        Number::Integer(bound) => {
            let integer = [i32::MAX.into(), u32::MAX.into(), i64::MAX.into(), u64::MAX.into(), i128::MAX];
            integer.contains(&bound)
        }
        Number::Large(bound) => bound == u128::MAX,
        Number::Float(_) => false,
    };
    Facts {
        min: facts.min.filter(|&bound| !is_least(bound)),
        max: facts.max.filter(|&bound| !is_greatest(bound)),
        exclusive_min: facts.exclusive_min,
        exclusive_max: facts.exclusive_max,
        multiple_of: facts.multiple_of,
        ..Facts::default()
    }
}

/// What several values of a shape are called.
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
