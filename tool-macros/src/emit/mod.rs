//! Turns the checked model into tokens. This cannot fail, and the tokens name nothing but `__tool`, the local name of the runtime's private
//! module.
//!
//! The output is data and calls, not logic. Tokens about a type have the location of the type and the hygiene of the macro, so that rustc's
//! errors point at the user's code and lints do not treat the tokens as written by the user.

mod container;
mod decode;
mod field;
mod guard;
mod input;
mod lints;
mod literal;
mod parameter;
mod parameters;
mod presentation;
mod rule;
mod satisfiable;
mod scope;
mod settings;
mod shape;
mod stand_in;
mod throttle;
mod tool;

pub(crate) use container::container;
pub(crate) use input::{fallback, input};
pub(crate) use lints::allow;
pub(crate) use stand_in::{container_stand_in, tool_stand_in, used};
pub(crate) use tool::tool;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;
use syn::spanned::Spanned as _;

/// The module of the runtime for generated code. Its name contains the version, so that a macro and a runtime of different versions do not
/// compile together.
const PRIVATE: &str = concat!(
    "__private_",
    env!("CARGO_PKG_VERSION_MAJOR"),
    "_",
    env!("CARGO_PKG_VERSION_MINOR"),
    "_",
    env!("CARGO_PKG_VERSION_PATCH")
);

/// Returns the path of the runtime's module [`PRIVATE`].
pub(crate) fn private(runtime: &Path) -> TokenStream {
    let module = Ident::new(PRIVATE, Span::call_site());
    quote!(#runtime::#module)
}

/// Returns the location of the user's tokens, with the hygiene of the macro.
pub(crate) fn at(tokens: &(impl ToTokens + ?Sized)) -> Span {
    Span::call_site().located_at(tokens.to_token_stream().span())
}
