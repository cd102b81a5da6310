//! A type that derives `ToolInput`: what serde knows of it and what `#[tool(…)]` says, as one model.
//!
//! serde's container has no mistakes of its own here (the caller saw to that); what serde accepts and nobody can describe is refused.

use syn::spanned::Spanned as _;
use syn::{DeriveInput, Type, parse_quote};

use serde_derive_internals::ast::{Container, Data, Field as SerdeField, Style};
use serde_derive_internals::attr::Identifier;

use super::field::{Facts, Standing, field};
use super::name::{distinct, other_names};
use super::rule::rules;
use super::{bound, lifetime, variant};
use crate::errors::Errors;
use crate::model::{Body, Description, Doc, Field, Input, Payload};
use crate::parse::{FieldAttributes, RawData, RawInput, RawVariant};

/// What the fields of one struct or variant have in common.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// `#[serde(default)]` on the struct.
    pub(super) has_default: bool,
    /// `#[serde(deny_unknown_fields)]`
    pub(super) closed: bool,
    /// Whether the container says `#[tool(undocumented)]`.
    pub(super) undocumented: bool,
}

/// Checks a whole type.
pub(crate) fn input(item: &DeriveInput, serde: &Container<'_>, raw: RawInput, errors: &mut Errors) -> Input {
    refuse_container(item, serde, errors);
    let RawInput { attributes, data } = raw;
    if let Some(span) = attributes.undocumented
        && !has_silent_field(&data)
    {
        errors.at(span, "`undocumented` has no effect where every field is documented: remove it");
    }
    let around = Around {
        has_default: !serde.attrs.default().is_none(),
        closed: serde.attrs.deny_unknown_fields(),
        undocumented: attributes.undocumented.is_some(),
    };
    let body = match serde.attrs.type_from().or(serde.attrs.type_try_from()) {
        Some(source) => {
            refuse_without_effect(&data, errors);
            Body::From(source.clone())
        }
        None => body(serde, data, around, errors),
    };
    Input {
        ident: item.ident.clone(),
        generics: bound::generics(&item.generics, attributes.bound, wire_types(&body)),
        runtime: attributes.runtime.unwrap_or_else(|| parse_quote!(::tool_runtime)),
        name: serde.attrs.name().deserialize_name().value.clone(),
        doc: attributes.doc,
        rules: rules(attributes.rules, errors),
        body,
    }
}

fn body(serde: &Container<'_>, raw: RawData, around: Around, errors: &mut Errors) -> Body {
    match (&serde.data, raw) {
        (Data::Struct(_, fields), RawData::Struct(raw)) if serde.attrs.transparent() => {
            let mut inner = None;
            for (serde, raw) in fields.iter().zip(raw) {
                if serde.attrs.transparent() {
                    inner = Some(field(raw, facts(serde, around, Standing::WithoutKey), errors));
                } else {
                    refuse_skipped(&raw, errors);
                }
            }
            inner.map_or(Body::Payload(Payload::Unit), |field| Body::Transparent(Box::new(field)))
        }
        (Data::Struct(style, fields), RawData::Struct(raw)) => {
            Body::Payload(payload(*style, fields, raw, around, errors))
        }
        (Data::Enum(variants), RawData::Enum(raw)) => Body::Union(variant::union(serde, variants, raw, around, errors)),
        // Both were read from the same item.
        _ => Body::Payload(Payload::Unit),
    }
}

/// What the fields of a struct or variant look like.
pub(super) fn payload(
    style: Style,
    fields: &[SerdeField<'_>],
    raw: Vec<FieldAttributes>,
    around: Around,
    errors: &mut Errors,
) -> Payload {
    let keyed = matches!(style, Style::Struct);
    let standing = if keyed { Standing::UnderKey } else { Standing::WithoutKey };
    let mut wire = Vec::with_capacity(fields.len());
    for (serde, raw) in fields.iter().zip(raw) {
        if serde.attrs.skip_deserializing() {
            refuse_skipped(&raw, errors);
            if matches!(style, Style::Newtype) {
                errors.on(
                    serde.ty,
                    "the only field is skipped, and serde reads it all the same: write a unit struct or variant",
                );
            }
            continue;
        }
        if matches!(style, Style::Tuple) && (around.has_default || !serde.attrs.default().is_none()) {
            errors.on(
                serde.ty,
                "a position of an array cannot be absent in a description: name the fields, or remove `default`",
            );
        }
        wire.push((serde, field(raw, facts(serde, around, standing), errors)));
    }
    if keyed {
        let keys = wire.iter().map(|(serde, _)| serde).enumerate().filter(|(_, serde)| !serde.attrs.flatten());
        let names = keys.flat_map(|(owner, serde)| {
            serde.attrs.aliases().iter().map(move |alias| (owner, alias.value.as_str(), alias.span))
        });
        distinct("field", names, errors);
    }
    let mut wire = wire.into_iter().map(|(_, field)| field);
    match style {
        Style::Struct => Payload::Object { fields: wire.collect(), closed: around.closed },
        Style::Tuple => Payload::Tuple(wire.collect()),
        Style::Newtype => wire.next().map_or(Payload::Unit, |field| Payload::Newtype(Box::new(field))),
        Style::Unit => Payload::Unit,
    }
}

fn facts(serde: &SerdeField<'_>, around: Around, standing: Standing) -> Facts {
    let name = &serde.attrs.name().deserialize_name().value;
    let standing = if serde.attrs.flatten() { Standing::Flattened } else { standing };
    Facts {
        member: serde.member.clone(),
        ty: serde.ty.clone(),
        name: name.clone(),
        aliases: other_names(serde.attrs.aliases().iter().map(|alias| &alias.value), name),
        has_default: around.has_default || !serde.attrs.default().is_none(),
        standing,
        must_be_documented: standing == Standing::UnderKey && !around.undocumented,
        // For `#[serde(borrow)]` serde names a function of its own.
        decoded_by: serde
            .attrs
            .deserialize_with()
            .filter(|function| function.path.segments.first().is_none_or(|first| first.ident != "_serde"))
            .map(|function| function.path.span()),
        span: serde.member.span(),
    }
}

/// Whether a value of the type borrows something, so that it cannot outlive the text of a call.
pub(crate) fn borrows(item: &DeriveInput) -> bool {
    let borrows = |field: &syn::Field| lifetime::owned(&field.ty).is_some();
    item.generics.lifetimes().next().is_some()
        || match &item.data {
            syn::Data::Struct(data) => data.fields.iter().any(borrows),
            syn::Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).any(borrows),
            syn::Data::Union(_) => false,
        }
}

/// What serde accepts on a container and nobody can describe.
fn refuse_container(item: &DeriveInput, serde: &Container<'_>, errors: &mut Errors) {
    let mut fields = serde.data.all_fields().filter(|field| !field.attrs.skip_deserializing());
    if let Some(lifetime) = item.generics.lifetimes().next()
        && fields.all(|field| lifetime::owned(field.ty).is_none())
    {
        errors.on(
            lifetime,
            format!("arguments are decoded into owned values: remove `{}` and what borrows with it", lifetime.lifetime),
        );
    }
    if let Some(remote) = serde.attrs.remote() {
        errors.on(remote, "a `remote` definition decodes another type: derive `ToolInput` on a type of yours and add `#[serde(from = \"…\")]`");
    }
    if matches!(serde.attrs.identifier(), Identifier::Field | Identifier::Variant) {
        errors.on(&item.ident, "an identifier decodes keys, not values: remove `ToolInput` from the derives");
    }
    if serde.attrs.is_packed() {
        errors.on(&item.ident, "the rules of a packed struct cannot be run on its fields: remove `packed`, or convert with `#[serde(from = \"…\")]`");
    }
}

/// Settings on a field that is not on the wire.
pub(super) fn refuse_skipped(raw: &FieldAttributes, errors: &mut Errors) {
    if let Some(span) = raw.first {
        errors.at(span, "serde skips this field, so the model never sees it: remove `#[tool(…)]` here");
    }
}

/// Settings inside a type that is converted from another one.
fn refuse_without_effect(data: &RawData, errors: &mut Errors) {
    let all: Vec<_> = match data {
        RawData::Struct(fields) => fields.iter().filter_map(|field| field.first).collect(),
        RawData::Enum(variants) => variants
            .iter()
            .flat_map(|variant| {
                variant.attributes.first.into_iter().chain(variant.fields.iter().filter_map(|field| field.first))
            })
            .collect(),
    };
    for span in all {
        errors.at(
            span,
            "the wire looks like the type this one is converted from: put `#[tool(…)]` on the fields of that type",
        );
    }
}

fn has_silent_field(data: &RawData) -> bool {
    let silent = |field: &FieldAttributes| matches!(field.doc, Doc::None) && field.undocumented.is_none();
    match data {
        RawData::Struct(fields) => fields.iter().any(silent),
        RawData::Enum(variants) => variants.iter().any(|RawVariant { fields, .. }| fields.iter().any(silent)),
    }
}

/// The types whose `ToolInput` the impl uses.
fn wire_types(body: &Body) -> Vec<&Type> {
    fn of_field(field: &Field) -> Option<&Type> {
        match &field.description {
            Description::Own | Description::Parameter(_) => Some(&field.ty),
            Description::As(ty) => Some(ty),
            Description::Schemars { .. } => None,
        }
    }
    match body {
        Body::Payload(payload) => payload.fields().iter().filter_map(of_field).collect(),
        Body::Transparent(field) => of_field(field).into_iter().collect(),
        Body::From(source) => vec![source],
        Body::Union(union) => {
            union.variants.iter().flat_map(|variant| variant.payload.fields()).filter_map(of_field).collect()
        }
    }
}
