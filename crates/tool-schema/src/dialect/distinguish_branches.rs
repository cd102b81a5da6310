//! Distinguishes the branches of a union: [`Alternative`], derived from the schema that a model sees.
//!
//! A rewritten value can be converted back only if its branch is certain. Two branches of objects are distinguished by
//! a key that both require with disjoint values or types, or by a key that one requires and the other rejects.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::type_keyword::{Types, types};
use crate::fast_hash::RandomHashState;
use crate::json::{Json, JsonType, Node};

/// The maximum number of object branches in one union.
pub(super) const MOST_BRANCHES: usize = 64;

/// The maximum number of possible values of a key that are compared.
const MOST_VALUES: usize = 32;

/// One kind of value that a schema accepts.
#[derive(Clone, Debug)]
pub(super) enum Alternative {
    /// A value without members or items.
    Scalar,
    Array,
    Object(Arc<Keys>),
    /// The values that a definition accepts.
    Definition(usize),
    /// Any value, or an unknown set of values.
    Any,
}

/// The keys of an object as the model sees them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Keys {
    pub(super) by_key: HashMap<Box<str>, Key, RandomHashState>,
    pub(super) required: Vec<Box<str>>,
    /// `true` if other keys are rejected.
    pub(super) is_closed: bool,
}

/// The known values and types of a key.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Key {
    /// The only possible values; empty if there may be others.
    values: Vec<Json<'static>>,
    /// The only possible types; empty if every type is possible.
    types: Types,
    is_required: bool,
}

/// Returns the kinds of values that a schema accepts; `definition` returns the index of the definition to which a
/// reference leads.
pub(super) fn alternatives(schema: &Json<'static>, definition: &impl Fn(&str) -> Option<usize>) -> Vec<Alternative> {
    if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
        return vec![definition(reference).map_or(Alternative::Any, Alternative::Definition)];
    }
    if let Some(branches) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        let all: Vec<_> = branches.items().iter().flat_map(|branch| alternatives(branch, definition)).collect();
        return if all.len() > 4 * MOST_BRANCHES { vec![Alternative::Any] } else { all };
    }
    let types = types(schema);
    if types.is_empty() {
        // A schema with `nullable` and without a type accepts only `null`.
        let is_scalar = ["const", "enum", "nullable"].iter().any(|keyword| schema.get(keyword).is_some());
        return vec![if is_scalar { Alternative::Scalar } else { Alternative::Any }];
    }
    let one = |json_type: &JsonType| match json_type {
        JsonType::Array => Alternative::Array,
        JsonType::Object => Alternative::Object(Arc::new(keys(schema))),
        _ => Alternative::Scalar,
    };
    types.iter().map(one).collect()
}

fn keys(schema: &Json<'static>) -> Keys {
    let mut keys = Keys {
        is_closed: schema.get("additionalProperties").and_then(Json::as_bool) == Some(false)
            && schema.get("patternProperties").is_none(),
        ..Keys::default()
    };
    for property in schema.get("properties").map_or(&[][..], Json::members) {
        let values = match (property.value.get("const"), property.value.get("enum")) {
            (Some(value), _) => vec![value.clone()],
            (None, Some(values)) if values.items().len() <= MOST_VALUES => values.items().to_vec(),
            _ => Vec::new(),
        };
        let mut key = Key { values, types: types(&property.value), is_required: false };
        // `nullable` is Gemini's keyword for the type `null`.
        if property.value.get("nullable").and_then(Json::as_bool) == Some(true) {
            if !key.values.is_empty() {
                key.values.push(Json::from_node(Node::Null));
            }
            if !key.types.is_empty() && !key.types.contains(&JsonType::Null) {
                key.types.push(JsonType::Null);
            }
        }
        keys.by_key.insert(Box::from(&*property.key), key);
    }
    for name in schema.get("required").map_or(&[][..], Json::items).iter().filter_map(Json::as_str) {
        if let Some(key) = keys.by_key.get_mut(name)
            && !key.is_required
        {
            key.is_required = true;
            keys.required.push(name.into());
        }
    }
    keys
}

impl Keys {
    /// Returns `true` if no object fits both branches.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let lacks =
            |one: &Self, other: &Self| one.is_closed && other.required.iter().any(|key| !one.by_key.contains_key(key));
        let differs = |name: &str| {
            let (Some(own), Some(theirs)) = (self.by_key.get(name), other.by_key.get(name)) else { return false };
            theirs.is_required && own.excludes(theirs)
        };
        lacks(self, other) || lacks(other, self) || self.required.iter().any(|name| differs(name))
    }

    /// Returns `true` if an object may belong to this branch.
    pub(super) fn fits(&self, object: &Json<'_>) -> bool {
        let mut required = HashSet::with_hasher(RandomHashState::default());
        let fits = object.members().iter().all(|member| match self.by_key.get(&*member.key) {
            Some(key) => {
                if key.is_required {
                    required.insert(&*member.key);
                }
                key.fits(&member.value)
            }
            None => !self.is_closed,
        });
        fits && required.len() == self.required.len()
    }

    /// Returns `true` if an object has an accepted value for each required key with few possible values, such as a tag.
    pub(super) fn is_named_by(&self, object: &Json<'_>) -> bool {
        let mut tags = self.required.iter().filter_map(|name| Some((name, self.by_key.get(name)?)));
        let mut tags = tags.by_ref().filter(|(_, key)| !key.values.is_empty()).peekable();
        tags.peek().is_some() && tags.all(|(name, key)| object.get(name).is_some_and(|value| key.fits(value)))
    }

    /// Returns `true` if all keys of an object belong to this branch; keys of the branch may be missing.
    pub(super) fn knows(&self, object: &Json<'_>) -> bool {
        object.members().iter().all(|member| self.by_key.get(&*member.key).is_some_and(|key| key.fits(&member.value)))
    }

    /// Returns `true` if all keys of an object belong to this branch, whatever their values are, and none is repeated.
    pub(super) fn has_all(&self, object: &Json<'_>) -> bool {
        let mut seen = HashSet::with_hasher(RandomHashState::default());
        object.members().iter().all(|member| self.by_key.contains_key(&*member.key) && seen.insert(&*member.key))
    }
}

impl Key {
    fn excludes(&self, other: &Self) -> bool {
        if !self.values.is_empty() && !other.values.is_empty() {
            return !self.values.iter().any(|value| other.values.iter().any(|known| known.same_value(value)));
        }
        !self.types.is_empty() && !other.types.is_empty() && !self.types.iter().any(|own| other.takes(*own))
    }

    fn takes(&self, json_type: JsonType) -> bool {
        let number = [JsonType::Integer, JsonType::Number];
        self.types.contains(&json_type)
            || number.contains(&json_type) && self.types.iter().any(|own| number.contains(own))
    }

    fn fits(&self, value: &Json<'_>) -> bool {
        (self.values.is_empty() || self.values.iter().any(|known| known.same_value(value)))
            && (self.types.is_empty() || self.takes(value.json_type()))
    }
}
