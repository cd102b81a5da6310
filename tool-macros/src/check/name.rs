//! Names on the wire: each of them means one thing.

use std::collections::HashMap;

use proc_macro2::Span;

use crate::errors::Errors;

/// Notes an error on every name that was there before; `what` says what is named, `field` or `variant`.
///
/// A name that one owner has twice is serde's to report; only names of different owners clash.
pub(crate) fn distinct<'n>(what: &str, names: impl IntoIterator<Item = (usize, &'n str, Span)>, errors: &mut Errors) {
    let mut owners = HashMap::new();
    for (owner, name, span) in names {
        if *owners.entry(name).or_insert(owner) != owner {
            errors.at(span, format!("{name:?} already names another {what}: give this one a name of its own, with `#[serde(rename = \"…\")]`"));
        }
    }
}

/// The aliases of a field or variant: serde lists its own name among them.
pub(crate) fn other_names<'n>(names: impl Iterator<Item = &'n String>, own: &str) -> Vec<String> {
    names.filter(|name| *name != own).cloned().collect()
}
