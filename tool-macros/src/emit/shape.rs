//! Emits the kinds and shapes of structs, variants and enums.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::at;
use super::field::{field, shape as shape_of_field, wire_type};
use super::literal::doc;
use super::rule::rules;
use crate::model::{Body, Doc, Field, Payload, Tagging, Union, Variant};

/// Emits the `Kind` of a type, and the rules of the field if the type only wraps one field.
pub(super) fn kind(body: &Body) -> (TokenStream, TokenStream) {
    match body {
        Body::Payload(Payload::Newtype(field)) | Body::Transparent(field) => {
            let shape = shape_of_field(field);
            let kind = quote!(__tool::Kind::Alias(__tool::Ref::Static(#shape)));
            (kind, rules(&field.rules, &wire_type(field).to_token_stream()))
        }
        Body::Payload(payload) => (self::payload(payload), TokenStream::new()),
        Body::From(source) => (alias(source), TokenStream::new()),
        Body::Union(union) => (self::union(union), TokenStream::new()),
    }
}

fn alias(ty: &syn::Type) -> TokenStream {
    quote_spanned!(at(ty)=> __tool::Kind::Alias(__tool::Ref::Static(<#ty as __tool::ToolInput>::SHAPE)))
}

fn payload(payload: &Payload) -> TokenStream {
    match payload {
        Payload::Unit => quote!(__tool::Kind::Null),
        Payload::Newtype(field) => {
            let shape = position(field);
            quote!(__tool::Kind::Alias(__tool::Ref::Static(#shape)))
        }
        Payload::As(ty) => alias(ty),
        Payload::Tuple(fields) => {
            let positions = fields.iter().map(position);
            quote!(__tool::Kind::Tuple(__tool::SharedSlice::Static(const { &[#(__tool::Ref::Static(#positions)),*] })))
        }
        Payload::Object { fields, closed } => {
            let fields = fields.iter().map(field);
            let unknown = unknown(*closed);
            quote!(__tool::object(const { &[#(#fields),*] }, #unknown))
        }
    }
}

/// Emits the shape of a value without a key. If the field has rules or documentation of its own, a separate shape is emitted for it.
fn position(field: &Field) -> TokenStream {
    let shape = shape_of_field(field);
    if field.rules.is_empty() && matches!(field.doc, Doc::None) {
        return shape;
    }
    let rules = rules(&field.rules, &wire_type(field).to_token_stream());
    let doc = doc(&field.doc).map(|doc| quote!(doc: #doc,));
    quote!(const {
        &__tool::ShapeInit { #doc rules: const { &[#rules] }, ..__tool::ShapeInit::DEFAULT }
            .shape(__tool::Kind::Alias(__tool::Ref::Static(#shape)))
    })
}

fn union(union: &Union) -> TokenStream {
    let tagging = match &union.tagging {
        Tagging::External => quote!(__tool::Tagging::External),
        Tagging::Internal { tag } => quote!(__tool::Tagging::Internal { tag: __tool::Text::Static(#tag) }),
        Tagging::Adjacent { tag, content } => quote!(__tool::Tagging::Adjacent {
            tag: __tool::Text::Static(#tag),
            content: __tool::Text::Static(#content)
        }),
        Tagging::Untagged => quote!(__tool::Tagging::Untagged),
    };
    let variants = union.variants.iter().map(variant);
    let unknown = unknown(union.closed);
    quote!(__tool::union(#tagging, const { &[#(#variants),*] }, #unknown))
}

fn variant(variant: &Variant) -> TokenStream {
    let name = &variant.name;
    let mut settings = vec![quote!(name: #name)];
    if !variant.aliases.is_empty() {
        let aliases = &variant.aliases;
        settings.push(quote!(aliases: const { &[#(__tool::Text::Static(#aliases)),*] }));
    }
    settings.extend(doc(&variant.doc).map(|doc| quote!(doc: #doc)));
    let payload = match &variant.payload {
        Payload::Unit => None,
        Payload::Newtype(field) => Some(position(field)),
        Payload::As(ty) => Some(quote_spanned!(at(ty)=> <#ty as __tool::ToolInput>::SHAPE)),
        other => {
            let kind = payload(other);
            Some(quote!(const { &__tool::ShapeInit::DEFAULT.shape(#kind) }))
        }
    };
    settings.extend(payload.map(|shape| quote!(payload: __tool::Some(#shape))));
    let flags = [
        ("other", variant.other),
        ("untagged", variant.untagged),
        ("deprecated", variant.deprecated),
        ("hidden", variant.hidden),
    ];
    for (name, _) in flags.into_iter().filter(|(_, set)| *set) {
        let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
        settings.push(quote!(#name: true));
    }
    quote!(__tool::VariantInit { #(#settings,)* ..__tool::VariantInit::DEFAULT }.variant())
}

pub(super) fn unknown(closed: bool) -> TokenStream {
    if closed { quote!(__tool::UnknownKeys::Rejected) } else { quote!(__tool::UnknownKeys::Ignored) }
}
