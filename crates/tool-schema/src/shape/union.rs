//! `Union` and `Variant`: an input of several forms.
//!
//! In comes what a macro wrote or a reader read, out goes plain data, and the answers to questions about it: which variant a name stands
//! for, which names may be shown. What always holds: the order of variants is the order of declaration.

use super::{List, Ref, Text, Unknown};

/// One of several variants.
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
/// let Kind::Union(unit) = &Unit::SHAPE.kind else { return };
/// assert_eq!((&unit.tagging, unit.variants.len()), (&Tagging::External, 2));
/// ```
#[derive(Clone, Debug)]
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
/// use tool_schema::shape::Tagging;
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
/// use tool_schema::{ToolInput, shape::Kind};
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

impl Union {
    /// The variant that a tag names.
    pub(crate) fn find(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| {
            !variant.untagged && (variant.name == name || variant.aliases.iter().any(|alias| alias == name))
        })
    }

    /// The names that a tag may have and that may be shown, in declaration order.
    pub(crate) fn names(&self) -> Vec<Text> {
        let mut names = Vec::with_capacity(self.variants.len());
        let shown = self.variants.iter().filter(|variant| !variant.hidden && !variant.untagged);
        names.extend(shown.map(|variant| variant.name.clone()));
        names
    }

    /// Whether it is an enumeration of strings.
    pub(crate) fn is_enumeration(&self) -> bool {
        self.tagging == Tagging::External
            && self.variants.iter().all(|variant| variant.payload.is_none() && !variant.untagged)
    }

    /// Whether a variant may be meant that nothing in the value tells.
    pub(crate) fn is_untold(&self) -> bool {
        self.tagging == Tagging::Untagged || self.variants.iter().any(|variant| variant.untagged)
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
