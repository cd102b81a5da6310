//! JSON values in attributes, and how they are formatted.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use proc_macro2::Span;

/// A JSON value with its span.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// A JSON value. Members of an object keep their order and are unique.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Number(Number),
    String(String),
    Array(Vec<Literal>),
    Object(Vec<(String, Literal)>),
}

/// A number in a rule or literal. A float is always finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Large(u128),
    Float(f64),
}

impl Number {
    #[expect(clippy::cast_precision_loss, reason = "used only to compare with a float, which is already rounded")]
    fn to_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Large(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (*self, *other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (Self::Large(a), Self::Large(b)) => Some(a.cmp(&b)),
            (Self::Large(_), Self::Integer(_)) => Some(Ordering::Greater),
            (Self::Integer(_), Self::Large(_)) => Some(Ordering::Less),
            (a, b) => a.to_f64().partial_cmp(&b.to_f64()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Large(integer) => integer.fmt(f),
            // `{:?}` keeps the `.0` that distinguishes a float from an integer, and is valid JSON for every finite float.
            Self::Float(float) => fmt::Debug::fmt(float, f),
        }
    }
}

impl fmt::Display for Literal {
    /// Writes compact JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Null => f.write_str("null"),
            Value::Boolean(boolean) => boolean.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::String(string) => quoted(string, f),
            Value::Array(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index > 0 { "," } else { "" };
                    write!(f, "{comma}{item}")?;
                }
                f.write_char(']')
            }
            Value::Object(members) => {
                f.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    f.write_str(if index > 0 { "," } else { "" })?;
                    quoted(key, f)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(f, "\\{character}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            control if control < ' ' => write!(f, "\\u{:04x}", u32::from(control))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}
