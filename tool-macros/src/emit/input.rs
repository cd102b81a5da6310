//! Emits the impl of `ToolInput` for a type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Generics, Path};

use super::field::{buffered, flattened, keeps_null, verifications as of_literals};
use super::lints::allow;
use super::literal::{doc, measured};
use super::rule::{conjunction, matchers, of_field, of_rules, of_wire, rules};
use super::shape::kind;
use super::{at, private};
use crate::model::{Body, Description, Field, Input, Payload, Tagging, Union, Variant};

/// Emits the impl of `ToolInput` and its checks:
///
/// ```text
/// const _: () = {
///     use ::tool_runtime::__private as __tool;
///     impl __tool::ToolInput for Room {
///         const SHAPE: &'static __tool::Shape = &__tool::ShapeInit { name: "Room", … }.shape(…);
///         const OPTIONAL: bool = …; // only where the type may stand for an absent value
///         const GUARDED: bool = false; // only where nothing can be rejected
///         fn guard(&self) -> bool { … && … }
///     }
///     const _: () = __tool::assert_literal_fits(…); // for each default and example
/// };
/// ```
pub(crate) fn input(input: &Input) -> TokenStream {
    let name = &input.name;
    let doc = doc(&input.doc).map(|doc| quote!(doc: #doc,));
    let (kind, of_field) = kind(&input.body);
    let of_type = rules(&input.rules, &quote!(Self));
    let rules = match (of_field.is_empty(), of_type.is_empty()) {
        (true, true) => None,
        (false, false) => Some(quote!(rules: const { &[#of_field, #of_type] },)),
        _ => Some(quote!(rules: const { &[#of_field #of_type] },)),
    };
    let optional = optional(&input.body).map(|optional| quote!(const OPTIONAL: bool = #optional;));
    let conditions = guard(input);
    let guarded = conditions.is_none().then(|| {
        quote!(
            const GUARDED: bool = false;
        )
    });
    let guard = conditions.unwrap_or_else(|| quote!(true));
    let fields = fields(&input.body);
    // Generic types are verified by `build()`, because their shapes are only known when the type is used.
    let verifications = input.generics.params.is_empty().then(|| verifications(input, &fields));
    let members = quote! {
        const SHAPE: &'static __tool::Shape = &__tool::ShapeInit {
            name: #name,
            identity: __tool::Some(__tool::identity::<Self>()),
            #doc
            #rules
            ..__tool::ShapeInit::DEFAULT
        }.shape(#kind);
        #optional
        #guarded
        fn guard(&self) -> bool {
            #guard
        }
    };
    let key = key(input);
    let matchers = matchers(input.rules.iter().chain(fields.iter().flat_map(|field| &field.rules)));
    let rest = quote!(#key #matchers #verifications);
    wrapped(&input.runtime, &implementation(&input.ident, &input.generics, &members), &rest)
}

/// Emits a stand-in for the impl of a type that has mistakes, so that only these mistakes are reported. If serde rejected the type and
/// emitted nothing, a stand-in for `Deserialize` is emitted too.
pub(crate) fn fallback(ident: &Ident, generics: &Generics, runtime: &Path, without_serde: bool) -> TokenStream {
    let mut generics = generics.clone();
    let deserialize = without_serde.then(|| {
        let mut with_lifetime = generics.clone();
        with_lifetime.params.insert(0, syn::parse_quote!('de));
        let (impl_generics, ..) = with_lifetime.split_for_impl();
        let (_, type_generics, where_clause) = generics.split_for_impl();
        quote! {
            impl #impl_generics __tool::serde::Deserialize<'de> for #ident #type_generics #where_clause {
                fn deserialize<D: __tool::serde::Deserializer<'de>>(_: D) -> ::core::result::Result<Self, D::Error> {
                    __tool::Err(__tool::serde::de::Error::custom(""))
                }
            }
        }
    });
    let members = quote! {
        const SHAPE: &'static __tool::Shape = __tool::Shape::ANY;
        fn guard(&self) -> bool {
            true
        }
    };
    // The bounds are left to serde, as for a type without mistakes.
    if !generics.params.is_empty() {
        let bound = syn::parse_quote!(Self: __tool::serde::de::DeserializeOwned + ::core::marker::Send + 'static);
        generics.make_where_clause().predicates.push(bound);
    }
    wrapped(runtime, &implementation(ident, &generics, &members), &deserialize.unwrap_or_default())
}

fn implementation(ident: &Ident, generics: &Generics, members: &TokenStream) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics __tool::ToolInput for #ident #type_generics #where_clause {
            #members
        }
    }
}

/// Emits `MapKey` for types that can be the key of a map: an enum whose values are all strings, and a type that wraps a key type or is
/// converted from one.
fn key(input: &Input) -> Option<TokenStream> {
    let is_name = |variant: &Variant| matches!(variant.payload, Payload::Unit) && !variant.untagged;
    let key = match &input.body {
        Body::Union(Union { tagging: Tagging::External, variants, .. }) if variants.iter().all(is_name) => None,
        Body::Payload(Payload::Newtype(field)) | Body::Transparent(field)
            if matches!(field.description, Description::Own) =>
        {
            Some(&field.ty)
        }
        Body::From(source) => Some(source),
        _ => return None,
    };
    let mut generics = input.generics.clone();
    if let Some(key) = key {
        // rustc accepts an unsatisfied bound without type parameters only if the bound has a lifetime.
        let bound = quote_spanned!(at(key)=> for<'key> #key: __tool::MapKey);
        generics.make_where_clause().predicates.push(syn::parse_quote!(#bound));
    }
    let ident = &input.ident;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Some(quote! {
        #[automatically_derived]
        impl #impl_generics __tool::MapKey for #ident #type_generics #where_clause {}
    })
}

fn wrapped(runtime: &Path, implementation: &TokenStream, rest: &TokenStream) -> TokenStream {
    let (allow, private) = (allow(), private(runtime));
    quote! {
        #allow
        const _: () = {
            use #private as __tool;
            #implementation
            #rest
        };
    }
}

/// Emits `OPTIONAL` for a transparent type. Its value may be absent if a value of the inner type may.
fn optional(body: &Body) -> Option<TokenStream> {
    let ty = match body {
        Body::Transparent(field) if matches!(field.description, Description::Own) => &field.ty,
        Body::From(ty) => ty,
        _ => return None,
    };
    Some(quote_spanned!(at(ty)=> <#ty as __tool::ToolInput>::OPTIONAL))
}

/// Emits the body of the guard, or nothing if the guard would always be true.
fn guard(input: &Input) -> Option<TokenStream> {
    let mut conditions = match &input.body {
        Body::Payload(payload) => of_members(payload.fields()),
        Body::Transparent(field) => of_members(std::slice::from_ref(field)),
        Body::From(source) => vec![of_wire(source, false)],
        Body::Union(union) => of_union(union).into_iter().collect(),
    };
    conditions.extend(of_rules(&input.rules, &quote!(Self), &quote!(self)));
    (!conditions.is_empty()).then(|| conjunction(&conditions))
}

fn of_members(fields: &[Field]) -> Vec<TokenStream> {
    let of_member = |field: &Field| {
        let member = &field.member;
        of_field(field, &quote!(&self.#member))
    };
    fields.iter().flat_map(of_member).collect()
}

fn of_union(union: &Union) -> Option<TokenStream> {
    let arms: Vec<TokenStream> = union
        .variants
        .iter()
        .filter_map(|variant| {
            let ident = &variant.ident;
            if let Payload::As(wire) = &variant.payload {
                let condition = of_wire(wire, false);
                return Some(quote!(Self::#ident { .. } => #condition,));
            }
            let fields = variant.payload.fields();
            let bindings: Vec<Ident> =
                (0..fields.len()).map(|index| format_ident!("field_{index}", span = Span::mixed_site())).collect();
            let conditions: Vec<TokenStream> = fields
                .iter()
                .zip(&bindings)
                .flat_map(|(field, binding)| of_field(field, &binding.to_token_stream()))
                .collect();
            if conditions.is_empty() {
                return None;
            }
            let members = fields.iter().map(|field| &field.member);
            let conditions = conjunction(&conditions);
            Some(quote!(Self::#ident { #(#members: #bindings,)* .. } => #conditions,))
        })
        .collect();
    // The last arm is for variants without conditions, and for variants that serde skips.
    (!arms.is_empty()).then(|| quote!((match self { #(#arms)* _ => true })))
}

/// Emits checks of the inner types, which the compiler evaluates once the shapes of these types are known.
fn verifications(input: &Input, fields: &[&Field]) -> TokenStream {
    let ident = &input.ident;
    let shape = quote!(<#ident as __tool::ToolInput>::SHAPE);
    let mut tokens: TokenStream = fields.iter().flat_map(|field| of_literals(field)).collect();
    tokens.extend(keeps_null(fields));
    tokens.extend(measured(&input.doc));
    match &input.body {
        Body::Payload(payload) => tokens.extend(flattened(payload.fields(), &shape)),
        Body::Union(union) => {
            // With these representations, serde buffers the payload of a variant, because it does not know the variant before it reads the
            // payload.
            let is_buffered = matches!(union.tagging, Tagging::Internal { .. } | Tagging::Untagged)
                || union.variants.iter().any(|variant| variant.untagged);
            for (index, variant) in union.variants.iter().enumerate() {
                tokens.extend(measured(&variant.doc));
                if is_buffered {
                    let whole = variant.payload.fields().iter().filter(|field| !field.flatten);
                    tokens.extend(whole.filter_map(buffered));
                }
                if let (Tagging::Internal { .. }, false, Payload::Newtype(field)) =
                    (&union.tagging, variant.untagged, &variant.payload)
                    && matches!(field.description, Description::Own)
                {
                    let span = at(&field.ty);
                    tokens.extend(quote_spanned!(span=> const _: () = __tool::beside_tag(#shape, #index);));
                }
                let payload = quote!(__tool::variant(#shape, #index));
                tokens.extend(flattened(variant.payload.fields(), &payload));
                let is_untagged = variant.untagged || matches!(union.tagging, Tagging::Untagged);
                if is_untagged && index + 1 < union.variants.len() && !matches!(variant.payload, Payload::Unit) {
                    let span = at(&variant.ident);
                    tokens.extend(quote_spanned!(span=> const _: () = __tool::told_apart(#shape, #index);));
                }
            }
        }
        Body::Transparent(_) | Body::From(_) => {}
    }
    tokens
}

/// Returns every field that appears in the JSON.
fn fields(body: &Body) -> Vec<&Field> {
    match body {
        Body::Payload(payload) => payload.fields().iter().collect(),
        Body::Transparent(field) => vec![field],
        Body::From(_) => Vec::new(),
        Body::Union(union) => union.variants.iter().flat_map(|variant| variant.payload.fields()).collect(),
    }
}
