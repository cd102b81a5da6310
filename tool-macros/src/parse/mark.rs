//! The settings of an attribute macro, and the detection of our own attributes on a function.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Meta, Path, parse_quote};

/// Returns the tokens between the parentheses of an attribute macro, in the form of an attribute that `entries` can parse.
pub(crate) fn settings(tokens: &TokenStream) -> Attribute {
    parse_quote!(#[tool(#tokens)])
}

/// The attributes removed from a function: the settings of each `#[tool]`, and the path of the first one.
pub(crate) struct Taken {
    pub(crate) settings: Vec<Attribute>,
    pub(crate) path: Path,
}

/// Returns `true` if a path names our attribute: `tool` alone, or `tool` in one of our crates or under the path of the runtime. An
/// attribute `path::tool` of another crate is left in place.
pub(super) fn is_ours(path: &Path, runtime: Option<&Path>) -> bool {
    if path.is_ident("tool") {
        return true;
    }
    let names = |path: &Path| path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>();
    let mut found = names(path);
    if found.pop().is_none_or(|last| last != "tool") {
        return false;
    }
    found == ["tool_runtime"] || found == ["tool_macros"] || runtime.is_some_and(|runtime| found == names(runtime))
}

/// Removes each of our `#[tool]` attributes; returns `None` if there are none.
pub(crate) fn take_settings(attributes: &mut Vec<Attribute>, runtime: Option<&Path>) -> Option<Taken> {
    let is_ours = |attribute: &Attribute| is_ours(attribute.path(), runtime);
    let ours: Vec<Attribute> = attributes.extract_if(.., |attribute| is_ours(attribute)).collect();
    let list = |attribute: &Attribute| match &attribute.meta {
        Meta::Path(_) => settings(&quote!()),
        Meta::List(list) => settings(&list.tokens),
        Meta::NameValue(_) => attribute.clone(),
    };
    let path = ours.first()?.path().clone();
    Some(Taken { settings: ours.iter().map(list).collect(), path })
}
