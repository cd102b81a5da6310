//! `Json` as a deserializer, for values that `serde_json` cannot decode.
//!
//! With its feature `arbitrary_precision`, which any crate of a program can turn on, `serde_json` represents a number as a map in
//! `deserialize_any`, so that every flattened, untagged or tagged float is refused. Here a number is always a number, of the narrowest type
//! that fits. The depth is bounded by that of the tree.

use serde::de::value::{Error, MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::{Json, Member, Node, Number, NumberText};

impl IntoDeserializer<'_> for &Json<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &Json<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.node {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Number(text) => number(NumberText(text), visitor),
            Node::String(text) => visitor.visit_str(text),
            Node::Array(items) => {
                let mut sequence = SeqDeserializer::new(items.iter());
                let value = visitor.visit_seq(&mut sequence)?;
                sequence.end().map(|()| value)
            }
            Node::Object(members) => {
                let mut map = MapDeserializer::new(members.iter().map(entry));
                let value = visitor.visit_map(&mut map)?;
                map.end().map(|()| value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match &self.node {
            Node::String(name) => visitor.visit_enum(Variant { name, payload: None }),
            Node::Object(members) => match members.as_slice() {
                [only] => visitor.visit_enum(Variant { name: &only.key, payload: Some(&only.value) }),
                _ => Err(Error::custom("expected an object with one key")),
            },
            _ => Err(Error::custom("expected a string or an object")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// Passes a number to the visitor in the narrowest type that fits, because not every visitor accepts 128 bits. A number is never rounded to
/// infinity.
fn number<'de, V: Visitor<'de>>(text: NumberText<'_>, visitor: V) -> Result<V::Value, Error> {
    let value = if text.is_plain_integer() { text.value() } else { Number::Float(text.to_f64()) };
    match value {
        Number::Integer(value) => match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => visitor.visit_u64(value),
            (_, Ok(value)) => visitor.visit_i64(value),
            _ => visitor.visit_i128(value),
        },
        Number::Large(value) => visitor.visit_u128(value),
        Number::Float(value) if value.is_finite() => visitor.visit_f64(value),
        // `serde_json` also refuses such a number. As infinity, it would become `null` in a `Value`.
        Number::Float(_) => Err(Error::custom("the number is out of range")),
    }
}

fn entry<'m, 'j>(member: &'m Member<'j>) -> (Key<'m>, &'m Json<'j>) {
    (Key(&member.key), &member.value)
}

/// A key, which may represent an integer.
struct Key<'k>(&'k str);

impl IntoDeserializer<'_> for Key<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Parses the text of a key as an integer; other text is passed to the visitor, which refuses it.
macro_rules! integers {
    ($($method:ident $visit:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_str(self.0),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    integers! {
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32 deserialize_u64 visit_u64
        deserialize_u128 visit_u128 deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32
        deserialize_i64 visit_i64 deserialize_i128 visit_i128 deserialize_bool visit_bool
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
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
    type Error = Error;
    type Variant = Payload<'v, 'j>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), Error> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Payload(self.payload)))
    }
}

struct Payload<'v, 'j>(Option<&'v Json<'j>>);

impl<'v, 'j> Payload<'v, 'j> {
    fn there(&self) -> Result<&'v Json<'j>, Error> {
        self.0.ok_or_else(|| Error::custom("the variant has a payload"))
    }
}

impl<'de> VariantAccess<'de> for Payload<'_, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0 {
            Some(json) if !json.is_null() => Err(Error::custom("the variant has no payload")),
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.there()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.there()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.there()?.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use crate::json::Json;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Everything {
        unit: (),
        flag: Option<bool>,
        small: i8,
        large: u128,
        ratio: f32,
        name: String,
        letter: char,
        pair: (u8, String),
        list: Vec<i64>,
        by_number: BTreeMap<i16, Unit>,
        by_name: BTreeMap<Unit, Variants>,
        #[serde(flatten)]
        rest: BTreeMap<String, Number>,
    }

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
    enum Unit {
        A,
        B,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    enum Variants {
        Unit,
        Newtype(Option<u8>),
        Tuple(u8, u8),
        Struct { field: f64 },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Number {
        Whole(u64),
        Broken(f64),
    }

    const TEXT: &str = r#"{"unit": null, "flag": true, "small": -3, "large": 340282366920938463463374607431768211455, "ratio": 0.5,
        "name": "\u00e9", "letter": "x", "pair": [1, "b"], "list": [-1, 9007199254740993], "by_number": {"-7": "A", "8": {"B": null}},
        "by_name": {"A": {"Newtype": null}, "B": {"Struct": {"field": 1}}}, "whole": 7, "broken": 7.5}"#;

    /// With `arbitrary_precision`, only our deserializer decodes the flattened float. Without that feature, the results are compared with
    /// those of `serde_json`.
    #[test]
    fn values_agree_with_serde_json() -> Result<(), Box<dyn std::error::Error>> {
        let value = Everything::deserialize(&Json::parse(TEXT)?)?;
        assert_eq!(value.rest["broken"], Number::Broken(7.5));
        if serde_json::from_str::<serde_json::Value>("1e400").is_err() {
            assert_eq!(value, serde_json::from_str(TEXT)?);
        }
        for (text, expected) in [(r#""Unit""#, Variants::Unit), (r#"{"Tuple": [1, 2]}"#, Variants::Tuple(1, 2))] {
            assert_eq!(Variants::deserialize(&Json::parse(text)?)?, expected);
        }
        Ok(())
    }

    #[test]
    fn values_that_serde_json_refuses_are_refused() -> Result<(), crate::json::SyntaxError> {
        for text in
            ["3", r#""Tuple""#, "{}", r#"{"Unit": 1}"#, r#"{"Unit": null, "Tuple": [1, 2]}"#, r#"{"Tuple": [1, 2, 3]}"#]
        {
            assert!(serde_json::from_str::<Variants>(text).is_err(), "{text}");
            assert!(Variants::deserialize(&Json::parse(text)?).is_err(), "{text}");
        }
        Ok(())
    }
}
