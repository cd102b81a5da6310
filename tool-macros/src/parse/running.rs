//! Parses the time limit and the retries of a tool: `timeout_ms = 5_000`, `retry(attempts = 3)`.

use proc_macro2::Span;
use syn::{Lit, LitInt};

use super::entry::{Entry, once};
use crate::errors::Errors;
use crate::model::Retry;

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
