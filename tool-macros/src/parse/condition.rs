//! `#[cfg(…)]` and `#[cfg_attr(…)]` where the compiler has not resolved them yet: on parameters, and on the methods of a block.
//!
//! A `cfg` is repeated on what is generated. What a `cfg_attr` would say to a model is not known at expansion, so it is refused.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token};

use crate::errors::Errors;

/// Whether the attribute is a `#[cfg(…)]`.
pub(super) fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

/// Returns whether the attribute is a `#[cfg_attr(…)]` that may hold an attribute whose path is one of these.
pub(super) fn may_hold(attribute: &Attribute, is_one: impl Fn(&Path) -> bool) -> bool {
    let is_held = |meta: &Meta| is_one(meta.path());
    let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
    attribute.path().is_ident("cfg_attr")
        && attribute.parse_args_with(parse).is_ok_and(|metas| metas.iter().skip(1).any(is_held))
}

/// Notes an error on each `#[cfg_attr(…)]` that says something to a model.
pub(super) fn refuse_conditional(attributes: &[Attribute], errors: &mut Errors) {
    let names = ["tool", "doc", "deprecated", "cfg"];
    let is_read = |path: &Path| names.iter().any(|name| path.is_ident(name));
    for attribute in attributes.iter().filter(|attribute| may_hold(attribute, is_read)) {
        errors.on(
            attribute,
            "`#[tool]` runs before `cfg_attr` is expanded: write the attributes without `cfg_attr`, or write two functions, each with a `#[cfg(…)]`",
        );
    }
}
