//! Checks a type that derives `ToolInput`, by combining the type as serde parsed it with its `#[tool(…)]` settings.
//!
//! Types that serde itself rejects never reach this module. This module rejects types that serde accepts but a shape cannot describe.

use proc_macro2::{Ident, Span};
use syn::{DeriveInput, Path, Type};

use serde_derive_internals::ast::{Container, Data};
use serde_derive_internals::attr::Identifier;

use super::field::{Standing, field};
use super::payload::{Around, facts, payload, reject_skipped};
use super::rule::rules;
use super::{bound, lifetime, option, variant};
use crate::errors::Errors;
use crate::model::{Body, Description, Doc, Field, Input, Payload, Tagging};
use crate::parse::{Attributes, RawData, RawInput, RawVariant};

/// Checks a type.
pub(crate) fn input(
    item: &DeriveInput,
    serde: &Container<'_>,
    raw: RawInput,
    runtime: Path,
    errors: &mut Errors,
) -> Input {
    reject_container(item, serde, errors);
    let RawInput { attributes, data } = raw;
    if let Some(span) = attributes.undocumented
        && !has_silent_field(&data)
    {
        errors.at(span, "`undocumented` has no effect if every field is documented: remove it");
    }
    let around = Around {
        runtime: &runtime,
        has_default: !serde.attrs.default().is_none(),
        closed: serde.attrs.deny_unknown_fields(),
        undocumented: attributes.undocumented.is_some(),
    };
    let body = match serde.attrs.type_from().or(serde.attrs.type_try_from()) {
        Some(source) => {
            reject_without_effect(&data, errors);
            option::reject_all(source, errors);
            Body::From(source.clone())
        }
        None => body(serde, data, around, errors),
    };
    // A `remote` definition never decodes itself, which is an error of its own.
    if serde.attrs.remote().is_none() {
        unknown_keys(&item.ident, attributes.settings.ignore_unknown, around.closed, &body, errors);
    }
    Input {
        ident: item.ident.clone(),
        generics: bound::generics(&item.generics, attributes.bound, wire_types(&body)),
        runtime,
        name: serde.attrs.name().deserialize_name().value.clone(),
        doc: attributes.doc,
        rules: rules(attributes.rules, errors),
        body,
    }
}

fn body(serde: &Container<'_>, raw: RawData, around: Around<'_>, errors: &mut Errors) -> Body {
    match (&serde.data, raw) {
        (Data::Struct(_, fields), RawData::Struct(raw)) if serde.attrs.transparent() => {
            let mut inner = None;
            for (serde, raw) in fields.iter().zip(raw) {
                if serde.attrs.transparent() {
                    inner = Some(field(raw, facts(serde, around, Standing::WithoutKey), errors));
                } else {
                    reject_skipped(&raw, errors);
                }
            }
            inner.map_or(Body::Payload(Payload::Unit), |field| Body::Transparent(Box::new(field)))
        }
        (Data::Struct(style, fields), RawData::Struct(raw)) => {
            Body::Payload(payload(*style, fields, raw, around, errors))
        }
        (Data::Enum(variants), RawData::Enum(raw)) => Body::Union(variant::union(serde, variants, raw, around, errors)),
        // No other pair occurs, because both values were parsed from the same item.
        _ => Body::Payload(Payload::Unit),
    }
}

/// Notes an error if serde would drop unknown keys although nobody asked for it, or if `ignore_unknown` has no effect.
fn unknown_keys(ident: &Ident, ignored: Option<Span>, closed: bool, body: &Body, errors: &mut Errors) {
    // A flattened type may take the unknown keys.
    let takes_rest = |payload: &Payload| payload.fields().iter().any(|field| field.flatten);
    let is_object = |payload: &Payload| matches!(payload, Payload::Object { .. });
    let (has_keys, drops_keys) = match body {
        Body::Payload(payload) => (is_object(payload), is_object(payload) && !takes_rest(payload)),
        Body::Union(union) => {
            let payloads = || union.variants.iter().map(|variant| &variant.payload);
            let beside_tag = matches!(union.tagging, Tagging::Adjacent { .. });
            let drops = |payload: &Payload| is_object(payload) && !takes_rest(payload);
            (beside_tag || payloads().any(is_object), beside_tag || payloads().any(drops))
        }
        Body::Transparent(_) | Body::From(_) => (false, false),
    };
    match ignored {
        None if drops_keys && !closed => errors.on(
            ident,
            format!(
                "a key that `{ident}` does not know would be lost without an error: write `#[serde(deny_unknown_fields)]` above it to reject such \
                 keys, or `#[tool(ignore_unknown)]` to ignore them"
            ),
        ),
        Some(span) if closed => {
            errors.at(span, "`deny_unknown_fields` rejects the keys that `ignore_unknown` ignores: remove one of the two");
        }
        Some(span) if !has_keys => {
            errors.at(span, "`ignore_unknown` has no effect on a type without named fields: remove it");
        }
        _ => {}
    }
}

/// Returns `true` if a value of the type borrows from the text of a call, so that it cannot outlive the text.
pub(crate) fn borrows(item: &DeriveInput) -> bool {
    let borrows = |field: &syn::Field| lifetime::owned(&field.ty).is_some();
    item.generics.lifetimes().next().is_some()
        || match &item.data {
            syn::Data::Struct(data) => data.fields.iter().any(borrows),
            syn::Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).any(borrows),
            syn::Data::Union(_) => false,
        }
}

/// Rejects types that serde accepts but a shape cannot describe.
fn reject_container(item: &DeriveInput, serde: &Container<'_>, errors: &mut Errors) {
    let mut fields = serde.data.all_fields().filter(|field| !field.attrs.skip_deserializing());
    if let Some(lifetime) = item.generics.lifetimes().next()
        && fields.all(|field| lifetime::owned(field.ty).is_none())
    {
        errors.on(
            lifetime,
            format!(
                "arguments are decoded into owned values: remove `{}` and every field that uses it",
                lifetime.lifetime
            ),
        );
    }
    if let Some(remote) = serde.attrs.remote() {
        errors.on(remote, "a `remote` definition decodes a type other than itself: derive `ToolInput` on a type of your own and add `#[serde(from = \"…\")]`");
    }
    if matches!(serde.attrs.identifier(), Identifier::Field | Identifier::Variant) {
        errors.on(&item.ident, "serde decodes keys with this enum, not values: remove `ToolInput` from the derives");
    }
    if serde.attrs.is_packed() {
        errors.on(&item.ident, "the rules of a packed struct cannot be run on its fields: remove `packed`, or convert with `#[serde(from = \"…\")]`");
    }
}

/// Rejects settings inside a type that serde converts from another type.
fn reject_without_effect(data: &RawData, errors: &mut Errors) {
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
            "serde decodes the type in `from` or `try_from` and then converts it: put `#[tool(…)]` on the fields of that type",
        );
    }
}

fn has_silent_field(data: &RawData) -> bool {
    let silent = |field: &Attributes| matches!(field.doc, Doc::None) && field.undocumented.is_none();
    match data {
        RawData::Struct(fields) => fields.iter().any(silent),
        RawData::Enum(variants) => variants.iter().any(|RawVariant { fields, .. }| fields.iter().any(silent)),
    }
}

/// Returns the types whose `ToolInput` impls the generated impl uses.
fn wire_types(body: &Body) -> Vec<&Type> {
    fn of_field(field: &Field) -> Option<&Type> {
        match &field.description {
            Description::Own => Some(&field.ty),
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
