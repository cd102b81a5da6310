//! Detects whether a call sent a secret: a value for a `#[tool(sensitive)]` field, whatever its type.
//!
//! The result decides if the tool's own error texts may be shown. Invariant: in doubt, the result is `true`. If a value has another form
//! than the shape expects (an array for a struct, a text for an object), or if its variant is unclear, any part of it may have reached a
//! sensitive field.

use std::collections::HashSet;

use crate::json::{Json, JsonType, Node};
use crate::shape::{AcceptedTypes, Kind, MOST_HOPS, Object, Shape, Tagging, Union, Variant};

/// Returns `true` if a call with these arguments sent a value for a sensitive field. An absent field and `null` do not count as values.
pub fn sends_sensitive_field(shape: &Shape, arguments: &Json<'_>) -> bool {
    shape.has_secrets() && Search { seen: HashSet::new() }.finds(shape, arguments, 0)
}

struct Search {
    /// The visited pairs of shape and node. A pair that is reached again is skipped, so that recursive unions take linear time.
    seen: HashSet<(usize, usize)>,
}

impl Search {
    fn finds(&mut self, shape: &Shape, json: &Json<'_>, hops: usize) -> bool {
        if json.is_null() {
            return false;
        }
        if hops > MOST_HOPS {
            return true;
        }
        if hops > 0 && !self.seen.insert((std::ptr::from_ref(shape).addr(), std::ptr::from_ref(json).addr())) {
            return false;
        }
        match (&shape.kind, &json.node) {
            (Kind::Alias(inner) | Kind::Nullable(inner), _) => self.finds(&inner.shape(), json, hops + 1),
            (Kind::Array(edge), Node::Array(items)) => {
                let shape = edge.shape();
                items.iter().any(|item| self.finds(&shape, item, 0))
            }
            (Kind::Tuple(positions), Node::Array(items)) => {
                items.iter().zip(positions).any(|(item, edge)| self.finds(&edge.shape(), item, 0))
            }
            (Kind::Map { values, .. }, Node::Object(members)) => {
                let shape = values.shape();
                members.iter().any(|member| self.finds(&shape, &member.value, 0))
            }
            (Kind::Object(object), Node::Object(_)) => self.finds_in_fields(object, json, hops),
            (Kind::Union(union), _) => self.finds_in_union(shape, union, json, hops),
            // The value has another form than the shape expects.
            _ => shape.has_secrets(),
        }
    }

    fn finds_in_fields(&mut self, object: &Object, json: &Json<'_>, hops: usize) -> bool {
        object.fields.iter().any(|field| {
            let shape = field.shape.shape();
            if field.flatten {
                return field.sensitive && !json.members().is_empty()
                    || !is_left_out(&shape, json, 0) && self.finds(&shape, json, hops + 1);
            }
            let mut sent =
                json.members().iter().filter(|member| field.has_key(&member.key)).map(|member| &member.value);
            sent.any(|value| if field.sensitive { !value.is_null() } else { self.finds(&shape, value, 0) })
        })
    }

    fn finds_in_union(&mut self, shape: &Shape, union: &Union, json: &Json<'_>, hops: usize) -> bool {
        let named = match (&union.tagging, &json.node) {
            (Tagging::External, Node::String(name)) => union.find(name).map(|variant| (variant, None)),
            (Tagging::External, Node::Object(members)) => {
                let mut known =
                    members.iter().filter_map(|member| Some((union.find(&member.key)?, Some(&member.value))));
                match (known.next(), known.next()) {
                    (first, None) => first,
                    // It is unclear which variant was meant, so any of them may contain the secret.
                    _ => return shape.has_secrets(),
                }
            }
            (Tagging::Internal { tag }, _) => tagged_variant(union, tag, json).map(|variant| (variant, Some(json))),
            (Tagging::Adjacent { tag, content }, _) => {
                tagged_variant(union, tag, json).map(|variant| (variant, json.get(content)))
            }
            _ => None,
        };
        match named {
            Some((Variant { payload: Some(payload), .. }, Some(value))) => {
                self.finds(&payload.shape(), value, hops + 1) || self.finds_untagged(union, json, hops)
            }
            Some(_) => self.finds_untagged(union, json, hops),
            None if union.is_untold() => self.finds_untagged(union, json, hops) || is_of_no_form(union, json),
            None => shape.has_secrets(),
        }
    }

    /// Searches each untagged variant that may have been meant. For an array, these are all of them, because serde also decodes structs
    /// from arrays.
    fn finds_untagged(&mut self, union: &Union, json: &Json<'_>, hops: usize) -> bool {
        let is_array = json.json_type() == JsonType::Array;
        let untagged = union.variants.iter().filter(|variant| union.tagging == Tagging::Untagged || variant.untagged);
        let mut meant =
            untagged.filter(|variant| is_array || AcceptedTypes::of_payload(variant).contains(json.json_type()));
        meant.any(|variant| variant.payload.as_ref().is_some_and(|edge| self.finds(&edge.shape(), json, hops + 1)))
    }
}

/// Returns `true` if a union has a variant with secrets, but no variant accepts the JSON type of the value.
fn is_of_no_form(union: &Union, json: &Json<'_>) -> bool {
    let fits = |variant: &Variant| AcceptedTypes::of_payload(variant).contains(json.json_type());
    let has_secrets = |variant: &Variant| variant.payload.as_ref().is_some_and(|edge| edge.shape().has_secrets());
    union.variants.iter().any(has_secrets) && !union.variants.iter().any(fits)
}

/// Returns `true` if `shape` is an enum that is flattened into an object, and the object has no member for this enum.
fn is_left_out(shape: &Shape, json: &Json<'_>, hops: usize) -> bool {
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) if hops < MOST_HOPS => is_left_out(&inner.shape(), json, hops + 1),
        Kind::Union(union) if !union.is_untold() => match &union.tagging {
            Tagging::External => !json.members().iter().any(|member| union.find(&member.key).is_some()),
            Tagging::Internal { tag } => json.get(tag).is_none(),
            Tagging::Adjacent { tag, content } => json.get(tag).is_none() && json.get(content).is_none(),
            Tagging::Untagged => false,
        },
        _ => false,
    }
}

fn tagged_variant<'u>(union: &'u Union, tag: &str, json: &Json<'_>) -> Option<&'u Variant> {
    union.find(json.get(tag)?.as_str()?)
}
