//! Unions that do not say which variant is meant: accepted if any variant accepts, else judged by the nearest one.
//!
//! The nearest variant is the one that accepts the JSON type. Where several accept objects, it is the one that knows most of the
//! keys that were sent, then the one that lacks the fewest required keys. Its issues are the union's. Where two are equally near,
//! nobody can say which was meant: one `AnyOf` at the place.

use std::cmp::Reverse;

use super::names::Names;
use super::place::{Entries, Place, Subject};
use super::{Checker, address};
use crate::issue::Constraint;

use crate::shape::{Kind, Shape, Types, Union, Variant};

impl<'j> Checker<'_, 'j> {
    /// Checks variants without a tag; `false` where none of them accepts the JSON type.
    pub(super) fn untagged(&mut self, place: &Place<'_>, union: &Union, subject: Subject<'_, 'j>) -> bool {
        let variants = &union.variants;
        if variants.iter().any(|variant| self.accepts_variant(place, variant, subject)) {
            return true;
        }
        let json_type = subject.json_type();
        let fitting: Vec<_> = variants
            .iter()
            .filter(|variant| !variant.hidden && Types::of_payload(variant).contains(json_type))
            .collect();
        if fitting.is_empty() {
            return false;
        }
        if self.trials > 0 {
            self.faults += 1;
            return true;
        }
        if let Some(variant) = nearest(&fitting, subject) {
            return self.variant(place, variant, subject);
        }
        self.fault(place, Some(subject), |checker| {
            let forms = checker.names.entry(address(union)).or_insert_with(|| union.forms().into());
            Constraint::AnyOf { variants: forms.clone() }
        });
        true
    }

    pub(super) fn accepts_variant(&mut self, place: &Place<'_>, variant: &Variant, subject: Subject<'_, 'j>) -> bool {
        Types::of_payload(variant).contains(subject.json_type())
            && self.trial(|checker| {
                if !checker.variant(place, variant, subject) {
                    checker.faults += 1;
                }
            })
    }

    /// Checks the payload of one variant; `false` where a unit variant is not `null`.
    pub(super) fn variant(&mut self, place: &Place<'_>, variant: &Variant, subject: Subject<'_, 'j>) -> bool {
        let Some(payload) = &variant.payload else { return subject.is_null() };
        self.inside(&place.variant(payload, &payload.shape()), subject);
        true
    }

    /// Checks the same value at a place one edge further on.
    pub(super) fn inside(&mut self, place: &Place<'_>, subject: Subject<'_, 'j>) {
        match (place.hop(), subject) {
            (None, _) => self.give_up(place, subject),
            (Some(place), Subject::Node(json)) => self.walk(&place, json),
            (Some(place), Subject::View(_)) => self.subject(&place, subject),
        }
    }
}

pub(super) fn nearest<'v>(fitting: &[&'v Variant], subject: Subject<'_, '_>) -> Option<&'v Variant> {
    if let [only] = fitting {
        return Some(only);
    }
    let entries = subject.entries()?;
    let measure = |variant: &Variant| {
        let payload = variant.payload.as_ref()?;
        object_nearness(&payload.shape(), entries, 0)
    };
    let mut measured: Vec<_> = fitting.iter().map(|variant| (measure(variant), *variant)).collect();
    measured.sort_by_key(|&(nearness, _)| Reverse(nearness));
    match measured[..] {
        [(Some(first), variant), (second, _), ..] if first.0 > 0 && Some(first) > second => Some(variant),
        _ => None,
    }
}

/// How many of the keys that were sent an object knows, and how few of those that it requires are missing.
fn object_nearness(shape: &Shape, entries: Entries<'_, '_>, hops: usize) -> Option<(usize, Reverse<usize>)> {
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) if hops < 16 => object_nearness(&inner.shape(), entries, hops + 1),
        Kind::Object(object) => {
            let names = Names::new(&object.fields, entries.len());
            let mut sent = vec![false; object.fields.len()];
            entries.iter().filter_map(|member| names.find(&member.key)).for_each(|field| sent[field] = true);
            let missing = object.fields.iter().zip(&sent).filter(|(field, sent)| field.required && !**sent).count();
            Some((sent.iter().filter(|sent| **sent).count(), Reverse(missing)))
        }
        _ => None,
    }
}
