//! Collects every mistake of one expansion, so that one run of the compiler reports them all.
//!
//! Invariant: each message says what to write instead. A debug assertion in `drop` finds collectors that were never finished.

use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;

/// Collects the errors of one expansion; [`finish`](Self::finish) must be called.
#[derive(Default)]
pub(crate) struct Errors {
    found: Option<syn::Error>,
    finished: bool,
}

impl Errors {
    /// Notes an error at one span.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Notes an error that spans all of the tokens.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Notes an error that already has a message.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    /// Returns the value, or notes the error and returns `None`.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Returns all errors in the order in which they were found.
    pub(crate) fn finish(mut self) -> syn::Result<()> {
        self.finished = true;
        self.found.take().map_or(Ok(()), Err)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(self.finished || std::thread::panicking(), "errors were collected and never reported");
    }
}

/// Joins alternatives for a message: `a, b or c`.
pub(crate) fn either(alternatives: &[String]) -> String {
    match alternatives {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => alternatives.concat(),
    }
}
