//! Tagged unions: the tag selects the variant and may be misspelled. Only the payload of that variant is repaired.

use super::Coercer;
use super::location::CoercionPlace;
use super::planned_changes::Edit;
use super::scalar::{named, respelt};
use super::traversal::CoercionEntry;
use crate::json::Json;
use crate::shape::{Tagging, Union, Variant};
use std::rc::Rc;

impl<'a> Coercer<'_, 'a> {
    pub(super) fn coerce_tagged(
        &mut self,
        place: CoercionPlace,
        union: &Union,
        entries: &[CoercionEntry<'_, 'a>],
    ) -> Vec<(usize, Edit<'a>)> {
        match &union.tagging {
            Tagging::External => self.external(place, union, entries).into_iter().collect(),
            Tagging::Internal { tag } => self.internal(place, union, tag, entries),
            Tagging::Adjacent { tag, content } => self.adjacent(place, union, (tag, content), entries),
            Tagging::Untagged => Vec::new(),
        }
    }

    /// Repairs an object whose only key is the name of a variant.
    fn external(
        &mut self,
        place: CoercionPlace,
        union: &Union,
        entries: &[CoercionEntry<'_, 'a>],
    ) -> Option<(usize, Edit<'a>)> {
        let [(index, member)] = entries else { return None };
        let exact = union.find(&member.key);
        let takes_any = union.variants.iter().any(|variant| variant.other);
        let variant = match exact {
            Some(variant) => variant,
            None if place.is_strict() || takes_any => return None,
            None => respelt(union, &member.key)?,
        };
        let payload = variant.payload.as_ref()?;
        let then = self.value(place.member(), &payload.shape(), &member.value);
        let edit = match exact {
            Some(_) => Edit::Value(then?),
            None => Edit::Rename { to: variant.name.clone(), then, is_secret: self.is_secret_key(place) },
        };
        Some((*index, edit))
    }

    fn internal(
        &mut self,
        place: CoercionPlace,
        union: &Union,
        tag: &str,
        entries: &[CoercionEntry<'_, 'a>],
    ) -> Vec<(usize, Edit<'a>)> {
        let Some((variant, edit)) = tag_of(place, union, tag, entries) else { return Vec::new() };
        let mut edits: Vec<_> = edit.into_iter().collect();
        if let (Some(payload), Some(inner)) = (&variant.payload, place.hop()) {
            let rest: Vec<_> = entries.iter().filter(|(_, member)| member.key != tag).copied().collect();
            edits.extend(self.view(inner, &payload.shape(), &rest));
        }
        edits
    }

    fn adjacent(
        &mut self,
        place: CoercionPlace,
        union: &Union,
        (tag, content): (&str, &str),
        entries: &[CoercionEntry<'_, 'a>],
    ) -> Vec<(usize, Edit<'a>)> {
        let Some((variant, edit)) = tag_of(place, union, tag, entries) else { return Vec::new() };
        let mut edits: Vec<_> = edit.into_iter().collect();
        if let (Some(payload), Some((index, member))) = (&variant.payload, only(entries, content)) {
            let found = self.value(place.member(), &payload.shape(), &member.value);
            edits.extend(found.map(|found| (index, Edit::Value(found))));
        }
        edits
    }
}

/// Returns the variant that a tag names, and the edit that corrects the tag, if it needs one.
fn tag_of<'u, 'a>(
    place: CoercionPlace,
    union: &'u Union,
    tag: &str,
    entries: &[CoercionEntry<'_, 'a>],
) -> Option<(&'u Variant, Option<(usize, Edit<'a>)>)> {
    let (index, member) = only(entries, tag)?;
    let exact = member.value.as_str().and_then(|name| union.find(name));
    if let Some(variant) = exact {
        return Some((variant, None));
    }
    match named(place.member(), union, &member.value, |_| true) {
        Some((mending, variant)) => Some((variant, Some((index, Edit::Value(Rc::new(mending)))))),
        None => member.value.as_str().and_then(|_| union.variants.iter().find(|v| v.other)).map(|v| (v, None)),
    }
}

/// Returns the member with a key; `None` if the key is missing or repeated.
fn only<'e, 'a>(entries: &[CoercionEntry<'e, 'a>], key: &str) -> Option<CoercionEntry<'e, 'a>> {
    let mut found = entries.iter().filter(|(_, member)| member.key == key);
    match (found.next(), found.next()) {
        (Some(only), None) => Some(*only),
        _ => None,
    }
}

/// Returns `true` if the form of a value shows which tagged variant is meant.
pub(super) fn is_told(union: &Union, json: &Json<'_>) -> bool {
    let is_name = |name: &str| union.find(name).is_some();
    match &union.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => json.get(tag).is_some(),
        Tagging::External => {
            json.as_str().is_some_and(is_name) || json.members().iter().any(|member| is_name(&member.key))
        }
        Tagging::Untagged => false,
    }
}
