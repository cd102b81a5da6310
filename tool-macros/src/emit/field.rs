//! Emits one field as `const` data, and the verification of its literals.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::at;
use super::literal::{doc, literal, measured, option, policy};
use super::rule::rules;
use super::satisfiable::satisfiable;
use crate::model::{Description, Field};

/// Emits `__tool::FieldInit { … }.field()`.
pub(crate) fn field(field: &Field) -> TokenStream {
    let name = &field.name;
    let shape = shape(field);
    let mut settings = vec![quote!(name: #name), quote!(shape: #shape)];
    settings.extend(doc(&field.doc).map(|doc| quote!(doc: #doc)));
    if !field.rules.is_empty() {
        let rules = rules(&field.rules, &wire_type(field).to_token_stream());
        settings.push(quote!(rules: const { &[#rules] }));
    }
    if !field.has_default {
        let required = required(field);
        settings.push(quote!(required: #required));
        if let Description::Schemars { decodes: true } = field.description {
            let ty = &field.ty;
            settings.push(quote_spanned!(at(ty)=> optional: __tool::Some(__tool::decodes_absent::<#ty>)));
        }
    }
    settings.extend(field.distinct_null.then(|| quote!(distinct_null: true)));
    settings.extend(computed_default(field));
    settings.extend(extras(field));
    quote!(__tool::FieldInit { #(#settings,)* ..__tool::FieldInit::DEFAULT }.field())
}

/// Emits the settings that both fields and parameters can have, as fields of `FieldInit`.
pub(super) fn extras(field: &Field) -> Vec<TokenStream> {
    let mut settings = Vec::new();
    if !field.aliases.is_empty() {
        let aliases = &field.aliases;
        settings.push(quote!(aliases: const { &[#(__tool::Text::Static(#aliases)),*] }));
    }
    for (name, value) in [("default", &field.default), ("example", &field.example)] {
        if let Some(value) = value {
            let name = proc_macro2::Ident::new(name, Span::call_site());
            let text = value.to_string();
            let text = option(Some(quote!(#text)));
            settings.push(quote!(#name: #text));
        }
    }
    settings.extend(field.repair.map(policy).map(|policy| quote!(repair: #policy)));
    let flags = [
        ("flatten", field.flatten),
        ("sensitive", field.sensitive),
        ("deprecated", field.deprecated),
        ("hidden", field.hidden.is_some()),
    ];
    for (name, _) in flags.into_iter().filter(|(_, set)| *set) {
        let name = proc_macro2::Ident::new(name, Span::call_site());
        settings.push(quote!(#name: true));
    }
    settings
}

/// Emits one `const` for each literal, rule and description, so that the compiler reports all errors. No `const` is emitted for generic
/// types, because their shapes are only known when the type is used; `build()` checks their literals, rules and descriptions instead.
pub(crate) fn verifications(field: &Field) -> impl Iterator<Item = TokenStream> + '_ {
    let literals = field.default.iter().chain(&field.example).map(move |value| {
        let tokens = literal(value);
        let shape = shape(field);
        let rules = rules(&field.rules, &wire_type(field).to_token_stream());
        let span = Span::call_site().located_at(value.span);
        quote_spanned!(span=> const _: () = __tool::assert_literal_fits(&#tokens, #shape, const { &[#rules] });)
    });
    let satisfiable = satisfiable(&field.rules, &shape(field), &wire_type(field).to_token_stream());
    literals.chain(satisfiable).chain(hidden(field)).chain(measured(&field.doc))
}

/// Emits, for a hidden field without a default, a `const` that fails to compile if the key of the field is required.
fn hidden(field: &Field) -> Option<TokenStream> {
    let span = Span::call_site().located_at(field.hidden.filter(|_| !field.has_default)?);
    let required = required(field);
    Some(quote_spanned!(span=> const _: () = __tool::hidden(#required);))
}

/// Emits, for each flattened field, a `const` that fails to compile if the keys of the field clash with other keys. `object` is the shape
/// of the surrounding object.
pub(super) fn flattened<'f>(fields: &'f [Field], object: &'f TokenStream) -> impl Iterator<Item = TokenStream> + 'f {
    fields.iter().enumerate().filter(|(_, field)| field.flatten).map(move |(index, field)| {
        let buffered = buffered(field);
        quote_spanned!(at(&field.ty)=> const _: () = __tool::flattened(#object, #index); #buffered)
    })
}

/// Emits, for a field that serde decodes from its buffer, a `const` that fails to compile if the type cannot be buffered. Fields that a
/// user's function decodes are not checked.
pub(super) fn buffered(field: &Field) -> Option<TokenStream> {
    matches!(field.description, Description::Own).then(|| {
        let shape = shape(field);
        quote_spanned!(at(&field.ty)=> const _: () = __tool::buffered(#shape);)
    })
}

/// Emits the shape of the field's value, of type `&'static Shape`.
pub(super) fn shape(field: &Field) -> TokenStream {
    match &field.description {
        Description::Own | Description::As(_) => {
            let ty = wire_type(field);
            quote_spanned!(at(ty)=> <#ty as __tool::ToolInput>::SHAPE)
        }
        Description::Schemars { decodes } => {
            let ty = &field.ty;
            let foreign = quote_spanned!(at(ty)=> __tool::Kind::Foreign(__tool::foreign::<#ty>));
            let decodes = decodes.then(|| quote_spanned!(at(ty)=> __tool::custom(__tool::decodes::<#ty>)));
            quote!(const {
                &__tool::ShapeInit { rules: const { &[#decodes] }, ..__tool::ShapeInit::DEFAULT }.shape(#foreign)
            })
        }
    }
}

/// Returns the type that describes the JSON form of the field.
pub(super) fn wire_type(field: &Field) -> &Type {
    match &field.description {
        Description::As(ty) => ty,
        Description::Own | Description::Schemars { .. } => &field.ty,
    }
}

/// Emits a flag for a default that is computed at run time.
pub(super) fn computed_default(field: &Field) -> Option<TokenStream> {
    let is_computed = field.has_default && field.default.is_none() && !field.is_none_by_default;
    is_computed.then(|| quote!(has_computed_default: true))
}

/// Emits an expression that is `true` if the key is required: without a default, serde lets a key be absent only if the type allows it.
fn required(field: &Field) -> TokenStream {
    match &field.description {
        Description::Own => {
            let ty = &field.ty;
            quote_spanned!(at(ty)=> !<#ty as __tool::ToolInput>::OPTIONAL)
        }
        Description::Schemars { decodes: true } => is_no_option(&field.ty),
        // If a function decodes the field, serde provides no value for an absent key.
        Description::As(_) | Description::Schemars { decodes: false } => quote!(true),
    }
}

/// Emits an expression that is `true` if a type that only `schemars` describes is certainly no `Option`, as far as the compiler knows.
pub(super) fn is_no_option(ty: &Type) -> TokenStream {
    quote_spanned!(at(ty)=> {
        use __tool::Otherwise as _;
        !__tool::IsOption::<#ty>::VALUE
    })
}

/// Emits a `const` for each field that fails to compile if a type alias or a `Box` hides an `Option<Option<T>>` whose `null` would be lost.
/// If a type is written out, `check` finds it.
pub(super) fn keeps_null(fields: &[&Field]) -> TokenStream {
    let is_decoded_by_serde = |field: &&&Field| {
        !field.distinct_null && matches!(field.description, Description::Own | Description::Schemars { decodes: true })
    };
    let check = |Field { ty, .. }: &Field| {
        quote_spanned! {at(ty)=>
            const _: () = {
                use __tool::Otherwise as _;
                __tool::keeps_null(__tool::IsDoubleOption::<#ty>::VALUE);
            };
        }
    };
    fields.iter().filter(is_decoded_by_serde).map(|field| check(field)).collect()
}
