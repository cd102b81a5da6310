//! Expands `#[derive(ToolFailure)]`, which maps each case of an error type (a variant, or a struct) to how a failed call is reported.
//!
//! The impl is a `match` with one arm for each case. On mistakes, all errors and an empty impl are emitted, so that the compiler does not
//! also report a missing impl.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Data, DeriveInput, Fields, Member};

use crate::errors::{Errors, either};
use crate::parse::{Attributes, Place, attributes};
use crate::{check, emit};

/// The kinds, each with two flags: `true` if the kind takes a field, and `true` if it takes a pause.
const KINDS: [(&str, bool, bool); 6] = [
    ("rejected", true, false),
    ("retry", true, false),
    ("unavailable", false, true),
    ("rate_limited", false, true),
    ("timeout", false, true),
    ("internal", false, false),
];

/// Expands the derive.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).map_or_else(syn::Error::into_compile_error, |item| derive(&item))
}

fn derive(item: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let on_type = attributes(&item.attrs, &[], Place::Error, &mut errors);
    let body = match &item.data {
        Data::Struct(data) => arm(&quote!(Self), &data.fields, &on_type, &mut errors),
        Data::Enum(data) => {
            for key in keys(&on_type) {
                errors.at(key.span(), format!("`{key}` has no meaning on an enum: it belongs on its variants"));
            }
            let arms = data.variants.iter().map(|variant| {
                let found = attributes(&variant.attrs, &[], Place::Case, &mut errors);
                let ident = &variant.ident;
                arm(&quote!(Self::#ident), &variant.fields, &found, &mut errors)
            });
            arms.collect()
        }
        Data::Union(data) => {
            errors.at(data.union_token.span, "a union cannot be an error: write an enum");
            TokenStream::new()
        }
    };
    let runtime = on_type.runtime.map_or_else(check::default_runtime, |(_, path)| path);
    let is_empty = matches!(&item.data, Data::Enum(data) if data.variants.is_empty());
    let result = errors.finish();
    let treatment = match &result {
        Err(_) => quote!(__tool::Treatment::rejected()),
        Ok(()) if is_empty => quote!(match *self {}),
        Ok(()) => quote!(match self { #body }),
    };
    let error = result.err().map(syn::Error::into_compile_error);
    let ident = &item.ident;
    let (impl_generics, generics, where_clause) = item.generics.split_for_impl();
    let span = Span::call_site().located_at(ident.span());
    let (allow, private) = (emit::allow(), emit::private(&runtime));
    quote_spanned! {span=>
        #error
        #allow
        const _: () = {
            use #private as __tool;
            #[automatically_derived]
            impl #impl_generics __tool::ToolFailure for #ident #generics #where_clause {
                fn treatment(&self) -> __tool::Treatment {
                    #treatment
                }
            }
        };
    }
}

/// Returns the keys of a case that describe the failure.
fn keys(case: &Attributes) -> impl Iterator<Item = &Ident> {
    let (argument, pause) = (case.argument.as_ref().map(|(key, _)| key), case.pause.as_ref().map(|(key, _)| key));
    [case.kind.as_ref(), argument, pause].into_iter().flatten()
}

/// Emits one arm of the `match`.
fn arm(path: &TokenStream, fields: &Fields, case: &Attributes, errors: &mut Errors) -> TokenStream {
    let shows = |(_, field, pause): &(&str, bool, bool), is_field: bool| if is_field { *field } else { *pause };
    let kind = case.kind.as_ref().and_then(|kind| KINDS.iter().find(|(name, ..)| kind == name));
    for (key, is_field) in
        [(case.argument.as_ref().map(|(key, _)| key), true), (case.pause.as_ref().map(|(key, _)| key), false)]
    {
        let Some(key) = key.filter(|_| !kind.is_some_and(|kind| shows(kind, is_field))) else { continue };
        let kinds = KINDS.iter().filter(|kind| shows(kind, is_field));
        let kinds: Vec<String> = kinds.map(|(kind, ..)| format!("`{kind}`")).collect();
        errors.at(key.span(), format!("`{key}` has an effect only together with {}: add one of them", either(&kinds)));
    }
    let Some(kind) = &case.kind else {
        return quote!(#path { .. } => __tool::Treatment::rejected(),);
    };
    let field = case.argument.as_ref().map(|(_, field)| quote!(.field(#field)));
    let Some((_, pause)) = &case.pause else {
        return quote!(#path { .. } => __tool::Treatment::#kind()#field,);
    };
    if !fields.members().any(|member| member == *pause) {
        let (name, span) = match pause {
            Member::Named(ident) => (ident.to_string(), ident.span()),
            Member::Unnamed(index) => (index.index.to_string(), index.span),
        };
        errors
            .at(span, format!("there is no field `{name}` here: write the name of the field that contains the pause"));
    }
    let span = match pause {
        Member::Named(ident) => ident.span(),
        Member::Unnamed(index) => index.span,
    };
    let value = format_ident!("__pause", span = Span::mixed_site().located_at(span));
    let after = quote_spanned!(value.span()=> .retry_after(*#value));
    quote!(#path { #pause: #value, .. } => __tool::Treatment::#kind()#field #after,)
}
