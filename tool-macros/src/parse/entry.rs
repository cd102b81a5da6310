//! Parses the entries of `#[tool(…)]` lists one by one.
//!
//! Invariant: after a mistake in one entry, parsing continues with the next entry.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, LitBool, LitStr, Meta, Token};

use super::keyword::unknown;
use crate::errors::Errors;

/// The name of a member of a list, with the function that parses it.
pub(crate) type Member<'m> = (&'m str, &'m mut dyn FnMut(&Entry<'_, '_>) -> syn::Result<()>);

/// One entry: `key`, `key = value` or `key(…)`.
pub(crate) struct Entry<'a, 'b> {
    pub(crate) key: &'a Ident,
    /// The tokens after the key.
    pub(crate) input: ParseStream<'b>,
}

impl<'b> Entry<'_, 'b> {
    /// Parses the value after `=`.
    pub(crate) fn value<T: Parse>(&self) -> syn::Result<T> {
        self.value_with(T::parse)
    }

    /// Parses the value after `=` with a function.
    pub(crate) fn value_with<T>(&self, parse: impl FnOnce(ParseStream<'b>) -> syn::Result<T>) -> syn::Result<T> {
        if !self.input.peek(Token![=]) {
            return Err(syn::Error::new(self.key.span(), format!("`{0}` takes a value: write `{0} = …`", self.key)));
        }
        self.input.parse::<Token![=]>()?;
        parse(self.input)
    }

    /// Parses the entries between the parentheses after the key. Returns `true` if there was no mistake.
    pub(crate) fn list(
        &self,
        errors: &mut Errors,
        mut read: impl FnMut(&Entry<'_, '_>, &mut Errors) -> syn::Result<()>,
    ) -> syn::Result<bool> {
        if !self.input.peek(syn::token::Paren) {
            return Err(syn::Error::new(self.key.span(), format!("`{0}` takes a list: write `{0}(…)`", self.key)));
        }
        let content;
        syn::parenthesized!(content in self.input);
        Ok(each(&content, errors, &mut read))
    }

    /// Parses the members of the list after the key, each with its own function; returns `true` if there was no mistake.
    pub(crate) fn members(&self, errors: &mut Errors, members: &mut [Member<'_>]) -> syn::Result<bool> {
        self.list(errors, |entry, _| {
            if let Some((_, read)) = members.iter_mut().find(|(name, _)| entry.key == name) {
                return read(entry);
            }
            let known: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
            Err(syn::Error::new(entry.key.span(), unknown(&entry.key.to_string(), &known)))
        })
    }

    /// Stores the span of a key that has no value.
    pub(crate) fn mark(&self, slot: &mut Option<Span>) -> syn::Result<()> {
        once(slot, self.key, self.flag()?)
    }

    /// Parses the texts between the parentheses after the key. `message` is the error if there is no text.
    pub(crate) fn texts(&self, message: &str) -> syn::Result<Vec<LitStr>> {
        if !self.input.peek(syn::token::Paren) {
            return Err(syn::Error::new(self.key.span(), message));
        }
        let content;
        syn::parenthesized!(content in self.input);
        let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&content).map_err(|error| {
            // The remaining tokens are consumed, because they would cause a second error.
            let _ = content.parse::<TokenStream>();
            syn::Error::new(error.span(), message)
        })?;
        if texts.is_empty() {
            return Err(syn::Error::new(self.key.span(), message));
        }
        Ok(texts.into_iter().collect())
    }

    /// Stores the value after `=` with the span of its key.
    pub(crate) fn spanned<T>(
        &self,
        slot: &mut Option<(Span, T)>,
        parse: impl FnOnce(ParseStream<'b>) -> syn::Result<T>,
    ) -> syn::Result<()> {
        once(slot, self.key, (self.key.span(), self.value_with(parse)?))
    }

    /// Parses `key`, `key = true` or `key = false`.
    pub(crate) fn flag_or_value(&self) -> syn::Result<bool> {
        if !self.input.peek(Token![=]) {
            return self.flag().map(|_| true);
        }
        let value: LitBool = self.value().map_err(|error| {
            syn::Error::new(error.span(), format!("write `{0}`, or `{0} = false`", self.key.unraw()))
        })?;
        Ok(value.value)
    }

    /// Returns the span of a key that has no value.
    pub(crate) fn flag(&self) -> syn::Result<Span> {
        if self.input.is_empty() || self.input.peek(Token![,]) {
            Ok(self.key.span())
        } else {
            Err(syn::Error::new(self.key.span(), format!("`{0}` takes no value: write `{0}` alone", self.key)))
        }
    }
}

/// Parses every entry of every `#[tool(…)]` among the attributes. Returns `true` if there was no mistake.
pub(crate) fn entries(
    attributes: &[Attribute],
    errors: &mut Errors,
    mut read: impl FnMut(&Entry<'_, '_>, &mut Errors) -> syn::Result<()>,
) -> bool {
    let mut clean = true;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("tool")) {
        let Meta::List(list) = &attribute.meta else {
            errors.on(attribute, "`tool` takes a list here: write `#[tool(…)]`");
            clean = false;
            continue;
        };
        let parsed = list.parse_args_with(|input: ParseStream<'_>| Ok(each(input, errors, &mut read)));
        clean &= errors.ok(parsed).unwrap_or(false);
    }
    clean
}

/// Stores a setting; a second setting with the same key is an error.
pub(crate) fn once<T>(slot: &mut Option<T>, key: &Ident, value: T) -> syn::Result<()> {
    if slot.is_some() {
        return Err(syn::Error::new(key.span(), format!("`{key}` was already given: remove one of the two")));
    }
    *slot = Some(value);
    Ok(())
}

fn each(
    input: ParseStream<'_>,
    errors: &mut Errors,
    read: &mut dyn FnMut(&Entry<'_, '_>, &mut Errors) -> syn::Result<()>,
) -> bool {
    let mut clean = true;
    while !input.is_empty() {
        let before = input.cursor();
        let result = if input.peek(LitStr) {
            input.parse().and_then(|text: LitStr| {
                let message = format!("a text needs a key: write `description = {}`", text.to_token_stream());
                Err(syn::Error::new(text.span(), message))
            })
        } else {
            Ident::parse_any(input).and_then(|key| read(&Entry { key: &key, input }, errors))
        };
        let result = result.and_then(|()| {
            if input.is_empty() || input.peek(Token![,]) { Ok(()) } else { Err(input.error("expected `,`")) }
        });
        clean &= errors.ok(result).is_some();
        skip_to_comma(input);
        if input.cursor() == before {
            break;
        }
    }
    clean
}

/// Advances behind the next comma at this level, or to the end.
fn skip_to_comma(input: ParseStream<'_>) {
    rest_of_entry(input);
    let _ = input.parse::<Option<Token![,]>>();
}

/// Consumes the tokens before the next comma at this level.
pub(super) fn rest_of_entry(input: ParseStream<'_>) -> TokenStream {
    let mut rest = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        rest.extend(input.parse::<TokenTree>());
    }
    rest
}
