//! Checks the fields of one struct or variant, by combining the fields as serde parsed them with their `#[tool(…)]` settings.

use serde_derive_internals::ast::{Field as SerdeField, Style};
use serde_derive_internals::attr::Default;
use syn::spanned::Spanned as _;
use syn::{Path, Type};

use super::field::{Decoder, Facts, Standing, field};
use super::name::{distinct, other_names};
use super::option::is_double_option;
use crate::errors::Errors;
use crate::model::Payload;
use crate::parse::Attributes;

/// Settings of the struct or enum that apply to all of its fields.
#[derive(Clone, Copy)]
pub(super) struct Around<'r> {
    /// The path of the runtime.
    pub(super) runtime: &'r Path,
    /// `#[serde(default)]` on the struct.
    pub(super) has_default: bool,
    /// `#[serde(deny_unknown_fields)]`
    pub(super) closed: bool,
    /// `#[tool(undocumented)]` on the type.
    pub(super) undocumented: bool,
}

/// Checks the fields of a struct or variant.
pub(super) fn payload(
    style: Style,
    fields: &[SerdeField<'_>],
    raw: Vec<Attributes>,
    around: Around<'_>,
    errors: &mut Errors,
) -> Payload {
    let keyed = matches!(style, Style::Struct);
    let standing = if keyed { Standing::UnderKey } else { Standing::WithoutKey };
    let mut wire = Vec::with_capacity(fields.len());
    for (serde, raw) in fields.iter().zip(raw) {
        if serde.attrs.skip_deserializing() {
            reject_skipped(&raw, errors);
            if matches!(style, Style::Newtype) {
                errors
                    .on(serde.ty, "serde does not always skip the only field of a tuple struct or variant: write a unit struct or variant");
            }
            continue;
        }
        if matches!(style, Style::Tuple) && (around.has_default || !serde.attrs.default().is_none()) {
            errors.on(
                serde.ty,
                "a schema cannot make one position of an array optional: name the fields, or remove `default`",
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

/// Returns serde's facts about one field.
pub(super) fn facts<'r>(serde: &SerdeField<'_>, around: Around<'r>, standing: Standing) -> Facts<'r> {
    let name = &serde.attrs.name().deserialize_name().value;
    let standing = if serde.attrs.flatten() { Standing::Flattened } else { standing };
    Facts {
        member: serde.member.clone(),
        ty: serde.ty.clone(),
        name: name.clone(),
        aliases: other_names(serde.attrs.aliases().iter().map(|alias| &alias.value), name),
        has_default: around.has_default || !serde.attrs.default().is_none(),
        is_none_by_default: !around.has_default
            && matches!(serde.attrs.default(), Default::Default)
            && is_option(serde.ty),
        standing,
        must_be_documented: standing == Standing::UnderKey && !around.undocumented,
        decoder: decoder(serde, around.runtime),
        span: serde.member.span(),
    }
}

fn decoder<'r>(serde: &SerdeField<'_>, runtime: &'r Path) -> Decoder<'r> {
    match serde.attrs.deserialize_with().map(|function| &function.path) {
        Some(path) if is_double_option(path) => Decoder::DoubleOption(path.span()),
        // For `#[serde(borrow)]`, serde sets a decoding function of its own, which is not the user's.
        Some(path) if path.segments.first().is_none_or(|first| first.ident != "_serde") => {
            Decoder::Function(path.span())
        }
        _ => Decoder::Serde { runtime },
    }
}

/// Rejects settings on a field that is not in the JSON.
pub(super) fn reject_skipped(raw: &Attributes, errors: &mut Errors) {
    if let Some(span) = raw.first {
        errors.at(span, "serde skips this field, so the model never sees it: remove `#[tool(…)]` here");
    }
}

/// Returns `true` if a type is written as an `Option`.
fn is_option(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}
