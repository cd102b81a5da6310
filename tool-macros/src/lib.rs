//! The entry points of the macros of `tool-runtime`, with their documentation.
//!
//! Each macro is a pipeline: parse → check → model → emit. It parses the attributes, checks that they fit each other and serde's
//! attributes, and turns the checked model into `const` data and calls of the runtime's private module. All mistakes are collected and
//! reported together.

mod check;
mod derive;
mod emit;
mod errors;
mod model;
mod parse;
mod plugin_container;
#[cfg(test)]
mod tests;
mod tool;
mod tool_failure;
mod ungroup;

use proc_macro::TokenStream;

#[doc = include_str!("../docs/tool-input.md")]
#[proc_macro_derive(ToolInput, attributes(tool))]
pub fn derive_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), check::default_runtime()).into()
}

/// Describes a type to a model without the tool runtime. `tool-schema` exports this macro as `ToolInput`.
///
/// It takes the same attributes as [`macro@ToolInput`] and generates the same code, except that the code names `::tool_schema` instead of
/// `::tool_runtime`.
#[proc_macro_derive(SchemaToolInput, attributes(tool))]
pub fn derive_schema_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), syn::parse_quote!(::tool_schema)).into()
}

#[doc = include_str!("../docs/tool-failure.md")]
#[proc_macro_derive(ToolFailure, attributes(tool))]
pub fn derive_tool_failure(item: TokenStream) -> TokenStream {
    tool_failure::expand(item.into()).into()
}

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(&arguments.into(), &item.into()).into()
}

#[doc = include_str!("../docs/plugin-container.md")]
#[proc_macro_attribute]
pub fn plugin_container(arguments: TokenStream, item: TokenStream) -> TokenStream {
    plugin_container::expand(&arguments.into(), &item.into()).into()
}
