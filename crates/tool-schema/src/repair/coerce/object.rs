//! Repairs objects and maps: the values of members, empty values of optional fields, and misspelled keys.
//!
//! A repeated key is not changed, because its meaning is unclear.

use std::collections::{HashMap, HashSet};

use super::Coercer;
use super::detect_list_text::{is_absent_word, takes_absent_word};
use super::location::CoercionPlace;
use super::planned_changes::Edit;
use super::scalar::respelt;
use super::traversal::CoercionEntry;
use crate::check::Names;
use crate::json::{JsonType, Node};
use crate::shape::{AcceptedTypes, Field, Kind, Object, RepairPolicy, Shape, Text};
use crate::suggest::is_same_field;

impl<'a> Coercer<'_, 'a> {
    pub(super) fn object(
        &mut self,
        place: CoercionPlace,
        object: &Object,
        entries: &[CoercionEntry<'_, 'a>],
    ) -> Vec<(usize, Edit<'a>)> {
        let names = Names::new(&object.fields, entries.len());
        let mut slots: HashMap<usize, Vec<CoercionEntry<'_, 'a>>> = HashMap::new();
        let mut rest = Vec::new();
        for entry in entries {
            match names.find(&entry.1.key) {
                Some(field) => slots.entry(field).or_default().push(*entry),
                None => rest.push(*entry),
            }
        }
        let (mut edits, mut missing, mut has_flattened) = (Vec::new(), Vec::new(), false);
        for (index, field) in object.fields.iter().enumerate() {
            if field.flatten {
                has_flattened = true;
                edits.extend(self.coerce_flattened(place, field, &mut rest));
                continue;
            }
            match slots.get(&index).map_or(&[][..], Vec::as_slice) {
                [] if field.is_required() => missing.push(field),
                [entry] => edits.extend(self.field(place, field, *entry)),
                _ => {}
            }
        }
        if let ([unknown], [missing], false) = (&rest[..], &missing[..], has_flattened) {
            edits.extend(self.rename_key(place, object, *unknown, missing));
        }
        edits
    }

    fn field(
        &mut self,
        place: CoercionPlace,
        field: &Field,
        (index, member): CoercionEntry<'_, 'a>,
    ) -> Option<(usize, Edit<'a>)> {
        let inner = place.field(field);
        let is_nothing = match &member.value.node {
            Node::Null => true,
            Node::String(text) if is_absent_word(text) => {
                let shape = field.shape.shape();
                !takes_absent_word(&shape) && !AcceptedTypes::from_shape(&shape).contains(JsonType::Null)
            }
            // An empty text is no statement about `null` if `null` has a meaning of its own.
            Node::String(text) => text.is_empty() && !field.distinct_null,
            _ => false,
        };
        if is_nothing && !field.is_required() && !inner.is_strict() && !self.accepts(&ruled(field), &member.value) {
            let is_secret = self.is_secret(inner, &field.shape.shape(), false);
            return Some((index, Edit::LeaveOut { is_secret }));
        }
        let found = self.value(inner, &field.shape.shape(), &member.value)?;
        Some((index, Edit::Value(found)))
    }

    /// Renames the only unknown key of an object with only one missing field, if the key is certainly another spelling of its name.
    fn rename_key(
        &mut self,
        place: CoercionPlace,
        object: &Object,
        (index, member): CoercionEntry<'_, 'a>,
        missing: &Field,
    ) -> Option<(usize, Edit<'a>)> {
        let inner = place.field(missing);
        if inner.policy != RepairPolicy::Assisted || missing.hidden {
            return None;
        }
        let mut shown = object.fields.iter().filter(|field| !field.hidden);
        if !is_same_field(&member.key, &missing.name)
            || shown.any(|field| field.name != missing.name && is_same_field(&member.key, &field.name))
        {
            return None;
        }
        let then = self.trial(|coercer| coercer.value(inner, &missing.shape.shape(), &member.value));
        let read = then.as_ref().map_or_else(|| member.value.clone(), |then| then.apply(member.value.clone()));
        let fits = self.accepts(&ruled(missing), &read);
        self.keep(then.as_ref().map_or(0, |then| then.all_repairs()));
        fits.then(|| (index, Edit::Rename { to: missing.name.clone(), then, is_secret: self.is_secret_key(place) }))
    }

    /// Repairs the values of a map, and corrects keys that are misspelled names of an enum.
    pub(super) fn map(
        &mut self,
        place: CoercionPlace,
        keys: &Shape,
        values: &Shape,
        entries: &[CoercionEntry<'_, 'a>],
    ) -> Vec<(usize, Edit<'a>)> {
        let mut taken: HashSet<&str> = HashSet::with_capacity(entries.len());
        let repeated: HashSet<&str> =
            entries.iter().map(|(_, member)| &*member.key).filter(|key| !taken.insert(*key)).collect();
        let (mut edits, mut given) = (Vec::new(), HashSet::new());
        for (index, member) in entries.iter().filter(|(_, member)| !repeated.contains(&*member.key)) {
            let then = self.value(place.member(), values, &member.value);
            let to = if place.is_strict() { None } else { spelling(keys, &member.key, 0) };
            match (to.filter(|to| !taken.contains(to.as_str()) && given.insert(to.clone())), then) {
                (Some(to), then) => {
                    edits.push((*index, Edit::Rename { to, then, is_secret: self.is_secret_key(place) }));
                }
                (None, Some(then)) => edits.push((*index, Edit::Value(then))),
                (None, None) => {}
            }
        }
        edits
    }
}

/// Returns the enum name that a key misspells.
fn spelling(keys: &Shape, key: &str, hops: u8) -> Option<Text> {
    match &keys.kind {
        Kind::Alias(inner) if hops < 16 => spelling(&inner.shape(), key, hops + 1),
        Kind::Union(union) if union.is_enumeration() && union.find(key).is_none() => {
            let takes_any = union.variants.iter().any(|variant| variant.other);
            respelt(union, key).filter(|_| !takes_any).map(|variant| variant.name.clone())
        }
        _ => None,
    }
}

/// Returns the shape of a field with all rules that apply to it.
fn ruled(field: &Field) -> Shape {
    Shape { rules: field.rules.clone(), ..Shape::new(Kind::Alias(field.shape.clone())) }
}
