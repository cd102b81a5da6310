//! Checks enums: serde's four representations, and the variants.

use serde_derive_internals::ast::{Container, Variant as SerdeVariant};
use serde_derive_internals::attr::TagType;
use syn::spanned::Spanned as _;

use super::name::{distinct, other_names};
use super::payload::{Around, payload, reject_skipped};
use crate::errors::Errors;
use crate::model::{Payload, Tagging, Union, Variant};
use crate::parse::RawVariant;

/// Checks an enum.
pub(super) fn union(
    serde: &Container<'_>,
    variants: &[SerdeVariant<'_>],
    raw: Vec<RawVariant>,
    around: Around<'_>,
    errors: &mut Errors,
) -> Union {
    let tagging = match serde.attrs.tag() {
        TagType::External => Tagging::External,
        TagType::Internal { tag } => Tagging::Internal { tag: tag.clone() },
        TagType::Adjacent { tag, content } => Tagging::Adjacent { tag: tag.clone(), content: content.clone() },
        TagType::None => Tagging::Untagged,
    };
    let tagged = |variant: &SerdeVariant<'_>| !matches!(tagging, Tagging::Untagged) && !variant.attrs.untagged();
    let on_the_wire = |variant: &SerdeVariant<'_>| !variant.attrs.skip_deserializing();
    let on_tags = variants.iter().enumerate().filter(|(_, variant)| tagged(variant) && on_the_wire(variant));
    let names = on_tags.flat_map(|(owner, variant)| {
        variant.attrs.aliases().iter().map(move |alias| (owner, alias.value.as_str(), alias.span))
    });
    distinct("variant", names, errors);
    let mut wire = Vec::with_capacity(variants.len());
    for (serde, raw) in variants.iter().zip(raw) {
        if on_the_wire(serde) {
            wire.push(variant(serde, raw, around, errors));
        } else {
            reject_skipped_variant(&raw, errors);
        }
    }
    if wire.is_empty() {
        errors.on(
            &serde.ident,
            "no value can be written for an enum without variants: remove `ToolInput` from the derives",
        );
    }
    Union { tagging, variants: wire, closed: around.closed }
}

fn variant(serde: &SerdeVariant<'_>, raw: RawVariant, around: Around<'_>, errors: &mut Errors) -> Variant {
    let name = &serde.attrs.name().deserialize_name().value;
    let RawVariant { attributes, fields } = raw;
    let payload = match (attributes.wire_type, serde.attrs.deserialize_with()) {
        (Some((_, ty)), Some(_)) => Payload::As(Box::new(ty)),
        (Some((span, _)), None) => {
            errors.at(
                span,
                "`as` has an effect only together with serde's `with` or `deserialize_with`: add one of them, or change the fields",
            );
            Payload::Unit
        }
        (None, Some(function)) => {
            errors.at(
                function.path.span(),
                "a function decodes this value, so its schema is not known: name a type with the same JSON in `#[tool(as = Type)]`, \
                 for example `#[tool(as = String)]`",
            );
            Payload::Unit
        }
        (None, None) => payload(serde.style, &serde.fields, fields, around, errors),
    };
    Variant {
        ident: serde.ident.clone(),
        name: name.clone(),
        aliases: other_names(serde.attrs.aliases().iter().map(|alias| &alias.value), name),
        doc: attributes.doc,
        payload,
        other: serde.attrs.other(),
        untagged: serde.attrs.untagged(),
        deprecated: attributes.deprecated.is_some() || attributes.deprecated_in_rust,
        hidden: attributes.hidden.is_some(),
    }
}

fn reject_skipped_variant(raw: &RawVariant, errors: &mut Errors) {
    if let Some(span) = raw.attributes.first {
        errors.at(span, "serde skips this variant, so the model never sees it: remove `#[tool(…)]` here");
    }
    raw.fields.iter().for_each(|field| reject_skipped(field, errors));
}
