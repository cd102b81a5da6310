//! Every `#[tool(…)]` of a type that derives `ToolInput`, in the order in which serde sees fields and variants.

use syn::{Data, DeriveInput, Fields};

use super::{ContainerAttributes, FieldAttributes, Place, VariantAttributes};
use crate::errors::Errors;

/// What was written on a type and inside it.
pub(crate) struct RawInput {
    pub(crate) attributes: ContainerAttributes,
    pub(crate) data: RawData,
}

/// What was written inside a type.
pub(crate) enum RawData {
    Struct(Vec<FieldAttributes>),
    Enum(Vec<RawVariant>),
}

/// What was written on a variant and inside it.
pub(crate) struct RawVariant {
    pub(crate) attributes: VariantAttributes,
    pub(crate) fields: Vec<FieldAttributes>,
}

impl RawInput {
    /// Reads a whole item. A `union` has nothing to read: serde refuses it.
    pub(crate) fn parse(item: &DeriveInput, errors: &mut Errors) -> Self {
        let attributes = ContainerAttributes::parse(&item.attrs, errors);
        let data = match &item.data {
            Data::Struct(data) => RawData::Struct(fields(&data.fields, errors)),
            Data::Enum(data) => {
                let variant = |variant: &syn::Variant| RawVariant {
                    attributes: VariantAttributes::parse(&variant.attrs, errors),
                    fields: fields(&variant.fields, errors),
                };
                RawData::Enum(data.variants.iter().map(variant).collect())
            }
            Data::Union(_) => RawData::Struct(Vec::new()),
        };
        Self { attributes, data }
    }
}

fn fields(fields: &Fields, errors: &mut Errors) -> Vec<FieldAttributes> {
    fields.iter().map(|field| FieldAttributes::parse(&field.attrs, Place::Field, errors)).collect()
}
