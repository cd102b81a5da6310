//! The JSON types that a shape accepts.
//!
//! Invariant: the set contains every type that the shape accepts, and the search ends for a recursive shape.

use super::{Kind, Shape, Tagging, Variant};
use crate::json::JsonType;

/// A set of JSON types. A shape that accepts numbers also accepts integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptedTypes(u8);

/// All types, in the order in which a list shows them to a reader, with `null` last.
const ALL: [JsonType; 7] = [
    JsonType::String,
    JsonType::Integer,
    JsonType::Number,
    JsonType::Boolean,
    JsonType::Object,
    JsonType::Array,
    JsonType::Null,
];

/// The maximum number of shapes visited; after that, every type is assumed.
const MOST_SHAPES: usize = 1_024;

impl AcceptedTypes {
    const NONE: Self = Self(0);
    const ANY: Self = Self(0x7f);

    /// Returns the types that a shape accepts.
    pub fn from_shape(shape: &Shape) -> Self {
        Self::within(shape, &mut { MOST_SHAPES })
    }

    /// Returns the types that a variant's payload accepts; only `null` for a unit variant.
    pub(crate) fn of_payload(variant: &Variant) -> Self {
        Self::within_payload(variant, &mut { MOST_SHAPES })
    }

    fn within_payload(variant: &Variant, left: &mut usize) -> Self {
        let payload = variant.payload.as_ref();
        payload.map_or(Self::one(JsonType::Null), |payload| Self::within(&payload.shape(), left))
    }

    fn within(shape: &Shape, left: &mut usize) -> Self {
        if *left == 0 {
            return Self::ANY;
        }
        *left -= 1;
        match &shape.kind {
            Kind::Any | Kind::Foreign(_) => Self::ANY,
            Kind::Null => Self::one(JsonType::Null),
            Kind::Boolean => Self::one(JsonType::Boolean),
            Kind::Integer => Self::one(JsonType::Integer),
            Kind::Number(_) => Self::one(JsonType::Number),
            Kind::String => Self::one(JsonType::String),
            Kind::Array(_) | Kind::Tuple(_) => Self::one(JsonType::Array),
            Kind::Map { .. } | Kind::Object(_) => Self::one(JsonType::Object),
            Kind::Nullable(inner) => Self::one(JsonType::Null).and(Self::within(&inner.shape(), left)),
            Kind::Alias(inner) => Self::within(&inner.shape(), left),
            Kind::Union(union) => union.variants.iter().fold(Self::NONE, |types, variant| {
                types.and(match &union.tagging {
                    _ if variant.untagged => Self::within_payload(variant, left),
                    Tagging::Untagged => Self::within_payload(variant, left),
                    Tagging::External if variant.payload.is_none() => Self::one(JsonType::String),
                    _ => Self::one(JsonType::Object),
                })
            }),
        }
    }

    const fn one(json_type: JsonType) -> Self {
        Self(1 << json_type as u8)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns `true` if the set contains a JSON type. A set with numbers also contains integers.
    pub fn contains(self, json_type: JsonType) -> bool {
        let accepted = match json_type {
            JsonType::Integer => Self::one(JsonType::Integer).and(Self::one(JsonType::Number)),
            other => Self::one(other),
        };
        self.0 & accepted.0 != 0
    }

    /// Iterates over the types, with `null` last.
    pub(crate) fn iter(self) -> impl Iterator<Item = JsonType> {
        ALL.into_iter().filter(move |&json_type| self.0 & Self::one(json_type).0 != 0)
    }

    /// Returns the only type besides `null`.
    pub(crate) fn only(self) -> Option<JsonType> {
        let mut types = self.iter();
        match (types.next(), types.next(), types.next()) {
            (only, None | Some(JsonType::Null), None) => only,
            _ => None,
        }
    }
}
