//! Questions about the variants of a union: which one a name stands for, which names may be shown, what a tag looks like.

use super::{Kind, Ref, Shape, Tagging, Text, Union, Variant};

impl Union {
    /// The variant that a tag names.
    pub(crate) fn find(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| {
            !variant.untagged && (variant.name == name || variant.aliases.iter().any(|alias| alias == name))
        })
    }

    /// The names that a tag may have and that may be shown, in declaration order.
    pub(crate) fn names(&self) -> Vec<Text> {
        let shown = self.variants.iter().filter(|variant| !variant.hidden && !variant.untagged);
        shown.map(|variant| variant.name.clone()).collect()
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

    /// What its tag looks like: an enumeration of the names.
    pub(crate) fn tag_shape(&self) -> Ref {
        let unit = |variant: &Variant| Variant { payload: None, ..variant.clone() };
        let variants: Vec<_> = self.variants.iter().filter(|variant| !variant.untagged).map(unit).collect();
        let kind = Kind::Union(Self { tagging: Tagging::External, variants: variants.into(), unknown: self.unknown });
        Ref::Shared(Shape::of(kind).into())
    }
}
