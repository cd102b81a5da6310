//! `Shape` and its parts: the description of an input as a tree of plain data.
//!
//! A macro writes it as `const`, nested types joined through `<T as ToolInput>::SHAPE`; a schema that is read at run time becomes
//! the same tree, shared. Everything else (schema, checker, hints, suggestions, examples) reads it. What always holds: the order of
//! fields and variants is the order of declaration, and shapes are compared by [`Identity`], never by address.

use std::any::TypeId;
use std::hash::{Hash, Hasher};

use super::{List, Policy, Ref, Rule, Text};

/// The description of one input.
///
/// ```
/// use tool_runtime::ToolInput;
///
/// assert_eq!(u8::SHAPE.kind.name(), "integer");
/// assert_eq!(u8::SHAPE.rules.len(), 1); // from 0 to 255
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
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
    /// assert_eq!(tool_runtime::shape::Shape::ANY.kind.name(), "any");
    /// ```
    pub const ANY: &'static Self = &Self::of(Kind::Any);

    /// A shape without name, documentation and rules.
    ///
    /// ```
    /// use tool_runtime::shape::{Kind, Shape};
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
    /// use tool_runtime::shape::{Format, Kind, Rule, Shape};
    ///
    /// const DAY: Shape = Shape::ruled(Kind::String, &[Rule::Format(Format::Date)]);
    /// assert_eq!(tool_runtime::schema::schema_text(&DAY), r#"{"type":"string","format":"date"}"#);
    /// ```
    pub const fn ruled(kind: Kind, rules: &'static [Rule]) -> Self {
        Self { name: Text::EMPTY, identity: None, doc: Text::EMPTY, kind, rules: List::Static(rules) }
    }
}

/// Tells named shapes apart. Addresses cannot: two codegen units may each hold a copy of one `const`.
///
/// ```
/// use std::any::TypeId;
/// use tool_runtime::shape::Identity;
///
/// assert_eq!(Identity::Type(TypeId::of::<u8>), Identity::Type(TypeId::of::<u8>));
/// assert_ne!(Identity::Type(TypeId::of::<u8>), Identity::Definition(1));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
/// use tool_runtime::{ToolInput, shape::Kind};
///
/// assert!(matches!(<Option<bool>>::SHAPE.kind, Kind::Nullable(_)));
/// assert!(matches!(<(bool, bool)>::SHAPE.kind, Kind::Tuple(_)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
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
    /// assert_eq!(tool_runtime::shape::Kind::Null.name(), "null");
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
/// use tool_runtime::{ToolInput, shape::{Kind, Precision}};
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

/// An object whose keys are known.
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::{ToolInput, shape::{Kind, Unknown}};
///
/// #[derive(Deserialize, ToolInput)]
/// struct Room {
///     /// Number of beds.
///     #[tool(example = 2)]
///     beds: u8,
/// }
///
///
/// let Kind::Object(room) = &Room::SHAPE.kind else { return };
/// assert_eq!((room.fields.len(), room.unknown), (1, Unknown::Ignored));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Object {
    /// The fields, in declaration order; flattened ones stand where they were declared.
    pub fields: List<Field>,
    /// What happens to keys that no field knows.
    pub unknown: Unknown,
}

/// What happens to keys that no field knows.
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::{ToolInput, shape::{Kind, Unknown}};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Nothing {}
///
/// assert!(matches!(&Nothing::SHAPE.kind, Kind::Object(object) if object.unknown == Unknown::Refused));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are an issue; the schema says `"additionalProperties": false`.
    Refused,
    /// They are passed over.
    Ignored,
}

/// One field of an [`Object`].
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::{ToolInput, shape::Kind};
///
/// #[derive(Deserialize, ToolInput)]
/// struct Room {
///     /// Number of beds.
///     #[tool(example = 2)]
///     beds: u8,
/// }
///
///
/// let Kind::Object(room) = &Room::SHAPE.kind else { return };
/// let beds = &room.fields[0];
/// assert!(beds.required && beds.name == "beds" && beds.doc == "Number of beds.");
/// assert_eq!(beds.example.as_deref(), Some("2"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The key on the wire; the Rust name for a flattened field, which has no key.
    pub name: Text,
    /// Other keys that are accepted, never shown in a schema.
    pub aliases: List<Text>,
    /// What the value means, for the model.
    pub doc: Text,
    /// What the value looks like.
    pub shape: Ref,
    /// What the value must satisfy at this place, besides the rules of its shape.
    pub rules: List<Rule>,
    /// Whether the key must be there.
    pub required: bool,
    /// The keys of the field's own shape stand in this object (`#[serde(flatten)]`).
    pub flatten: bool,
    /// The value that is used when the key is absent, as JSON text.
    pub default: Option<Text>,
    /// A value for schemas and hints, as JSON text.
    pub example: Option<Text>,
    /// Whether the value is a secret: it is redacted in every text.
    pub sensitive: bool,
    /// Whether the schema marks it `"deprecated": true`.
    pub deprecated: bool,
    /// Whether it is accepted, but absent from the schema.
    pub hidden: bool,
    /// How much of the value may be read otherwise than it was written; `None` leaves it to the place around it.
    pub repair: Option<Policy>,
}

/// One of several variants.
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::{ToolInput, shape::{Kind, Tagging}};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(rename_all = "lowercase")]
/// enum Unit {
///     Celsius,
///     Fahrenheit,
/// }
///
/// let Kind::Union(unit) = &Unit::SHAPE.kind else { return };
/// assert_eq!((&unit.tagging, unit.variants.len()), (&Tagging::External, 2));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Union {
    /// How the variant is told.
    pub tagging: Tagging,
    /// The variants, in declaration order.
    pub variants: List<Variant>,
    /// What happens to unknown keys beside an adjacent tag and its content.
    pub unknown: Unknown,
}

/// How the variant of a union is told: serde's four enum representations.
///
/// ```
/// use tool_runtime::shape::Tagging;
///
/// // `#[serde(tag = "kind")]`
/// let tagging = Tagging::Internal { tag: "kind".into() };
/// assert_ne!(tagging, Tagging::Untagged);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tagging {
    /// `"Unit"` or `{"Variant": payload}`.
    External,
    /// `{"tag": "Variant", …payload's own keys…}`.
    Internal {
        /// The key that holds the variant's name.
        tag: Text,
    },
    /// `{"tag": "Variant", "content": payload}`.
    Adjacent {
        /// The key that holds the variant's name.
        tag: Text,
        /// The key that holds the payload.
        content: Text,
    },
    /// The payload alone; the first variant that accepts it.
    Untagged,
}

/// One variant of a [`Union`].
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::{ToolInput, shape::Kind};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(rename_all = "lowercase")]
/// enum Unit {
///     Celsius,
///     Fahrenheit,
/// }
///
/// let Kind::Union(unit) = &Unit::SHAPE.kind else { return };
/// assert!(unit.variants[0].name == "celsius" && unit.variants[0].payload.is_none());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Variant {
    /// The name on the wire.
    pub name: Text,
    /// Other names that are accepted, never shown in a schema.
    pub aliases: List<Text>,
    /// What the variant means, for the model.
    pub doc: Text,
    /// The payload; `None` for a unit variant.
    pub payload: Option<Ref>,
    /// `#[serde(other)]`: takes every tag that nobody else knows.
    pub other: bool,
    /// `#[serde(untagged)]` on this variant of a tagged enum: tried, as the payload alone, when no tag fits.
    pub untagged: bool,
    /// Whether the schema marks it `"deprecated": true`.
    pub deprecated: bool,
    /// Whether it is accepted, but absent from the schema.
    pub hidden: bool,
}

impl Field {
    /// A field of which no more is known.
    pub(crate) const fn plain(name: Text, doc: Text, shape: Ref, required: bool) -> Self {
        Self {
            name,
            aliases: List::EMPTY,
            doc,
            shape,
            rules: List::EMPTY,
            required,
            flatten: false,
            default: None,
            example: None,
            sensitive: false,
            deprecated: false,
            hidden: false,
            repair: None,
        }
    }
}

impl Variant {
    /// A variant that is nothing but its name.
    pub(crate) fn unit(name: Text) -> Self {
        Self {
            name,
            aliases: List::EMPTY,
            doc: Text::EMPTY,
            payload: None,
            other: false,
            untagged: false,
            deprecated: false,
            hidden: false,
        }
    }
}
