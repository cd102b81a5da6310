//! `#[cfg(…)]` and `#[cfg_attr(…)]` where the compiler has not resolved them yet: on parameters, and on the methods of a block.
//!
//! A `cfg` is repeated on what is generated. What a `cfg_attr` would say to a model is not known at expansion, so it is refused.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use crate::errors::Errors;

/// Whether the attribute is a `#[cfg(…)]`.
pub(super) fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

/// Whether the attribute is a `#[cfg_attr(…)]` that may hold one of these attributes.
pub(super) fn may_hold(attribute: &Attribute, names: &[&str]) -> bool {
    let is_held =
        |meta: &Meta| meta.path().segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name));
    let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
    attribute.path().is_ident("cfg_attr")
        && attribute.parse_args_with(parse).is_ok_and(|metas| metas.iter().skip(1).any(is_held))
}

/// Notes an error on each `#[cfg_attr(…)]` that says something to a model.
pub(super) fn refuse_conditional(attributes: &[Attribute], errors: &mut Errors) {
    for attribute in attributes.iter().filter(|attribute| may_hold(attribute, &["tool", "doc", "deprecated", "cfg"])) {
        errors.on(
            attribute,
            "what a model reads is decided before `cfg_attr` is: write its attributes as they are, or two functions, each with a `#[cfg(…)]`",
        );
    }
}
