//! Numbers and values with their spans, and the time limit and the retries of a tool: `timeout_ms = 5_000`, `retry(attempts = 3)`.

use proc_macro2::Span;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Lit, LitInt, Token};

use super::entry::{Entry, once};
use crate::errors::Errors;
use crate::model::{Number, Retry};

/// A value with its span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// One bound of a length or range: its value, and the spans of its key and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<T> {
    pub(crate) key: Span,
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl<T> End<T> {
    /// Parses the value after a key such as `min`.
    pub(super) fn read(entry: &Entry<'_, '_>) -> syn::Result<Self>
    where
        Spanned<T>: Parse,
    {
        let Spanned { value, span } = entry.value()?;
        Ok(Self { key: entry.key.span(), value, span })
    }
}

impl Parse for Spanned<Number> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let negative = input.parse::<Option<Token![-]>>()?.is_some();
        let literal: Lit =
            input.parse().map_err(|error| syn::Error::new(error.span(), "write a number: `14`, `-1`, `0.5`"))?;
        number(&literal, negative)
    }
}

impl Parse for Spanned<u64> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let written = input.fork();
        let Spanned { value, span } = input.parse::<Spanned<Number>>()?;
        let length = match value {
            Number::Integer(integer) => u64::try_from(integer).ok(),
            Number::Large(_) | Number::Float(_) => None,
        };
        if let Some(value) = length {
            return Ok(Self { value, span });
        }
        let (sign, digits): (Option<Token![-]>, Lit) = (written.parse()?, written.parse()?);
        let message =
            "a length is a number of characters, items or members: write an integer of at least 0, such as `1`";
        Err(syn::Error::new_spanned(quote!(#sign #digits), message))
    }
}

/// Converts a Rust literal to a JSON number.
pub(super) fn number(literal: &Lit, negative: bool) -> syn::Result<Spanned<Number>> {
    let span = literal.span();
    let fail = |message: &str| Err(syn::Error::new(span, message));
    let (digits, suffix) = match literal {
        Lit::Int(integer) => (integer.base10_digits(), integer.suffix()),
        Lit::Float(float) => (float.base10_digits(), float.suffix()),
        _ => return fail("write a number: `14`, `-1`, `0.5`"),
    };
    if !suffix.is_empty() {
        return fail(&format!("a JSON number has no type: write `{digits}` instead of `{digits}{suffix}`"));
    }
    let sign = if negative { "-" } else { "" };
    let text = format!("{sign}{digits}");
    let value = match literal {
        Lit::Int(_) => match (text.parse(), digits.parse()) {
            (Ok(integer), _) => Number::Integer(integer),
            (_, Ok(large)) if !negative => Number::Large(large),
            _ => return fail("an integer has at most 128 bits: write a float, such as `4e38`"),
        },
        _ => match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Number::Float(float),
            _ => return fail("JSON has no infinite numbers"),
        },
    };
    Ok(Spanned { value, span })
}

/// Parses a number of milliseconds above 0.
pub(super) fn milliseconds(entry: &Entry<'_, '_>) -> syn::Result<u64> {
    above_zero(entry, "write a number of milliseconds above 0, such as `5_000`")
}

/// Parses the list after `retry`. Returns `None` if a mistake inside the list was noted.
pub(super) fn retry(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<(Span, Retry)>> {
    let (mut attempts, mut first_ms, mut factor, mut cap_ms) = (None, None, None, None);
    let often = "write the maximum number of attempts, including the first, such as `3`";
    let longer = "write how many times longer each pause is than the one before, such as `2`";
    let is_read = entry.members(
        errors,
        &mut [
            ("attempts", &mut |entry| once(&mut attempts, entry.key, above_zero(entry, often)?)),
            ("first_ms", &mut |entry| once(&mut first_ms, entry.key, milliseconds(entry)?)),
            ("factor", &mut |entry| once(&mut factor, entry.key, above_zero(entry, longer)?)),
            ("cap_ms", &mut |entry| once(&mut cap_ms, entry.key, milliseconds(entry)?)),
        ],
    )?;
    if !is_read {
        return Ok(None);
    }
    let span = entry.key.span();
    let Some(attempts) = attempts else {
        let message = "`retry` needs the maximum number of attempts: write `retry(attempts = 3)`";
        return Err(syn::Error::new(span, message));
    };
    Ok(Some((span, Retry { attempts, first_ms, factor, cap_ms })))
}

fn above_zero<N: std::str::FromStr<Err: std::fmt::Display> + Default + PartialEq>(
    entry: &Entry<'_, '_>,
    message: &str,
) -> syn::Result<N> {
    let literal: Lit = entry.value().map_err(|error| syn::Error::new(error.span(), message))?;
    let number = |integer: &LitInt| integer.base10_parse().ok().filter(|number: &N| *number != N::default());
    match &literal {
        Lit::Int(integer) if integer.suffix().is_empty() => number(integer),
        _ => None,
    }
    .ok_or_else(|| syn::Error::new(literal.span(), message))
}
