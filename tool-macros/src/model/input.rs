//! A type that derives `ToolInput`.

use proc_macro2::Ident;
use syn::{Generics, Path, Type};

use super::{Doc, Field, Rule};

/// A type that derives `ToolInput`.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    /// The generics, with the bounds of the generated impl in the where clause.
    pub(crate) generics: Generics,
    /// The runtime crate, an absolute path.
    pub(crate) runtime: Path,
    /// The name that serde uses for the type.
    pub(crate) name: String,
    pub(crate) doc: Doc,
    /// Rules for every value of the type.
    pub(crate) rules: Vec<Rule>,
    pub(crate) body: Body,
}

/// The JSON form of a type.
pub(crate) enum Body {
    Payload(Payload),
    Union(Union),
    /// `#[serde(transparent)]`: the type has the JSON form of this field.
    Transparent(Box<Field>),
    /// `#[serde(from = "…")]` or `#[serde(try_from = "…")]`: the JSON has the form of the type given here, whose value is converted.
    From(Type),
}

/// The JSON form of the fields of a struct or variant.
pub(crate) enum Payload {
    Unit,
    /// One unnamed field. The JSON is the value of this field.
    Newtype(Box<Field>),
    Tuple(Vec<Field>),
    Object {
        fields: Vec<Field>,
        /// `#[serde(deny_unknown_fields)]`
        closed: bool,
    },
    /// A variant that the user's function decodes. Its JSON has the form of this type.
    As(Box<Type>),
}

impl Payload {
    /// Returns the fields that appear in the JSON.
    pub(crate) fn fields(&self) -> &[Field] {
        match self {
            Self::Unit | Self::As(_) => &[],
            Self::Newtype(field) => std::slice::from_ref(field),
            Self::Tuple(fields) | Self::Object { fields, .. } => fields,
        }
    }
}

/// An enum.
pub(crate) struct Union {
    pub(crate) tagging: Tagging,
    pub(crate) variants: Vec<Variant>,
    /// `true` if the enum has `#[serde(deny_unknown_fields)]`. This applies to the keys beside an adjacent tag.
    pub(crate) closed: bool,
}

/// serde's four representations.
pub(crate) enum Tagging {
    External,
    Internal { tag: String },
    Adjacent { tag: String, content: String },
    Untagged,
}

/// One variant that can appear in the JSON.
#[expect(clippy::struct_excessive_bools, reason = "the settings are independent")]
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) doc: Doc,
    pub(crate) payload: Payload,
    pub(crate) other: bool,
    pub(crate) untagged: bool,
    pub(crate) deprecated: bool,
    pub(crate) hidden: bool,
}
