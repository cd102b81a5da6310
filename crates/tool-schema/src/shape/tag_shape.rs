//! The shape of the tag of a union.

use super::{Kind, Ref, Shape, Tagging, Union, Variant};

impl Union {
    /// Returns the shape of the tag: an enumeration of the names.
    pub(crate) fn tag_shape(&self) -> Ref {
        let unit = |variant: &Variant| Variant { payload: None, ..variant.clone() };
        let variants: Vec<_> = self.variants.iter().filter(|variant| !variant.untagged).map(unit).collect();
        let kind = Kind::Union(Self { tagging: Tagging::External, variants: variants.into(), unknown: self.unknown });
        Ref::Shared(Shape::new(kind).into())
    }
}
