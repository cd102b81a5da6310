//! Checks that the names in the JSON are unique.

use std::collections::HashMap;

use proc_macro2::Span;

use crate::errors::Errors;

/// Notes an error on each name that another field or variant already has. `what` is the kind of the named items: `field` or `variant`.
///
/// Only names of different items are compared, because serde reports a name that one item has twice.
pub(crate) fn distinct<'n>(what: &str, names: impl IntoIterator<Item = (usize, &'n str, Span)>, errors: &mut Errors) {
    let mut owners = HashMap::new();
    for (owner, name, span) in names {
        if *owners.entry(name).or_insert(owner) != owner {
            errors.at(span, format!("{name:?} is already a name of another {what}: write another name here, in `rename` or `alias` of `#[serde(…)]`"));
        }
    }
}

/// Returns the aliases of a field or variant from serde's list of names, which also contains its own name.
pub(crate) fn other_names<'n>(names: impl Iterator<Item = &'n String>, own: &str) -> Vec<String> {
    names.filter(|name| *name != own).cloned().collect()
}
