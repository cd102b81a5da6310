//! Parses the attributes of one item with the table of keys, and rejects keys that have no meaning on that item.

use proc_macro2::Ident;
use syn::{Attribute, Path};

use super::attributes::Attributes;
use super::doc::{deprecated_in_rust, effective};
use super::entry::{Entry, entries};
use super::foreign_keys;
use super::item_kind::Place::{self, Container, Field, Inner, Variant};
use super::key::KEYS;
use super::keyword::unknown;
use super::rule::{DEEPEST, RawRuleKind};
use crate::errors::{Errors, either};
use crate::model::Doc;

/// Keys that belong to serde on a type that derives `ToolInput`, each with the attribute to write instead of `#[tool(…)]`.
const OF_SERDE: &[(&str, &str)] = &[
    ("rename", "#[serde(rename = \"…\")]"),
    ("rename_all", "#[serde(rename_all = \"…\")]"),
    ("alias", "#[serde(alias = \"…\")]"),
    ("default_fn", "#[serde(default = \"path\")]"),
    ("skip", "#[serde(skip)]"),
    ("flatten", "#[serde(flatten)]"),
    ("deny_unknown_fields", "#[serde(deny_unknown_fields)]"),
    ("transparent", "#[serde(transparent)]"),
    ("tag", "#[serde(tag = \"…\")]"),
    ("untagged", "#[serde(untagged)]"),
];

/// Parses the settings and the documentation of one item.
pub(crate) fn attributes(
    settings: &[Attribute],
    documented: &[Attribute],
    place: Place,
    errors: &mut Errors,
) -> Attributes {
    let mut found = Attributes { depth: DEEPEST, ..Attributes::default() };
    let mut clean = entries(settings, errors, |entry, errors| {
        found.first.get_or_insert(entry.key.span());
        read(entry, place, &mut found, errors)
    });
    if place == Place::Parameter {
        for error in settings.iter().filter_map(foreign_keys::attribute_of_another_crate) {
            clean = false;
            errors.push(error);
        }
    }
    found.deprecated_in_rust = deprecated_in_rust(documented);
    found.doc = effective(found.description.take(), documented, errors);
    if !clean && matches!(found.doc, Doc::None) && settings.iter().any(foreign_keys::describes) {
        // No second error says that the description is missing.
        found.doc = Doc::Text(String::new());
    }
    found
}

/// Returns the path of the runtime, before everything else is parsed. Mistakes are ignored here, because [`attributes`] reports them.
pub(crate) fn runtime(settings: &[Attribute], place: Place) -> Option<Path> {
    let mut errors = Errors::default();
    let found = attributes(settings, &[], place, &mut errors);
    let _ = errors.finish();
    found.runtime.map(|(_, path)| path)
}

/// Parses one entry with the table.
fn read(entry: &Entry<'_, '_>, place: Place, found: &mut Attributes, errors: &mut Errors) -> syn::Result<()> {
    match KEYS.iter().find(|key| entry.key == key.name && key.places.contains(&place)) {
        Some(key) => (key.read)(found, entry, errors),
        None => Err(foreign_keys::instead(entry, place).unwrap_or_else(|| reject_unknown(entry.key, place))),
    }
}

/// Returns the error for a key that has no meaning on this item.
fn reject_unknown(key: &Ident, place: Place) -> syn::Error {
    let name = key.to_string();
    let of_serde = OF_SERDE.iter().find(|(key, _)| *key == name);
    let elsewhere: Vec<String> =
        KEYS.iter().filter(|key| key.name == name).flat_map(|key| key.places).map(Place::to_string).collect();
    let message = if let (Container | Variant | Field, Some((_, instead))) = (place, of_serde) {
        format!("serde decodes this type: write `{instead}` instead of `{name}`")
    } else if elsewhere.is_empty() {
        let here = KEYS.iter().filter(|key| key.places.contains(&place));
        unknown(&name, &here.map(|key| key.name).collect::<Vec<_>>())
    } else {
        format!("`{name}` has no meaning on {place}: it belongs on {}", either(&elsewhere))
    };
    syn::Error::new(key.span(), message)
}

/// Parses the rules for items.
pub(super) fn inner(entry: &Entry<'_, '_>, depth: usize, errors: &mut Errors) -> syn::Result<Option<RawRuleKind>> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(syn::Error::new(entry.key.span(), format!("`inner` is nested at most {DEEPEST} times")));
    };
    let mut found = Attributes { depth, ..Attributes::default() };
    let clean = entry.list(errors, |entry, errors| read(entry, Inner, &mut found, errors))?;
    Ok(clean.then_some(RawRuleKind::Inner(found.rules)))
}
