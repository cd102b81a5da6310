//! The settings of an attribute macro, and which of the attributes below it are ours too.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Meta, Path, parse_quote};

/// The tokens between the parentheses of an attribute macro, as the attribute that `entries` reads.
pub(crate) fn settings(tokens: &TokenStream) -> Attribute {
    parse_quote!(#[tool(#tokens)])
}

/// The attributes that were taken from a function: the settings of each `#[tool]`, and the path that the first one was called by.
pub(crate) struct Taken {
    pub(crate) settings: Vec<Attribute>,
    pub(crate) path: Path,
}

/// Returns whether a path names our attribute: `tool`, the `tool` of one of our crates, or that of the runtime's own path. Another crate's
/// `path::tool` is left where it is.
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

/// Takes each `#[tool]` of ours from the attributes; nothing at all where there is none.
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
