//! `#[derive(ToolFailure)]`: what each case of an error means for a call.
//!
//! In comes an enum or a struct with `#[tool(…)]` on its cases, out goes the impl, a `match` with one arm for each case, or every mistake at
//! once and an impl that says nothing, so that no error about its absence hides them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::ParseStream;
use syn::{Attribute, Data, DeriveInput, Fields, Index, LitInt, LitStr, Member, Path};

use crate::check;
use crate::errors::Errors;
use crate::parse::{absolute_path, entries, once, unknown};

/// The kinds, and whether a field or a pause shows with them.
const KINDS: [(&str, bool, bool); 6] = [
    ("rejected", true, false),
    ("retry", true, false),
    ("unavailable", false, true),
    ("rate_limited", false, true),
    ("timeout", false, true),
    ("internal", false, false),
];
const KEYS: [&str; 8] =
    ["rejected", "retry", "unavailable", "rate_limited", "timeout", "internal", "field", "retry_after"];

/// Expands the derive.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).map_or_else(syn::Error::into_compile_error, |item| derive(&item))
}

fn derive(item: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let mut runtime: Option<Path> = None;
    let on_type = case(&item.attrs, &mut errors, Some(&mut runtime));
    let body = match &item.data {
        Data::Struct(data) => arm(&quote!(Self), &data.fields, &on_type, &mut errors),
        Data::Enum(data) => {
            if let Some((kind, _)) = &on_type.kind {
                errors.at(kind.span(), format!("`{kind}` has no meaning on an enum: it belongs on its variants"));
            }
            for ident in [&on_type.field_key, &on_type.retry_after_key].into_iter().flatten() {
                errors.at(ident.span(), format!("`{ident}` has no meaning on an enum: it belongs on its variants"));
            }
            let arms = data.variants.iter().map(|variant| {
                let found = case(&variant.attrs, &mut errors, None);
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
    let runtime = runtime.unwrap_or_else(check::default_runtime);
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
    quote_spanned! {span=>
        #error
        #[allow(clippy::all, clippy::pedantic, unused_qualifications)]
        const _: () = {
            use #runtime::__private as __tool;
            #[automatically_derived]
            impl #impl_generics __tool::ToolFailure for #ident #generics #where_clause {
                fn treatment(&self) -> __tool::Treatment {
                    #treatment
                }
            }
        };
    }
}

/// What was written on one case.
#[derive(Default)]
struct Case {
    kind: Option<(Ident, (bool, bool))>,
    field_key: Option<Ident>,
    field: Option<LitStr>,
    retry_after_key: Option<Ident>,
    retry_after: Option<Member>,
}

/// Reads `#[tool(…)]`; on the type itself also the place of the runtime.
fn case(attributes: &[Attribute], errors: &mut Errors, mut runtime: Option<&mut Option<Path>>) -> Case {
    let mut found = Case::default();
    entries(attributes, errors, |entry, _| {
        let key = entry.key;
        let name = key.to_string();
        if let Some((_, field, pause)) = KINDS.iter().find(|(kind, ..)| *kind == name) {
            entry.flag()?;
            if let Some((other, _)) = &found.kind {
                let message = format!("the kind was already given as `{other}`: remove one of the two");
                return Err(syn::Error::new(key.span(), message));
            }
            found.kind = Some((key.clone(), (*field, *pause)));
            return Ok(());
        }
        match &*name {
            "field" => {
                once(&mut found.field, key, entry.value()?)?;
                found.field_key = Some(key.clone());
            }
            "retry_after" => {
                once(&mut found.retry_after, key, entry.value_with(member)?)?;
                found.retry_after_key = Some(key.clone());
            }
            "crate" if runtime.is_some() => {
                let path = entry.value_with(absolute_path)?;
                if let Some(runtime) = &mut runtime {
                    once(*runtime, key, path)?;
                }
            }
            _ => return Err(syn::Error::new(key.span(), unknown(&name, &KEYS))),
        }
        Ok(())
    });
    found
}

/// The name of a field, or its place in a tuple.
fn member(input: ParseStream<'_>) -> syn::Result<Member> {
    if input.peek(LitInt) { input.parse::<Index>().map(Member::Unnamed) } else { input.parse().map(Member::Named) }
}

/// One arm of the `match`.
fn arm(path: &TokenStream, fields: &Fields, case: &Case, errors: &mut Errors) -> TokenStream {
    let settings = [(&case.field_key, 0), (&case.retry_after_key, 1)];
    for (key, which) in settings.into_iter().filter_map(|(key, which)| Some((key.as_ref()?, which))) {
        let shows = case.kind.as_ref().is_some_and(|(_, shows)| if which == 0 { shows.0 } else { shows.1 });
        if !shows {
            let kinds = KINDS.iter().filter(|(_, field, pause)| if which == 0 { *field } else { *pause });
            let kinds: Vec<String> = kinds.map(|(kind, ..)| format!("`{kind}`")).collect();
            errors.at(key.span(), format!("`{key}` shows only with {}: add one of them", kinds.join(", ")));
        }
    }
    let Some((kind, _)) = &case.kind else {
        return quote!(#path { .. } => __tool::Treatment::rejected(),);
    };
    let field = case.field.as_ref().map(|field| quote!(.field(#field)));
    let Some(pause) = &case.retry_after else {
        return quote!(#path { .. } => __tool::Treatment::#kind()#field,);
    };
    if !fields.members().any(|member| member == *pause) {
        let (name, span) = match pause {
            Member::Named(ident) => (ident.to_string(), ident.span()),
            Member::Unnamed(index) => (index.index.to_string(), index.span),
        };
        errors.at(span, format!("there is no field `{name}` here: name the one that holds the pause"));
    }
    let span = match pause {
        Member::Named(ident) => ident.span(),
        Member::Unnamed(index) => index.span,
    };
    let value = format_ident!("__pause", span = Span::mixed_site().located_at(span));
    let after = quote_spanned!(value.span()=> .retry_after(*#value));
    quote!(#path { #pause: #value, .. } => __tool::Treatment::#kind()#field #after,)
}
