//! Makes an acceptable value for an expectation, for hints.
//!
//! The value is the author's example, or else the default, the first of the allowed values, or a small value that satisfies the rules.
//! Nothing is returned if only the tool's author can supply a value: for `custom`, for an unknown type, and for a `pattern` without a known
//! match (`docs/decisions/0005-examples-of-patterns.md`). Invariant: a text for a `pattern` is only returned if the pattern's matcher
//! accepts it; the work is bounded by [`STEPS`], so that recursive types end; the same expectation always has the same value.

mod number;

use std::borrow::Cow;

use crate::issue::{Expected, ExpectedFacts};
use crate::json::Writer;
use crate::shape::{Field, Kind, Object, Pattern, Ref, Rule, Shape, SharedSlice, Tagging, Union, Variant};
use crate::visible::is_hidden;

/// The maximum number of values that make up one placeholder.
const STEPS: usize = 60;
/// The maximum depth of a placeholder.
const DEPTH: usize = 12;
/// The maximum depth at which a list gets an item that its rules do not require.
const FILLED: usize = 2;
/// The maximum length of a generated text in characters.
const LENGTH: u64 = 200;

/// Returns a value for the expectation, as JSON text.
pub(super) fn value(expected: &Expected) -> Option<String> {
    Builder { steps: STEPS, depth: 0, is_secret: false }.value(expected, 0)
}

struct Builder {
    steps: usize,
    depth: usize,
    /// `true` if the value is part of a secret.
    is_secret: bool,
}

impl Builder {
    /// Returns a value for the expectation. A different `nth` gives a different value, which arrays of unique items need.
    fn value(&mut self, expected: &Expected, nth: usize) -> Option<String> {
        if nth == 0
            && let Some(authored) = expected.example.as_ref().or(expected.default.as_ref())
        {
            return Some(authored.to_string());
        }
        self.steps = self.steps.checked_sub(1)?;
        if self.depth == DEPTH {
            return None;
        }
        let is_within_secret = self.is_secret;
        self.is_secret |= expected.is_secret;
        self.depth += 1;
        let value = self.built(expected, nth);
        self.depth -= 1;
        self.is_secret = is_within_secret;
        value
    }

    fn built(&mut self, expected: &Expected, nth: usize) -> Option<String> {
        let edge = expected.shape.as_ref()?;
        let shape = edge.shape();
        if rules(expected, &shape).any(|rule| matches!(rule, Rule::Custom(_))) {
            return None;
        }
        let facts = expected.facts();
        if !facts.allowed_values.is_empty() {
            return facts.allowed_values.get(nth).map(|text| quoted(text));
        }
        if !facts.values.is_empty() {
            return facts.values.get(nth).map(ToString::to_string);
        }
        match &shape.kind {
            Kind::Any => Some(quoted("text")),
            Kind::Null => Some("null".to_owned()),
            Kind::Boolean => ["true", "false"].get(nth).map(|&word| word.to_owned()),
            Kind::Integer => number::integer(&facts, nth),
            Kind::Number(_) => number::integer(&facts, nth).or_else(|| number::fraction(&facts)),
            Kind::String => self.string(&facts, &patterns(expected, &shape), nth).map(|text| quoted(&text)),
            Kind::Array(items) => self.array(&facts, &inner(items, expected, &shape)),
            Kind::Tuple(positions) => {
                let items: Option<Vec<_>> =
                    positions.iter().map(|position| self.value(&Expected::from_shape(position.clone()), 0)).collect();
                Some(list(&items?))
            }
            Kind::Map { keys, values } => self.map(&facts, keys, &inner(values, expected, &shape)),
            Kind::Object(object) => self.object(object, &facts),
            Kind::Union(union) => self.union(union),
            Kind::Nullable(inner) => {
                self.value(&ruled(inner, expected.rules.clone()), nth).or_else(|| Some("null".to_owned()))
            }
            Kind::Alias(target) => {
                let rules: Vec<_> = rules(expected, &shape).cloned().collect();
                self.value(&ruled(target, rules.into()), nth)
            }
            Kind::Foreign(_) => None,
        }
    }

    /// Returns a text that all patterns accept. Returns `None` for a secret with patterns, because a matching text would look like a real
    /// secret.
    fn string<'p>(&self, facts: &ExpectedFacts, patterns: &[&'p Pattern], nth: usize) -> Option<Cow<'p, str>> {
        if self.is_secret && !patterns.is_empty() {
            return None;
        }
        let candidates = patterns.iter().map(|pattern| &*pattern.sample);
        let candidates = candidates.filter(|text| nth == 0 && fits(text, facts)).map(Cow::Borrowed);
        let mut texts = plain(facts, nth).into_iter().chain(candidates);
        texts.find(|text| patterns.iter().all(|pattern| pattern.is_match(text)))
    }

    fn array(&mut self, facts: &ExpectedFacts, item: &Expected) -> Option<String> {
        let least = facts.min_items.unwrap_or(0);
        let wanted = if least == 0 && self.depth <= FILLED && facts.max_items != Some(0) { 1 } else { least };
        let items: Option<Vec<_>> = (0..usize::try_from(wanted).ok()?.min(STEPS + 1))
            .map(|nth| self.value(item, if facts.unique_items { nth } else { 0 }))
            .collect();
        match items {
            Some(items) => Some(list(&items)),
            None => (least == 0).then(|| list(&[])),
        }
    }

    fn map(&mut self, facts: &ExpectedFacts, keys: &Ref, value: &Expected) -> Option<String> {
        let members: Option<Vec<_>> = (0..usize::try_from(facts.min_properties.unwrap_or(0)).ok()?.min(STEPS + 1))
            .map(|nth| {
                // A key is always a string; an integer key is written as its digits.
                let key = self.value(&Expected::from_shape(keys.clone()), nth)?;
                let key = if key.starts_with('"') { key } else { quoted(&key) };
                Some(format!("{key}:{}", self.value(value, 0)?))
            })
            .collect();
        members.map(|members| braced(&members))
    }

    /// Returns an object with the required members, and with optional ones if it needs more.
    fn object(&mut self, object: &Object, facts: &ExpectedFacts) -> Option<String> {
        let mut members = Vec::new();
        self.members(object, &mut members)?;
        let least = usize::try_from(facts.min_properties.unwrap_or(0)).ok()?;
        for field in object.fields.iter().filter(|field| !field.flatten && !field.is_required() && !field.hidden) {
            if members.len() < least {
                members.push(member(&field.name, &self.value(&Expected::from_field(field), 0)?));
            }
        }
        (members.len() >= least).then(|| braced(&members))
    }

    /// Adds the required members, including those of flattened fields.
    fn members(&mut self, object: &Object, members: &mut Vec<String>) -> Option<()> {
        for field in &object.fields {
            if field.flatten {
                let flattened = self.flattened(field)?;
                members.extend((!flattened.is_empty()).then_some(flattened));
            } else if field.is_required() {
                members.push(member(&field.name, &self.value(&Expected::from_field(field), 0)?));
            }
        }
        Some(())
    }

    /// Returns the members that a flattened field requires, as JSON without the braces; an optional field requires none.
    fn flattened(&mut self, field: &Field) -> Option<String> {
        if matches!(field.shape.shape().kind, Kind::Nullable(_)) {
            return Some(String::new());
        }
        let text = self.value(&Expected::from_field(field), 0)?;
        Some(text.strip_prefix('{')?.strip_suffix('}')?.to_owned())
    }

    fn union(&mut self, union: &Union) -> Option<String> {
        let mut shown = union.variants.iter().filter(|variant| !variant.hidden && !variant.other);
        shown.find_map(|variant| self.variant(&union.tagging, variant))
    }

    fn variant(&mut self, tagging: &Tagging, variant: &Variant) -> Option<String> {
        let name = quoted(&variant.name);
        let payload = match &variant.payload {
            Some(payload) => Some(self.value(&Expected::from_shape(payload.clone()), 0)?),
            None => None,
        };
        if variant.untagged {
            return payload.or_else(|| Some("null".to_owned()));
        }
        Some(match (tagging, payload) {
            (Tagging::Untagged, payload) => payload.unwrap_or_else(|| "null".to_owned()),
            (Tagging::External, None) => name,
            (Tagging::External, Some(payload)) => braced(&[member(&variant.name, &payload)]),
            (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }, None) => braced(&[member(tag, &name)]),
            (Tagging::Adjacent { tag, content }, Some(payload)) => {
                braced(&[member(tag, &name), member(content, &payload)])
            }
            (Tagging::Internal { tag }, Some(payload)) => {
                let inner = payload.strip_prefix('{')?.strip_suffix('}')?;
                let mut members = vec![member(tag, &name)];
                members.extend((!inner.is_empty()).then(|| inner.to_owned()));
                braced(&members)
            }
        })
    }
}

fn ruled(edge: &Ref, rules: SharedSlice<Rule>) -> Expected {
    Expected { rules, ..Expected::from_shape(edge.clone()) }
}

/// Returns the rules of an expectation and of its shape.
fn rules<'r>(expected: &'r Expected, shape: &'r Shape) -> impl Iterator<Item = &'r Rule> {
    expected.rules.iter().chain(&shape.rules)
}

/// Returns the expectation for the items of an array or the values of a map, with the rules of `inner(…)`.
fn inner(edge: &Ref, expected: &Expected, shape: &Shape) -> Expected {
    let rules = rules(expected, shape).filter_map(|rule| match rule {
        Rule::Inner(rules) => Some(rules.iter().cloned()),
        _ => None,
    });
    ruled(edge, rules.flatten().collect::<Vec<_>>().into())
}

fn patterns<'r>(expected: &'r Expected, shape: &'r Shape) -> Vec<&'r Pattern> {
    let pattern = |rule: &'r Rule| if let Rule::Pattern(pattern) = rule { Some(pattern) } else { None };
    rules(expected, shape).filter_map(pattern).collect()
}

/// Returns `true` if a text generated from a pattern satisfies the other rules. Empty texts and texts with hidden characters are not useful
/// as examples.
fn fits(text: &str, facts: &ExpectedFacts) -> bool {
    let (least, most) = (facts.min_length.unwrap_or(0), facts.max_length.unwrap_or(u64::MAX).min(LENGTH));
    (least.max(1)..=most).contains(&(text.chars().count() as u64))
        && facts.format.is_none_or(|format| format.accepts(text))
        && !text.contains(is_hidden)
}

/// Returns a text of the format or of the required length.
fn plain(facts: &ExpectedFacts, nth: usize) -> Option<Cow<'static, str>> {
    let least = facts.min_length.unwrap_or(0);
    let most = facts.max_length.unwrap_or(u64::MAX);
    if let Some(format) = facts.format {
        let example = format.example();
        let length = example.chars().count() as u64;
        return (nth == 0 && (least..=most).contains(&length)).then_some(Cow::Borrowed(example));
    }
    let word = if nth == 0 { Cow::Borrowed("text") } else { Cow::Owned(format!("{nth}text")) };
    let wanted = least.max(word.len() as u64).min(most);
    let wanted = usize::try_from(wanted).ok().filter(|_| wanted <= LENGTH)?;
    if wanted == word.len() {
        return Some(word);
    }
    let text: String = word.chars().chain("text".chars().cycle()).take(wanted).collect();
    (nth == 0 || text.len() >= word.len()).then_some(Cow::Owned(text))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    Writer::new(&mut quoted).string(text);
    quoted
}

fn member(key: &str, value: &str) -> String {
    format!("{}:{value}", quoted(key))
}

fn braced(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}
