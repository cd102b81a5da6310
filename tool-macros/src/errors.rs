//! `Errors`: every mistake of one expansion, so that one run of the compiler shows them all.
//!
//! In come spans and messages, out goes one `syn::Error` or nothing. What always holds: a message says what to write instead, and a
//! collector that was never asked is a bug of ours, found by the debug assertion in `drop`.

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
    /// An error under one span.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// An error under all of the tokens.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// An error that somebody else worded.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    /// The value, or the error noted and nothing.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// All errors in the order in which they were found.
    pub(crate) fn finish(mut self) -> syn::Result<()> {
        self.finished = true;
        self.found.take().map_or(Ok(()), Err)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(self.finished || std::thread::panicking(), "errors were collected and never looked at");
    }
}
