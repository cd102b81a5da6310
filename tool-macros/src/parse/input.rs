//! Parses every `#[tool(…)]` of a type that derives `ToolInput`, in serde's order of fields and variants, or of a type that derives
//! `ToolFailure`.

use syn::{Data, DeriveInput, Fields};

use super::attributes::Attributes;
use super::item_kind::Place;
use super::lookup::attributes;
use crate::errors::Errors;

/// The settings of a type and of its fields or variants.
pub(crate) struct RawInput {
    pub(crate) attributes: Attributes,
    pub(crate) data: RawData,
}

/// The settings inside a type.
pub(crate) enum RawData {
    Struct(Vec<Attributes>),
    Enum(Vec<RawVariant>),
}

/// The settings of a variant and of its fields.
pub(crate) struct RawVariant {
    pub(crate) attributes: Attributes,
    pub(crate) fields: Vec<Attributes>,
}

impl RawInput {
    /// Parses an item. A `union` has no settings, because serde rejects it.
    pub(crate) fn parse(item: &DeriveInput, errors: &mut Errors) -> Self {
        let attributes = attributes(&item.attrs, &item.attrs, Place::Container, errors);
        let data = match &item.data {
            Data::Struct(data) => RawData::Struct(fields(&data.fields, errors)),
            Data::Enum(data) => {
                let variant = |variant: &syn::Variant| RawVariant {
                    attributes: self::attributes(&variant.attrs, &variant.attrs, Place::Variant, errors),
                    fields: fields(&variant.fields, errors),
                };
                RawData::Enum(data.variants.iter().map(variant).collect())
            }
            Data::Union(_) => RawData::Struct(Vec::new()),
        };
        Self { attributes, data }
    }
}

fn fields(fields: &Fields, errors: &mut Errors) -> Vec<Attributes> {
    fields.iter().map(|field| attributes(&field.attrs, &field.attrs, Place::Field, errors)).collect()
}

/// The settings of an error, and of its variants if it is an enum.
pub(crate) struct RawFailure(pub(crate) Attributes, pub(crate) Vec<Attributes>);

impl RawFailure {
    /// Parses an item.
    pub(crate) fn parse(item: &DeriveInput, errors: &mut Errors) -> Self {
        let own = attributes(&item.attrs, &[], Place::Error, errors);
        let Data::Enum(data) = &item.data else { return Self(own, Vec::new()) };
        Self(own, data.variants.iter().map(|case| attributes(&case.attrs, &[], Place::Case, errors)).collect())
    }
}
