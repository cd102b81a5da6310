//! Hashes values by their meaning.
//!
//! The hash treats `1` and `1.0` as equal and ignores the order of keys. It treats an alias like the name of the field or variant, and an
//! absent argument like its default, or like `null` if it is optional. Invariants: the parser bounds the depth, and the work is linear in
//! the text.

use crate::fast_hash::{Mixer, hash};
use crate::input::Arguments;
use crate::json::{Json, Node, Number, NumberText};
use crate::shape::{
    Field, Kind, Object, Ref, SharedSlice, Tagging, Text, Union, find_variant, has_key, tag_shape, unaliased,
};

/// The maximum number of flattened objects and aliases that are followed to find a field.
const STEPS: usize = 16;

/// Returns a hash of arguments that is the same for all spellings; `None` if they are not valid JSON.
pub(super) fn arguments(arguments: &Arguments<'_>, input: &Ref) -> Option<u64> {
    arguments.to_json().ok().map(|json| tree(&json, input))
}

/// Returns a hash of a tree of arguments that is the same for all spellings.
pub(super) fn tree(json: &Json<'_>, input: &Ref) -> u64 {
    Reader { volatile: &SharedSlice::EMPTY }.value(json, Some(input))
}

/// Returns a hash of a result that does not depend on volatile members. A text that is not valid JSON is hashed unchanged.
#[inline]
pub(super) fn result(text: &str, volatile: &SharedSlice<Text>) -> u64 {
    if volatile.is_empty() { hash(text.as_bytes()) } else { without(text, volatile) }
}

fn without(text: &str, volatile: &SharedSlice<Text>) -> u64 {
    Json::parse(text).map_or_else(|_| hash(text.as_bytes()), |json| Reader { volatile }.value(&json, None))
}

struct Reader<'v> {
    volatile: &'v SharedSlice<Text>,
}

impl Reader<'_> {
    fn value(&self, json: &Json<'_>, edge: Option<&Ref>) -> u64 {
        let start = Mixer::new().word(tag(&json.node));
        let mixed = match &json.node {
            Node::Null => start,
            Node::Bool(value) => start.word(u64::from(*value)),
            Node::Number(text) => number(start, NumberText(text)),
            Node::String(text) => start.bytes(variant_name(edge, text).as_bytes()),
            Node::Array(items) => {
                let items = items.iter().enumerate();
                items.fold(start, |all, (index, item)| all.word(self.value(item, item_edge(edge, index).as_ref())))
            }
            Node::Object(_) => start.word(self.members(json, edge)),
        };
        mixed.sum()
    }

    /// Adds the hashes of members, so that their order does not matter.
    fn members(&self, json: &Json<'_>, edge: Option<&Ref>) -> u64 {
        let mut sum = 0_u64;
        for member in json.members() {
            if self.volatile.iter().any(|name| *name == *member.key) {
                continue;
            }
            let member_edge = edge.and_then(|edge| member_edge(edge, json, &member.key, STEPS));
            let (name, edge) = match &member_edge {
                Some(found) if found.is_absent_when_null && member.value.is_null() => continue,
                Some(found) => (&*found.name, Some(&found.edge)),
                None => (&*member.key, None),
            };
            let value = self.value(&member.value, edge);
            if member_edge.as_ref().is_some_and(|found| self.default(found) == Some(value)) {
                continue;
            }
            sum = sum.wrapping_add(Mixer::new().bytes(name.as_bytes()).word(value).sum());
        }
        sum
    }
}

impl Reader<'_> {
    /// Returns the hash of the default of an absent member.
    fn default(&self, known: &Known) -> Option<u64> {
        let default = Json::parse(known.default.as_deref()?).ok()?;
        Some(self.value(&default, Some(&known.edge)))
    }
}

const fn tag(node: &Node<'_>) -> u64 {
    match node {
        Node::Null => 1,
        Node::Bool(_) => 2,
        Node::Number(_) => 3,
        Node::String(_) => 4,
        Node::Array(_) => 5,
        Node::Object(_) => 6,
    }
}

fn number(start: Mixer, text: NumberText<'_>) -> Mixer {
    #[allow(clippy::cast_possible_truncation)] // Both halves are used.
    let wide = |start: Mixer, tag: u64, value: u128| start.word(tag).word(value as u64).word((value >> 64) as u64);
    match text.value() {
        Number::Integer(value) => wide(start, 0, value.cast_unsigned()),
        Number::Large(value) => wide(start, 1, value),
        Number::Float(value) => start.word(2).word(value.to_bits()),
    }
}

/// The description of a member.
struct Known {
    name: Text,
    edge: Ref,
    is_absent_when_null: bool,
    default: Option<Text>,
}

impl Known {
    fn field(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            edge: field.shape.clone(),
            is_absent_when_null: !field.is_required() && field.default.is_none() && !field.distinct_null,
            default: field.default.clone(),
        }
    }

    const fn value(name: Text, edge: Ref) -> Self {
        Self { name, edge, is_absent_when_null: false, default: None }
    }
}

/// Returns the description of the member with this key.
fn member_edge(edge: &Ref, object: &Json<'_>, key: &str, steps: usize) -> Option<Known> {
    let steps = steps.checked_sub(1)?;
    let shape = edge.shape();
    match &shape.kind {
        Kind::Object(fields) => object_member(fields, object, key, steps),
        Kind::Map { values, .. } => Some(Known::value(key.to_owned().into(), values.clone())),
        Kind::Nullable(inner) | Kind::Alias(inner) => member_edge(inner, object, key, steps),
        Kind::Union(union) => union_member(union, object, key, steps),
        _ => None,
    }
}

/// Returns the description of a member of a tagged union.
fn union_member(union: &Union, object: &Json<'_>, key: &str, steps: usize) -> Option<Known> {
    let variant = |tag: &Text| find_variant(union, object.get(tag)?.as_str()?);
    match &union.tagging {
        Tagging::External => {
            let variant = find_variant(union, key)?;
            Some(Known::value(variant.name.clone(), variant.payload.clone()?))
        }
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } if tag == key => {
            Some(Known::value(tag.clone(), tag_shape(union)))
        }
        Tagging::Internal { tag } => member_edge(variant(tag)?.payload.as_ref()?, object, key, steps),
        Tagging::Adjacent { tag, content } if content == key => {
            Some(Known::value(content.clone(), variant(tag)?.payload.clone()?))
        }
        Tagging::Adjacent { .. } | Tagging::Untagged => None,
    }
}

/// Returns the canonical name of an enum value, or the string itself.
fn variant_name<'t>(edge: Option<&Ref>, text: &'t str) -> std::borrow::Cow<'t, str> {
    let known = edge.and_then(unaliased);
    match known.as_ref().map(Ref::shape).as_deref().map(|shape| &shape.kind) {
        Some(Kind::Union(union)) if union.tagging == Tagging::External => {
            find_variant(union, text).map_or(text.into(), |variant| variant.name.to_string().into())
        }
        _ => text.into(),
    }
}

fn object_member(object: &Object, around: &Json<'_>, key: &str, steps: usize) -> Option<Known> {
    let mut named = object.fields.iter().filter(|field| has_key(field, key));
    let flattened = || object.fields.iter().filter(|field| field.flatten);
    let within = || flattened().find_map(|field| member_edge(&field.shape, around, key, steps));
    named.next().map(Known::field).or_else(within)
}

fn item_edge(edge: Option<&Ref>, index: usize) -> Option<Ref> {
    match &unaliased(edge?)?.shape().kind {
        Kind::Array(items) => Some(items.clone()),
        Kind::Tuple(positions) => positions.get(index).cloned(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
