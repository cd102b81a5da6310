//! `Shape`: the description of an input as a tree of plain data.
//!
//! A macro writes it as `const`, nested types joined through `<T as ToolInput>::SHAPE`; a schema that is read at run time becomes
//! the same tree, shared. Everything else (schema, checker, hints, suggestions, examples) reads it. What always holds: shapes are
//! compared by [`Identity`], never by address.

use std::any::TypeId;
use std::hash::{Hash, Hasher};

use super::{List, Object, Ref, Rule, Text, Union};

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
    /// The name of the type, as serde knows it; empty for shapes without one (`Vec<T>`, the fields of a variant).
    pub name: Text,
    /// Which type this is. Only shapes with an identity can be recursive.
    pub identity: Option<Identity>,
    /// The type's documentation.
    pub doc: Text,
    /// What the value looks like.
    pub kind: Kind,
    /// What every value of the type must satisfy.
    pub rules: List<Rule>,
}

impl Shape {
    /// Anything at all.
    ///
    /// ```
    /// assert_eq!(tool_schema::shape::Shape::ANY.kind.name(), "any");
    /// ```
    pub const ANY: &'static Self = &Self::of(Kind::Any);

    /// A shape without name, documentation and rules.
    ///
    /// ```
    /// use tool_schema::shape::{Kind, Shape};
    ///
    /// const FLAG: Shape = Shape::of(Kind::Boolean);
    /// assert!(FLAG.name.is_empty() && FLAG.rules.is_empty());
    /// ```
    pub const fn of(kind: Kind) -> Self {
        Self::ruled(kind, &[])
    }

    /// A shape without name and documentation.
    ///
    /// ```
    /// use tool_schema::shape::{StringFormat, Kind, Rule, Shape};
    ///
    /// const DAY: Shape = Shape::ruled(Kind::String, &[Rule::Format(StringFormat::Date)]);
    /// assert_eq!(tool_schema::schema::schema_text(&DAY), r#"{"type":"string","format":"date"}"#);
    /// ```
    pub const fn ruled(kind: Kind, rules: &'static [Rule]) -> Self {
        Self { name: Text::EMPTY, identity: None, doc: Text::EMPTY, kind, rules: List::Static(rules) }
    }
}

/// Tells named shapes apart. Addresses cannot: two codegen units may each hold a copy of one `const`.
///
/// ```
/// use std::any::TypeId;
/// use tool_schema::shape::Identity;
///
/// assert_eq!(Identity::Type(TypeId::of::<u8>), Identity::Type(TypeId::of::<u8>));
/// assert_ne!(Identity::Type(TypeId::of::<u8>), Identity::Definition(1));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Identity {
    /// A Rust type.
    Type(fn() -> TypeId),
    /// A definition of a schema that was read at run time; a number that the reader gives out once.
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

/// What a value looks like.
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
    /// `null` alone: `()`, unit structs.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction; the width of the type is a [`Rule::Range`] of its shape.
    Integer,
    /// A finite number that fits the type.
    Number(Precision),
    /// A string.
    String,
    /// An array whose items are alike.
    Array(Ref),
    /// An array with a shape for each position, and no more positions.
    Tuple(List<Ref>),
    /// An object whose keys are data.
    Map {
        /// What a key must satisfy; a key is a string, so this is a string, an enum of strings, or an integer written as a string.
        keys: Ref,
        /// What a value must satisfy.
        values: Ref,
    },
    /// An object whose keys are known.
    Object(Object),
    /// One of several variants.
    Union(Union),
    /// The value, or `null`.
    Nullable(Ref),
    /// The very value of another shape, under a name or rules of its own: `Box<T>`, newtypes, transparent structs.
    Alias(Ref),
    /// A type that only `schemars` can describe: shown in the schema, decided by serde.
    Foreign(fn() -> schemars::Schema),
}

impl Kind {
    /// A word for the kind, in JSON's terms.
    ///
    /// ```
    /// assert_eq!(tool_schema::shape::Kind::Null.name(), "null");
    /// ```
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

/// How many digits a number keeps.
///
/// ```
/// use tool_schema::{ToolInput, shape::{Kind, Precision}};
///
/// assert!(matches!(f32::SHAPE.kind, Kind::Number(Precision::Single)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// `f32`: what rounds to an infinite `f32` is refused.
    Single,
    /// `f64`: what rounds to an infinite `f64` is refused.
    Double,
}
