//! Checks the cases of a type that derives `ToolFailure`.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{Data, DeriveInput, Fields};

use crate::errors::{Errors, either};
use crate::model::Case;
use crate::parse::{Attributes, RawFailure};

/// The kinds that take a field.
const WITH_ARGUMENT: &[&str] = &["rejected", "retry"];
/// The kinds that take a pause.
const WITH_PAUSE: &[&str] = &["unavailable", "rate_limited", "timeout"];

/// Checks an error and its cases.
pub(crate) fn failure(item: &DeriveInput, RawFailure(own, variants): RawFailure, errors: &mut Errors) -> Vec<Case> {
    match &item.data {
        Data::Struct(data) => vec![case(None, &data.fields, own, errors)],
        Data::Enum(data) => {
            let Attributes { kind, argument, pause, .. } = own;
            let keys = [kind, argument.map(|(key, _)| key), pause.map(|(key, _)| key)];
            for key in keys.into_iter().flatten() {
                errors.at(key.span(), format!("`{key}` has no meaning on an enum: it belongs on its variants"));
            }
            let cases = data.variants.iter().zip(variants);
            cases.map(|(variant, raw)| case(Some(&variant.ident), &variant.fields, raw, errors)).collect()
        }
        Data::Union(data) => {
            errors.at(data.union_token.span, "a union cannot be an error: write an enum");
            Vec::new()
        }
    }
}

fn case(variant: Option<&Ident>, fields: &Fields, raw: Attributes, errors: &mut Errors) -> Case {
    let Attributes { kind, argument, pause, .. } = raw;
    for (key, kinds) in
        [(argument.as_ref().map(|(key, _)| key), WITH_ARGUMENT), (pause.as_ref().map(|(key, _)| key), WITH_PAUSE)]
    {
        let takes = kind.as_ref().is_some_and(|kind| kinds.iter().any(|name| kind == name));
        let Some(key) = key.filter(|_| !takes) else { continue };
        let kinds: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
        errors.at(key.span(), format!("`{key}` has an effect only together with {}: add one of them", either(&kinds)));
    }
    let pause = pause.map(|(_, pause)| pause);
    if let (Some(_), Some(pause)) = (&kind, &pause)
        && !fields.members().any(|member| member == *pause)
    {
        let name = pause.to_token_stream();
        errors
            .on(pause, format!("there is no field `{name}` here: write the name of the field that contains the pause"));
    }
    Case { variant: variant.cloned(), kind, argument: argument.map(|(_, field)| field), pause }
}
