//! `Union` and `Variant`: an input with several forms.
//!
//! Invariant: variants are in declaration order.

use super::{Ref, SharedSlice, Text, UnknownKeys};

/// An input that is one of several variants.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::{Kind, Tagging}};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(rename_all = "lowercase")]
/// enum Unit {
///     Celsius,
///     Fahrenheit,
/// }
///
/// let Kind::Union(unit) = &Unit::SHAPE.kind else { unreachable!() };
/// assert_eq!((&unit.tagging, unit.variants.len()), (&Tagging::External, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Union {
    /// The representation of the variants.
    pub tagging: Tagging,
    /// The variants, in declaration order.
    pub variants: SharedSlice<Variant>,
    /// The treatment of unknown keys beside an adjacent tag and its content.
    pub unknown: UnknownKeys,
}

/// The representation of the variants: serde's four enum representations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tagging {
    /// `"Unit"` or `{"Variant": payload}`.
    External,
    /// `{"tag": "Variant", …payload's own keys…}`.
    Internal {
        /// The key whose value is the variant's name.
        tag: Text,
    },
    /// `{"tag": "Variant", "content": payload}`.
    Adjacent {
        /// The key whose value is the variant's name.
        tag: Text,
        /// The key whose value is the payload.
        content: Text,
    },
    /// Only the payload, without a tag; the first variant that accepts it is chosen.
    Untagged,
}

/// One variant of a [`Union`].
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::Kind};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(rename_all = "lowercase")]
/// enum Unit {
///     Celsius,
///     Fahrenheit,
/// }
///
/// let Kind::Union(unit) = &Unit::SHAPE.kind else { unreachable!() };
/// assert!(unit.variants[0].name == "celsius" && unit.variants[0].payload.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name in the JSON.
    pub name: Text,
    /// Other names that are accepted, but never shown in a schema.
    pub aliases: SharedSlice<Text>,
    /// The description for the model.
    pub doc: Text,
    /// The payload; `None` for a unit variant.
    pub payload: Option<Ref>,
    /// `#[serde(other)]`: accepts every unknown tag.
    pub other: bool,
    /// `#[serde(untagged)]` on a variant of a tagged enum: if no tag fits, its payload is tried.
    pub untagged: bool,
    /// `true` if the schema marks the variant as deprecated.
    pub deprecated: bool,
    /// `true` if the variant is accepted, although the schema does not show it.
    pub hidden: bool,
}

impl Union {
    /// Returns the variant with this name or alias.
    pub(crate) fn find(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| !variant.untagged && variant.spellings().any(|known| known == name))
    }

    /// Returns the names that the schema shows for the tag, in declaration order.
    pub(crate) fn names(&self) -> Vec<Text> {
        let mut names = Vec::with_capacity(self.variants.len());
        let shown = self.variants.iter().filter(|variant| !variant.hidden && !variant.untagged);
        names.extend(shown.map(|variant| variant.name.clone()));
        names
    }

    /// Returns `true` for an enumeration of strings.
    pub(crate) fn is_enumeration(&self) -> bool {
        self.tagging == Tagging::External
            && self.variants.iter().all(|variant| variant.payload.is_none() && !variant.untagged)
    }

    /// Returns `true` if some variant has no tag.
    pub(crate) fn is_untold(&self) -> bool {
        self.tagging == Tagging::Untagged || self.variants.iter().any(|variant| variant.untagged)
    }
}

impl Variant {
    /// Returns the name and the aliases.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(Text::as_str)
    }

    /// Creates a unit variant.
    pub(crate) fn unit(name: Text) -> Self {
        Self {
            name,
            aliases: SharedSlice::EMPTY,
            doc: Text::EMPTY,
            payload: None,
            other: false,
            untagged: false,
            deprecated: false,
            hidden: false,
        }
    }
}
