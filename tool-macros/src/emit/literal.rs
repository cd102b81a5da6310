//! Emits numbers, literals and texts as `const` data.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Path;

use super::at;
use crate::model::{Doc, Length, Literal, Number, Policy, Value};

pub(super) fn number(number: Number) -> TokenStream {
    match number {
        Number::Integer(integer) => {
            let integer = proc_macro2::Literal::i128_unsuffixed(integer);
            quote!(__tool::Number::Integer(#integer))
        }
        Number::Large(integer) => {
            let integer = proc_macro2::Literal::u128_unsuffixed(integer);
            quote!(__tool::Number::Large(#integer))
        }
        Number::Float(float) => {
            let float = proc_macro2::Literal::f64_unsuffixed(float);
            quote!(__tool::Number::Float(#float))
        }
    }
}

/// Emits the minimum and maximum length, as two arguments of a function.
pub(super) fn ends(length: Length) -> TokenStream {
    let number = proc_macro2::Literal::u64_unsuffixed;
    let (min, max) = (number(length.min), option(length.max.map(number).map(|max| quote!(#max))));
    quote!(#min, #max)
}

/// Emits the literal as a `__tool::Literal` with the span of the user's literal.
pub(super) fn literal(literal: &Literal) -> TokenStream {
    let span = Span::call_site().located_at(literal.span);
    match &literal.value {
        Value::Null => quote_spanned!(span=> __tool::Literal::Null),
        Value::Boolean(boolean) => quote_spanned!(span=> __tool::Literal::Bool(#boolean)),
        Value::Number(number) => {
            let number = self::number(*number);
            quote_spanned!(span=> __tool::Literal::Number(#number))
        }
        Value::String(string) => quote_spanned!(span=> __tool::Literal::String(#string)),
        Value::Array(items) => {
            let items = items.iter().map(self::literal);
            quote_spanned!(span=> __tool::Literal::Array(&[#(#items),*]))
        }
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| {
                let value = self::literal(value);
                quote_spanned!(span=> (#key, #value))
            });
            quote_spanned!(span=> __tool::Literal::Object(&[#(#members),*]))
        }
    }
}

/// Emits the repair policy as an `Option`.
pub(super) fn policy(policy: Policy) -> TokenStream {
    let name = match policy {
        Policy::Strict => quote!(Strict),
        Policy::Lossless => quote!(Lossless),
        Policy::Words => quote!(Words),
        Policy::Assisted => quote!(Assisted),
    };
    option(Some(quote!(__tool::Policy::#name)))
}

/// Emits the text for the model, or nothing if there is none.
pub(super) fn doc(doc: &Doc) -> Option<TokenStream> {
    match doc {
        Doc::None => None,
        Doc::Text(text) => Some(quote!(#text)),
        Doc::Expression(expression) => Some(quote_spanned!(at(expression)=> __tool::trimmed(#expression))),
    }
}

/// Emits a `const` that checks the length of a text that only the compiler knows. Without this `const`, the text would be checked only when
/// the item is used. A text that may name type parameters is checked only then.
pub(super) fn measured(text: &Doc) -> Option<TokenStream> {
    match text {
        Doc::Expression(expression) => {
            Some(quote_spanned!(at(expression)=> const _: &'static str = __tool::description(#expression);))
        }
        Doc::None | Doc::Text(_) => None,
    }
}

/// Emits `__tool::Asks` for a function that takes a state: the type of the state, and a call of the function. Errors about the function
/// point to its path.
pub(super) fn asks(path: &Path, ask: &str) -> TokenStream {
    let (span, ask) = (at(path), format_ident!("{ask}", span = at(path)));
    quote_spanned!(span=> (__tool::state_of(#path), |view| __tool::#ask(view, #path)))
}

/// Emits an `Option`.
pub(super) fn option(value: Option<TokenStream>) -> TokenStream {
    if let Some(value) = value { quote!(__tool::Some(#value)) } else { quote!(__tool::None) }
}
