//! How long a tool may take, and how often it is called again: `timeout_ms = 5_000`, `retry(attempts = 3)`.
//!
//! In come the tokens behind the key; out go the numbers, with the span of the key where a later check may refuse it.

use proc_macro2::Span;
use syn::{Lit, LitInt};

use super::entry::{Entry, once};
use super::key::unknown;
use crate::errors::Errors;
use crate::model::Retry;

/// A number of milliseconds above 0.
pub(super) fn milliseconds(entry: &Entry<'_, '_>) -> syn::Result<u64> {
    above_zero(entry, "write a number of milliseconds above 0, such as `5_000`")
}

/// The list behind `retry`; nothing where a part of it was refused.
pub(super) fn retry(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Option<(Span, Retry)>> {
    let (mut attempts, mut first_ms, mut factor, mut cap_ms) = (None, None, None, None);
    let is_read = entry.list(errors, |entry, _| {
        let key = entry.key;
        match key.to_string().as_str() {
            "attempts" => {
                let message = "write how often the tool is called at most, the first time included, such as `3`";
                once(&mut attempts, key, above_zero(entry, message)?)
            }
            "first_ms" => once(&mut first_ms, key, milliseconds(entry)?),
            "factor" => {
                let message = "write how many times longer each pause is than the one before, such as `2`";
                once(&mut factor, key, above_zero(entry, message)?)
            }
            "cap_ms" => once(&mut cap_ms, key, milliseconds(entry)?),
            other => Err(syn::Error::new(key.span(), unknown(other, &["attempts", "first_ms", "factor", "cap_ms"]))),
        }
    })?;
    if !is_read {
        return Ok(None);
    }
    let span = entry.key.span();
    let Some(attempts) = attempts else {
        let message = "`retry` says how often the tool is called at most: write `retry(attempts = 3)`";
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
