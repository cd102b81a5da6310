//! Booleans, `null`, JSON itself, strings, and types that are written as strings.
//!
//! An address has the format `ipv4` or `ipv6`, with the grammar of std. A path is any string.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use super::leaves;
use super::numbers::{branch, either};
use crate::shape::{Kind, Length, Measure, Ref, Rule, Shape, StringFormat};

const ONE_CHARACTER: Rule = Rule::Length(Length { measure: Measure::Characters, min: 1, max: Some(1) });

const fn formatted(rules: &'static [Rule]) -> Shape {
    Shape::from_kind_and_rules(Kind::String, rules)
}

leaves! {
    () => Shape::new(Kind::Null),
    bool => Shape::new(Kind::Boolean),
    char => formatted(&[ONE_CHARACTER]),
    String => Shape::new(Kind::String),
    Box<str> => Shape::new(Kind::String),
    PathBuf => Shape::new(Kind::String),
    Ipv4Addr => formatted(&[Rule::Format(StringFormat::Ipv4)]),
    Ipv6Addr => formatted(&[Rule::Format(StringFormat::Ipv6)]),
    IpAddr => either(const { &[branch(Ipv4Addr::SHAPE), branch(Ipv6Addr::SHAPE)] }),
    serde_json::Value => Shape::new(Kind::Any),
    serde_json::Map<String, serde_json::Value> => Shape::new(Kind::Map {
        keys: Ref::Static(String::SHAPE),
        values: Ref::Static(Shape::ANY),
    }),
}

#[cfg(feature = "rc")]
leaves! { std::sync::Arc<str> => Shape::new(Kind::String) }
