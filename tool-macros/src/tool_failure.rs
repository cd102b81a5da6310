//! Expands `#[derive(ToolFailure)]`: parse → check → emit.
//!
//! On mistakes, it returns all errors and a stand-in for the impl.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::parse::RawFailure;
use crate::{check, emit};

/// Expands the derive.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).map_or_else(syn::Error::into_compile_error, |item| derive(&item))
}

fn derive(item: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let mut raw = RawFailure::parse(item, &mut errors);
    let runtime = raw.0.runtime.take().map_or_else(check::default_runtime, |(_, path)| path);
    let cases = check::failure(item, raw, &mut errors);
    match errors.finish() {
        Ok(()) => emit::failure(item, &cases, &runtime),
        Err(error) => {
            let (error, stand_in) = (error.into_compile_error(), emit::failure_stand_in(item, &runtime));
            quote!(#error #stand_in)
        }
    }
}
