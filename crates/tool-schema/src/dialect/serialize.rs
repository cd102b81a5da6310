//! Serializes `Json` with its members in order, for client libraries that serialize a definition.
//!
//! Invariant: members keep their order (an intermediate `serde_json::Value` would sort them), and integers keep all digits up to 128 bits.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::json::{Json, Node, Number, NumberText};

/// A tree that serializes as its JSON.
pub(super) struct Ordered<'a>(pub(super) &'a Json<'a>);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.node {
            Node::Null => serializer.serialize_unit(),
            Node::Bool(value) => serializer.serialize_bool(*value),
            Node::Number(text) => number(NumberText(text).value(), serializer),
            Node::String(text) => serializer.serialize_str(text),
            Node::Array(items) => serializer.collect_seq(items.iter().map(Ordered)),
            Node::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for member in members {
                    map.serialize_entry(&member.key, &Ordered(&member.value))?;
                }
                map.end()
            }
        }
    }
}

/// Serializes a number in the narrowest type that fits, because not every serializer supports 128 bits.
fn number<S: Serializer>(number: Number, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Number::Integer(value) => match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => serializer.serialize_i64(value),
            (_, Ok(value)) => serializer.serialize_u64(value),
            _ => serializer.serialize_i128(value),
        },
        Number::Large(value) => serializer.serialize_u128(value),
        Number::Float(value) => serializer.serialize_f64(value),
    }
}
