//! Handles `#[cfg(…)]` and `#[cfg_attr(…)]` on parameters and on the methods of a block. The compiler resolves these attributes only after
//! the macro was expanded.
//!
//! A `cfg` is repeated on the generated items. A `cfg_attr` with attributes for the model is rejected, because the macro cannot know whether
//! its condition is true.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token};

use crate::errors::Errors;

/// Returns `true` if the attribute is a `#[cfg(…)]`.
pub(super) fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

/// Returns `true` if the attribute is a `#[cfg_attr(…)]` that may contain an attribute whose path satisfies `is_one`.
pub(super) fn may_hold(attribute: &Attribute, is_one: impl Fn(&Path) -> bool) -> bool {
    let is_held = |meta: &Meta| is_one(meta.path());
    let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
    attribute.path().is_ident("cfg_attr")
        && attribute.parse_args_with(parse).is_ok_and(|metas| metas.iter().skip(1).any(is_held))
}

/// Notes an error on each `#[cfg_attr(…)]` that contains attributes for the model.
pub(super) fn reject_conditional(attributes: &[Attribute], errors: &mut Errors) {
    let names = ["tool", "doc", "deprecated", "cfg"];
    let is_read = |path: &Path| names.iter().any(|name| path.is_ident(name));
    for attribute in attributes.iter().filter(|attribute| may_hold(attribute, is_read)) {
        errors.on(
            attribute,
            "`#[tool]` runs before `cfg_attr` is expanded: write the attributes without `cfg_attr`, or write two functions, each with a `#[cfg(…)]`",
        );
    }
}
