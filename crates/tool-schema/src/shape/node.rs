//! `Shape`: the description of an input as a tree of plain data.
//!
//! A macro writes it as a `const`, in which `<T as ToolInput>::SHAPE` stands for each inner type. A schema that is parsed at run time
//! becomes a tree of the same type, with shared parts. Invariant: shapes are compared by [`Identity`], never by address.

use std::any::TypeId;
use std::hash::{Hash, Hasher};

use super::{Object, Ref, Rule, SharedSlice, Text, Union};

/// The description of one input.
///
/// ```
/// use tool_schema::ToolInput;
///
/// assert_eq!(u8::SHAPE.kind.name(), "integer");
/// assert_eq!(u8::SHAPE.rules.len(), 1); // from 0 to 255
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    /// The name of the type in serde; empty for shapes without one (`Vec<T>`, the fields of a variant).
    pub name: Text,
    /// The identity of the type. Only shapes with an identity can be recursive.
    pub identity: Option<Identity>,
    /// The type's documentation.
    pub doc: Text,
    /// The form of the value.
    pub kind: Kind,
    /// The rules for every value of the type.
    pub rules: SharedSlice<Rule>,
}

impl Shape {
    /// The shape of any value.
    pub const ANY: &'static Self = &Self::new(Kind::Any);

    /// Creates a shape without name, documentation and rules.
    pub const fn new(kind: Kind) -> Self {
        Self::from_kind_and_rules(kind, &[])
    }

    /// Creates a shape without name and documentation.
    ///
    /// ```
    /// use tool_schema::shape::{StringFormat, Kind, Rule, Shape};
    ///
    /// const DAY: Shape = Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::Date)]);
    /// assert_eq!(tool_schema::schema::schema_text(&DAY), r#"{"type":"string","format":"date"}"#);
    /// ```
    pub const fn from_kind_and_rules(kind: Kind, rules: &'static [Rule]) -> Self {
        Self { name: Text::EMPTY, identity: None, doc: Text::EMPTY, kind, rules: SharedSlice::Static(rules) }
    }
}

/// The identity of a named shape. Addresses are not sufficient: two codegen units may each contain a copy of the same `const`.
#[derive(Clone, Copy, Debug)]
pub enum Identity {
    /// A Rust type.
    Type(fn() -> TypeId),
    /// A definition of a schema parsed at run time, with a unique number.
    Definition(u64),
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Type(a), Self::Type(b)) => a() == b(),
            (Self::Definition(a), Self::Definition(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Identity {}

impl Hash for Identity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Type(id) => id().hash(state),
            Self::Definition(number) => number.hash(state),
        }
    }
}

/// The form of a value.
///
/// ```
/// use tool_schema::{ToolInput, shape::Kind};
///
/// assert!(matches!(<Option<bool>>::SHAPE.kind, Kind::Nullable(_)));
/// assert!(matches!(<(bool, bool)>::SHAPE.kind, Kind::Tuple(_)));
/// ```
#[derive(Clone, Debug)]
pub enum Kind {
    /// Any JSON value.
    Any,
    /// Only `null`: `()`, unit structs.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction; the width of the type is a [`Rule::Range`] of its shape.
    Integer,
    /// A finite number that fits the type.
    Number(Precision),
    /// A string.
    String,
    /// An array whose items have one shape.
    Array(Ref),
    /// An array with a shape for each position, and no further items.
    Tuple(SharedSlice<Ref>),
    /// An object whose keys are data.
    Map {
        /// The shape of a key: a string, an enum of strings, or an integer written as a string.
        keys: Ref,
        /// The shape of a value.
        values: Ref,
    },
    /// An object whose keys are known.
    Object(Object),
    /// One of several variants.
    Union(Union),
    /// A value of the shape, or `null`.
    Nullable(Ref),
    /// A value of another shape, with its own name or rules: `Box<T>`, newtypes, transparent structs.
    Alias(Ref),
    /// A type that only `schemars` can describe: the schema shows it, and serde decides which values are accepted.
    Foreign(fn() -> schemars::Schema),
}

impl Kind {
    /// Returns the name of the kind in terms of JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Any | Self::Foreign(_) => "any",
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number(_) => "number",
            Self::String => "string",
            Self::Array(_) | Self::Tuple(_) => "array",
            Self::Map { .. } | Self::Object(_) => "object",
            Self::Union(_) => "union",
            Self::Nullable(_) => "nullable",
            Self::Alias(_) => "alias",
        }
    }
}

/// The precision of a number.
///
/// ```
/// use tool_schema::{ToolInput, shape::{Kind, Precision}};
///
/// assert!(matches!(f32::SHAPE.kind, Kind::Number(Precision::Single)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// `f32`: numbers that round to infinity as an `f32` are rejected.
    Single,
    /// `f64`: numbers that round to infinity as an `f64` are rejected.
    Double,
}
