//! `Json` as a deserializer, for values that `serde_json` cannot decode.
//!
//! With its feature `arbitrary_precision`, which any crate of a program can turn on, `serde_json` represents a number as a map in
//! `deserialize_any`, so that every flattened, untagged or tagged float is rejected. Here a number is always a number, of the narrowest type
//! that fits. The depth is bounded by that of the tree.

#[cfg(test)]
mod tests;

use std::slice::Iter;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::decode_error::{DecodeError, Step};
use super::{Json, Member, Node, Number, NumberText};

impl IntoDeserializer<'_, DecodeError> for &Json<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &Json<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Number(text) => number(NumberText(text), visitor),
            Node::String(text) => visitor.visit_str(text),
            Node::Array(items) => visit_items(items, visitor),
            Node::Object(members) => visit_members(members, visitor),
        }
    }

    /// Like `serde_json`, this function rejects every value that is neither an object nor an array. This separate function for structs
    /// reduces the code that the compiler generates for each type.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match &self.node {
            Node::Array(items) => visit_items(items, visitor),
            Node::Object(members) => visit_members(members, visitor),
            _ => Err(self.rejected_by(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match &self.node {
            Node::String(name) => visitor.visit_enum(Variant { name, payload: None }),
            Node::Object(members) => match members.as_slice() {
                [only] => visitor.visit_enum(Variant { name: &only.key, payload: Some(&only.value) }),
                _ => Err(DecodeError::custom("expected an object with one key")),
            },
            _ => Err(DecodeError::custom("expected a string or an object")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

impl Json<'_> {
    #[cold]
    fn rejected_by(&self, expected: &dyn de::Expected) -> DecodeError {
        let unexpected = match &self.node {
            Node::Null => Unexpected::Unit,
            Node::Bool(value) => Unexpected::Bool(*value),
            Node::Number(_) => Unexpected::Other("number"),
            Node::String(text) => Unexpected::Str(text),
            Node::Array(_) => Unexpected::Seq,
            Node::Object(_) => Unexpected::Map,
        };
        DecodeError::invalid_type(unexpected, expected)
    }
}

/// Passes the items of an array to the visitor, which must take all of them.
fn visit_items<'de, V: Visitor<'de>>(items: &[Json<'_>], visitor: V) -> Result<V::Value, DecodeError> {
    let mut rest = Items { items: items.iter(), index: 0 };
    let value = visitor.visit_seq(&mut rest)?;
    match rest.items.len() {
        0 => Ok(value),
        _ => Err(DecodeError::custom("the array has too many items")),
    }
}

/// Passes the members of an object to the visitor, which must take all of them.
fn visit_members<'de, V: Visitor<'de>>(members: &[Member<'_>], visitor: V) -> Result<V::Value, DecodeError> {
    let mut rest = MemberAccess { members: members.iter(), value: None };
    let value = visitor.visit_map(&mut rest)?;
    match rest.members.len() {
        0 => Ok(value),
        _ => Err(DecodeError::custom("the object has too many members")),
    }
}

/// The items that the visitor has not taken yet.
struct Items<'v, 'j> {
    items: Iter<'v, Json<'j>>,
    index: usize,
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_> {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(item).map(Some).map_err(|error| error.inside(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The members that the visitor has not taken yet, and the member whose key it took last.
struct MemberAccess<'v, 'j> {
    members: Iter<'v, Member<'j>>,
    value: Option<&'v Member<'j>>,
}

impl<'de> MapAccess<'de> for &mut MemberAccess<'_, '_> {
    type Error = DecodeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        self.value = self.members.next();
        let Some(member) = self.value else { return Ok(None) };
        seed.deserialize(Key(&member.key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeError> {
        let member = self.value.take().ok_or_else(|| DecodeError::custom("a value was read before its key"))?;
        seed.deserialize(&member.value).map_err(|error| error.inside(Step::Key(member.key.to_string())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// Passes a number to the visitor in the narrowest type that fits, because not every visitor accepts 128 bits. A number is never rounded to
/// infinity.
fn number<'de, V: Visitor<'de>>(text: NumberText<'_>, visitor: V) -> Result<V::Value, DecodeError> {
    let value = if text.is_plain_integer() { text.value() } else { Number::Float(text.to_f64()) };
    match value {
        Number::Integer(value) => match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => visitor.visit_u64(value),
            (_, Ok(value)) => visitor.visit_i64(value),
            _ => visitor.visit_i128(value),
        },
        Number::Large(value) => visitor.visit_u128(value),
        Number::Float(value) if value.is_finite() => visitor.visit_f64(value),
        // `serde_json` also rejects such a number. As infinity, it would become `null` in a `Value`.
        Number::Float(_) => Err(DecodeError::custom("the number is out of range")),
    }
}

/// A key, which may represent an integer.
struct Key<'k>(&'k str);

/// Implements methods that parse a key as an integer. Any other key is passed to the visitor as text, which the visitor rejects.
macro_rules! integers {
    ($($method:ident $visit:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_str(self.0),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_str(self.0)
    }

    integers! {
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32 deserialize_u64 visit_u64
        deserialize_u128 visit_u128 deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32
        deserialize_i64 visit_i64 deserialize_i128 visit_i128 deserialize_bool visit_bool
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_enum(Variant { name: self.0, payload: None })
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A variant of an externally tagged enum, with its payload.
struct Variant<'v, 'j> {
    name: &'v str,
    payload: Option<&'v Json<'j>>,
}

impl<'de, 'v, 'j> EnumAccess<'de> for Variant<'v, 'j> {
    type Error = DecodeError;
    type Variant = Payload<'v, 'j>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), DecodeError> {
        let name: StrDeserializer<'_, DecodeError> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Payload(self)))
    }
}

/// The payload of a variant whose name was read.
struct Payload<'v, 'j>(Variant<'v, 'j>);

impl<'v, 'j> Payload<'v, 'j> {
    fn read<T>(self, read: impl FnOnce(&'v Json<'j>) -> Result<T, DecodeError>) -> Result<T, DecodeError> {
        let payload = self.0.payload.ok_or_else(|| DecodeError::custom("the variant has a payload"))?;
        read(payload).map_err(|error| error.inside(Step::Key(self.0.name.to_owned())))
    }
}

impl<'de> VariantAccess<'de> for Payload<'_, '_> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match self.0.payload {
            Some(json) if !json.is_null() => Err(DecodeError::custom("the variant has no payload")),
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, DecodeError> {
        self.read(|payload| seed.deserialize(payload))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.read(|payload| payload.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, DecodeError> {
        self.read(|payload| payload.deserialize_any(visitor))
    }
}
