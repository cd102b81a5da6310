//! What a faulty value should have been: certain corrections, and placeholders for what only the model can know.
//!
//! In come what is expected at a place and what was sent; out goes a value. What always holds: a correction is accepted by what is
//! expected there, so nothing is guessed; a placeholder is a string `<…>` that says what belongs there, nested where an object is
//! missing whose fields are known.

use std::borrow::Cow;

use crate::bounded;
use crate::check::accepts;
use crate::issue::{Expected, Issue, rendered};
use crate::json::{Json, Member, Node, Span};
use crate::repair::coerce::coerce;
use crate::shape::{Kind, List, Ref, RepairPolicy, Rule, Shape};

/// The most that one placeholder takes.
const PLACEHOLDER: usize = 120;
/// How deep placeholders nest, and how many fields or items one level has.
const DEPTH: usize = 2;
const FIELDS: usize = 6;
/// How many missing items of an array are shown.
pub(super) const ITEMS: usize = 3;
/// How many edges are followed to the array behind an expectation.
const HOPS: usize = 48;
/// Longer values are not tried again: what is cut from them costs more than it tells.
const LONGEST: usize = 2_000;

/// The value that was meant where nobody can doubt it.
pub(super) fn certain(issue: &Issue, json: &Json<'_>) -> Option<Json<'static>> {
    let shape = shape_of(&issue.expected)?;
    let fits = |candidate: &Json<'_>| accepts(&shape, candidate);
    if let Some(meant) = &issue.suggestion {
        return Some(string(meant.to_string())).filter(fits);
    }
    repaired(&shape, json)
}

/// The value under its right name: `None` where it is as expected, else repaired, else a placeholder.
pub(super) fn fitting(expected: &Expected, json: &Json<'_>) -> Option<Json<'static>> {
    let shape = shape_of(expected)?;
    if accepts(&shape, json) {
        return None;
    }
    Some(repaired(&shape, json).unwrap_or_else(|| missing(expected, "")))
}

/// Reads a value as what is wanted, without losing anything of it.
fn repaired(shape: &Shape, json: &Json<'_>) -> Option<Json<'static>> {
    if !json.preview(LONGEST).complete {
        return None;
    }
    let trimmed = json.as_str().map(|text| string(text.trim().to_owned())).filter(|trimmed| accepts(shape, trimmed));
    trimmed.or_else(|| {
        let coerced = coerce(shape, json.clone(), RepairPolicy::Lossless);
        coerced.issues.is_empty().then(|| coerced.value.into_owned())
    })
}

/// What is expected, as a shape.
fn shape_of(expected: &Expected) -> Option<Shape> {
    let edge = expected.shape.clone()?;
    Some(Shape { rules: expected.rules.clone(), ..Shape::of(Kind::Alias(edge)) })
}

/// A placeholder for a value that was wrong.
pub(super) fn in_place_of(issue: &Issue) -> Json<'static> {
    let words = rendered(&*issue.expected);
    let words = if words.is_empty() || words == "nothing" { rendered(&issue.constraint) } else { words };
    placeholder(&issue.expected, "", &words, 0)
}

/// A placeholder for a value that is missing.
pub(super) fn missing(expected: &Expected, description: &str) -> Json<'static> {
    placeholder(expected, description, &rendered(expected), 0)
}

fn placeholder(expected: &Expected, description: &str, words: &str, depth: usize) -> Json<'static> {
    let facts = expected.facts();
    let nests = depth < DEPTH;
    if nests && facts.json_type == Some("object") && !facts.required_fields.is_empty() {
        let members = facts.required_fields.iter().take(FIELDS).map(|(name, inner)| {
            member(bounded::exact_name(name).into_owned(), placeholder(inner, "", &rendered(inner), depth + 1))
        });
        return Json::new(Node::Object(members.collect()));
    }
    if nests && facts.json_type == Some("array") {
        let items: Vec<_> = (0..facts.min_items.unwrap_or(1).clamp(1, ITEMS as u64))
            .map_while(|index| item(expected, usize::try_from(index).ok()?))
            .map(|inner| placeholder(&inner, "", &rendered(&inner), depth + 1))
            .collect();
        if !items.is_empty() {
            return Json::new(Node::Array(items));
        }
    }
    let description = bounded::description(description, PLACEHOLDER);
    let is_plain_string =
        facts.json_type == Some("string") && facts.format.is_none() && facts.allowed_values.is_empty();
    let text = match (&*description, is_plain_string) {
        ("", _) => words.to_owned(),
        (said, true) => said.to_owned(),
        (said, false) => format!("{said}: {words}"),
    };
    // Quotes would be escaped in the string, which nobody reads well.
    string(format!("<{}>", bounded::sentence(&text.replace('"', ""), PLACEHOLDER)))
}

/// What the item with this number must be, where an array, a tuple or a map is expected.
pub(super) fn item(expected: &Expected, index: usize) -> Option<Expected> {
    let mut edge = expected.shape.clone()?;
    let mut rules: Vec<Rule> = expected.rules.to_vec();
    for _ in 0..HOPS {
        let next = {
            let shape = edge.shape();
            rules.extend(shape.rules.iter().cloned());
            match &shape.kind {
                Kind::Alias(inner) | Kind::Nullable(inner) => inner.clone(),
                Kind::Array(items) | Kind::Map { values: items, .. } => return Some(ruled(items.clone(), &rules)),
                Kind::Tuple(positions) => return positions.get(index).cloned().map(Expected::of),
                _ => return None,
            }
        };
        edge = next;
    }
    None
}

/// The items of an array, with what `inner(…)` asks of them.
fn ruled(items: Ref, rules: &[Rule]) -> Expected {
    let inner =
        rules.iter().filter_map(|rule| if let Rule::Inner(rules) = rule { Some(rules.iter().cloned()) } else { None });
    let rules: List<Rule> = inner.flatten().collect::<Vec<_>>().into();
    Expected { rules, ..Expected::of(items) }
}

pub(super) fn string(text: String) -> Json<'static> {
    Json::new(Node::String(Cow::Owned(text)))
}

fn member(key: String, value: Json<'static>) -> Member<'static> {
    Member { key: Cow::Owned(key), key_span: Span::default(), value }
}
