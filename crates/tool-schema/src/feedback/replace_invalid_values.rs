//! Replaces faulty values: by corrections that are certain, and by placeholders for values that only the model can know.
//!
//! Invariant: a correction satisfies the expectation at its location, so nothing is guessed. A placeholder is a string `<…>` that describes
//! the value. For an object or array whose parts are known, it is an object or array of such strings.

use crate::bounded;
use crate::check::accepts;
use crate::hint::text_to_send;
use crate::issue::{Constraint, Expected, Issue, to_escaped_text};
use crate::json::build::{member, string};
use crate::json::{Json, Node};
use crate::repair::coerce::coerce;
use crate::shape::{Kind, Ref, RepairPolicy, Rule, Shape, SharedSlice};

/// The maximum number of bytes of one placeholder.
const PLACEHOLDER: usize = 120;
/// The maximum depth of nested placeholders.
const DEPTH: usize = 2;
/// The maximum number of fields in the placeholder of an object.
const FIELDS: usize = 6;
/// The maximum number of missing items shown for an array, and of items in the placeholder of an array.
pub(super) const ITEMS: usize = 3;
/// The maximum number of edges followed to find an array.
const HOPS: usize = 48;
/// The maximum length of a value that is repaired, in bytes of JSON. The preview of a longer value would be cut anyway.
const LONGEST: usize = 2_000;
/// The maximum number of values of an enum among which a repair is searched for.
const MOST_VALUES: usize = 1_000;

/// Returns the value that was meant, if that is certain.
pub(super) fn certain(issue: &Issue, json: &Json<'_>) -> Option<Json<'static>> {
    let shape = issue.expected.as_shape()?;
    let fits = |sample: &Json<'_>| accepts(&shape, sample);
    if let Some(meant) = issue.suggestion.as_deref().or_else(|| text_to_send(issue)) {
        return Some(string(meant.to_owned())).filter(fits);
    }
    // A search among thousands of values takes memory that the text does not justify, and a value with another spelling has a suggestion.
    if matches!(&issue.constraint, Constraint::Enum(allowed) if allowed.len() > MOST_VALUES) {
        return None;
    }
    repaired(&shape, json)
}

/// Returns the new value for a renamed field: the repaired value, or else a placeholder. Returns `None` if the sent value can stay.
pub(super) fn fitting(expected: &Expected, json: &Json<'_>) -> Option<Json<'static>> {
    let shape = expected.as_shape()?;
    if accepts(&shape, json) {
        return None;
    }
    Some(repaired(&shape, json).unwrap_or_else(|| missing(expected, "")))
}

/// Repairs a value without losing any part of it.
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

/// Returns a placeholder for a wrong value.
pub(super) fn in_place_of(issue: &Issue) -> Json<'static> {
    let words = to_escaped_text(&*issue.expected);
    let words = if words.is_empty() || words == "nothing" { to_escaped_text(&issue.constraint) } else { words };
    // The words name the values of an enum. A second list of them would take much memory if there are thousands.
    if matches!(issue.constraint, Constraint::Enum(_) | Constraint::Values(_)) {
        return in_brackets(&words);
    }
    placeholder(&issue.expected, "", &words, 0)
}

/// Returns a placeholder for a missing value.
pub(super) fn missing(expected: &Expected, description: &str) -> Json<'static> {
    placeholder(expected, description, &to_escaped_text(expected), 0)
}

fn placeholder(expected: &Expected, description: &str, words: &str, depth: usize) -> Json<'static> {
    let facts = expected.facts();
    let nests = depth < DEPTH;
    if nests && facts.json_type == Some("object") && !facts.required_fields.is_empty() {
        let members = facts.required_fields.iter().take(FIELDS).map(|(name, inner)| {
            member(
                bounded::truncated_name(name).into_owned(),
                placeholder(inner, "", &to_escaped_text(inner), depth + 1),
            )
        });
        return Json::from_node(Node::Object(members.collect()));
    }
    if nests && facts.json_type == Some("array") {
        let items: Vec<_> = (0..facts.min_items.unwrap_or(1).clamp(1, ITEMS as u64))
            .map_while(|index| item(expected, usize::try_from(index).ok()?))
            .map(|inner| placeholder(&inner, "", &to_escaped_text(&inner), depth + 1))
            .collect();
        if !items.is_empty() {
            return Json::from_node(Node::Array(items));
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
    in_brackets(&text)
}

/// Returns a placeholder with these words. Quotes are removed, because they would be escaped in the string and make it hard to read. A value
/// after "such as" is removed, because small models send it as it is.
fn in_brackets(words: &str) -> Json<'static> {
    let words = words.replace('"', "");
    let words = match words.split_once("such as ").and_then(|(before, rest)| Some((before, rest.split_once(')')?.1))) {
        Some((before, rest)) => match before.strip_suffix(" (") {
            Some(before) => format!("{before}{rest}"),
            None => format!("{})", before.trim_end_matches([',', ' '])) + rest,
        },
        None => words,
    };
    string(format!("<{}>", bounded::sentence(&words, PLACEHOLDER)))
}

/// Returns the expectation for the item with this index of an array, tuple or map.
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
                Kind::Tuple(positions) => return positions.get(index).cloned().map(Expected::from_shape),
                _ => return None,
            }
        };
        edge = next;
    }
    None
}

/// Returns the expectation for the items of an array, with the rules of `inner(…)`.
fn ruled(items: Ref, rules: &[Rule]) -> Expected {
    let inner =
        rules.iter().filter_map(|rule| if let Rule::Inner(rules) = rule { Some(rules.iter().cloned()) } else { None });
    let rules: SharedSlice<Rule> = inner.flatten().collect::<Vec<_>>().into();
    Expected { rules, ..Expected::from_shape(items) }
}
