//! The entries of `#[tool(…)]` lists, one after the other, whatever is wrong with one of them.
//!
//! In come attributes, or the tokens between two parentheses; out goes each key with the stream behind it. What always holds: a
//! mistake in one entry is noted and the next entry is read all the same.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, LitBool, LitStr, Meta, Token};

use super::word::unknown;
use crate::errors::Errors;

/// The name of a member of a list, and the function that reads it.
pub(crate) type Member<'m> = (&'m str, &'m mut dyn FnMut(&Entry<'_, '_>) -> syn::Result<()>);

/// One entry: `key`, `key = value` or `key(…)`.
pub(crate) struct Entry<'a, 'b> {
    pub(crate) key: &'a Ident,
    /// What stands behind the key.
    pub(crate) input: ParseStream<'b>,
}

impl<'b> Entry<'_, 'b> {
    /// The value behind `=`.
    pub(crate) fn value<T: Parse>(&self) -> syn::Result<T> {
        self.value_with(T::parse)
    }

    /// The value behind `=`, read by a function.
    pub(crate) fn value_with<T>(&self, parse: impl FnOnce(ParseStream<'b>) -> syn::Result<T>) -> syn::Result<T> {
        if !self.input.peek(Token![=]) {
            return Err(syn::Error::new(self.key.span(), format!("`{0}` takes a value: write `{0} = …`", self.key)));
        }
        self.input.parse::<Token![=]>()?;
        parse(self.input)
    }

    /// The entries between the parentheses behind the key; whether all of them were read.
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

    /// Reads the members of the list behind the key, each by its own function; returns whether all of them were read.
    pub(crate) fn members(&self, errors: &mut Errors, members: &mut [Member<'_>]) -> syn::Result<bool> {
        self.list(errors, |entry, _| {
            if let Some((_, read)) = members.iter_mut().find(|(name, _)| entry.key == name) {
                return read(entry);
            }
            let known: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
            Err(syn::Error::new(entry.key.span(), unknown(&entry.key.to_string(), &known)))
        })
    }

    /// Notes a key that stands alone.
    pub(crate) fn mark(&self, slot: &mut Option<Span>) -> syn::Result<()> {
        once(slot, self.key, self.flag()?)
    }

    /// The texts between the parentheses behind the key, at least one; `message` says what they are and how to write them.
    pub(crate) fn texts(&self, message: &str) -> syn::Result<Vec<LitStr>> {
        if !self.input.peek(syn::token::Paren) {
            return Err(syn::Error::new(self.key.span(), message));
        }
        let content;
        syn::parenthesized!(content in self.input);
        let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&content).map_err(|error| {
            // What is left over would be a second error about the same tokens.
            let _ = content.parse::<proc_macro2::TokenStream>();
            syn::Error::new(error.span(), message)
        })?;
        if texts.is_empty() {
            return Err(syn::Error::new(self.key.span(), message));
        }
        Ok(texts.into_iter().collect())
    }

    /// Notes the value behind `=` with the span of its key.
    pub(crate) fn spanned<T>(
        &self,
        slot: &mut Option<(Span, T)>,
        parse: impl FnOnce(ParseStream<'b>) -> syn::Result<T>,
    ) -> syn::Result<()> {
        once(slot, self.key, (self.key.span(), self.value_with(parse)?))
    }

    /// Reads `key`, `key = true` or `key = false`.
    pub(crate) fn flag_or_value(&self) -> syn::Result<bool> {
        if !self.input.peek(Token![=]) {
            return self.flag().map(|_| true);
        }
        let value: LitBool = self.value().map_err(|error| {
            syn::Error::new(error.span(), format!("write `{0}`, or `{0} = false`", self.key.unraw()))
        })?;
        Ok(value.value)
    }

    /// The span of a key that stands alone.
    pub(crate) fn flag(&self) -> syn::Result<Span> {
        if self.input.is_empty() || self.input.peek(Token![,]) {
            Ok(self.key.span())
        } else {
            Err(syn::Error::new(self.key.span(), format!("`{0}` takes no value: write `{0}` alone", self.key)))
        }
    }
}

/// Reads every entry of every `#[tool(…)]` among the attributes.
pub(crate) fn entries(
    attributes: &[Attribute],
    errors: &mut Errors,
    mut read: impl FnMut(&Entry<'_, '_>, &mut Errors) -> syn::Result<()>,
) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("tool")) {
        let Meta::List(list) = &attribute.meta else {
            errors.on(attribute, "`tool` takes a list here: write `#[tool(…)]`");
            continue;
        };
        let parsed = list.parse_args_with(|input: ParseStream<'_>| {
            each(input, errors, &mut read);
            Ok(())
        });
        errors.ok(parsed);
    }
}

/// Notes a setting; a second one under the same key is an error.
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
        let result = Ident::parse_any(input).and_then(|key| read(&Entry { key: &key, input }, errors));
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

/// Leaves the stream behind the next comma at this level, or at its end.
fn skip_to_comma(input: ParseStream<'_>) {
    let _ = input.step(|cursor| {
        let mut rest = *cursor;
        while let Some((tree, next)) = rest.token_tree() {
            rest = next;
            if matches!(&tree, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ',') {
                break;
            }
        }
        Ok(((), rest))
    });
}
