//! A type that derives `ToolInput`.

use proc_macro2::Ident;
use syn::{Generics, Path, Type};

use super::{Doc, Field, Rule};

/// A type that derives `ToolInput`.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    /// With the bounds of the impl in its where clause.
    pub(crate) generics: Generics,
    /// The runtime crate, an absolute path.
    pub(crate) runtime: Path,
    /// The name that serde knows the type by.
    pub(crate) name: String,
    pub(crate) doc: Doc,
    /// Rules for every value of the type.
    pub(crate) rules: Vec<Rule>,
    pub(crate) body: Body,
}

/// What a value looks like.
pub(crate) enum Body {
    Payload(Payload),
    Union(Union),
    /// `#[serde(transparent)]`: this field alone.
    Transparent(Box<Field>),
    /// `#[serde(from = "…")]`, `#[serde(try_from = "…")]`: a value of this type, converted.
    From(Type),
}

/// What the fields of a struct or of a variant look like.
pub(crate) enum Payload {
    Unit,
    /// One unnamed field: its very value.
    Newtype(Box<Field>),
    Tuple(Vec<Field>),
    Object {
        fields: Vec<Field>,
        /// `#[serde(deny_unknown_fields)]`
        closed: bool,
    },
    /// A variant that a function of the user's decodes, which looks like this type.
    As(Box<Type>),
}

impl Payload {
    /// The fields that are on the wire.
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
    /// `#[serde(deny_unknown_fields)]`, for the keys beside an adjacent tag.
    pub(crate) closed: bool,
}

/// serde's four representations.
pub(crate) enum Tagging {
    External,
    Internal { tag: String },
    Adjacent { tag: String, content: String },
    Untagged,
}

/// One variant on the wire.
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
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
