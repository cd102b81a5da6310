//! Checked model → tokens. Cannot fail, and names nothing but `__tool`, the runtime's `__private` under a local name.
//!
//! What is emitted is data and calls, not logic. Tokens about a type carry the type's place with the hygiene of the macro, so that
//! rustc's errors point at what the user wrote and no lint takes the tokens for the user's.

mod container;
mod decode;
mod field;
mod guard;
mod input;
mod lints;
mod literal;
mod parameter;
mod parameters;
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

/// The module of the runtime for generated code. Its name has the version, so that a macro and a runtime of different versions do not compile.
const PRIVATE: &str = concat!(
    "__private_",
    env!("CARGO_PKG_VERSION_MAJOR"),
    "_",
    env!("CARGO_PKG_VERSION_MINOR"),
    "_",
    env!("CARGO_PKG_VERSION_PATCH")
);

/// The path of that module.
pub(crate) fn private(runtime: &Path) -> TokenStream {
    let module = Ident::new(PRIVATE, Span::call_site());
    quote!(#runtime::#module)
}

/// The place of what the user wrote, with the hygiene of the macro.
pub(crate) fn at(tokens: &(impl ToTokens + ?Sized)) -> Span {
    Span::call_site().located_at(tokens.to_token_stream().span())
}
