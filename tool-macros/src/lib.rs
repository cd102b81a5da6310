//! Entry points.

mod check;
mod derive;
mod emit;
mod errors;
mod model;
mod parse;

use proc_macro::TokenStream;

/// Describes a type to a model, beside `#[derive(Deserialize)]`.
#[proc_macro_derive(ToolInput, attributes(tool))]
pub fn derive_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into()).into()
}
