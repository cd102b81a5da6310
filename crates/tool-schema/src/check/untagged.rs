//! Checks unions without a tag. A value is accepted if any variant accepts it. Otherwise, the issues of the nearest variant are reported.
//!
//! The nearest variant is the one that accepts the JSON type. If several variants accept objects, it is the one that knows the most of the
//! sent keys; among equals, the one with the fewest missing required keys. The keys of an inner enum are its tag, the keys of the tagged
//! variant, and those of flattened types. If two variants are equally near, the issue is one `AnyOf` for the whole value.

use std::cmp::Reverse;

use super::current_place::{CheckPlace, Entries, Subject};
use super::field_lookup::Names;
use super::{Checker, address, has_key};
use crate::issue::Constraint;
use crate::json::Json;
use crate::shape::{AcceptedTypes, Field, Kind, Shape, Tagging, Union, Variant};

impl<'j> Checker<'_, 'j> {
    /// Checks variants without a tag; returns `false` if none of them accepts the JSON type.
    pub(super) fn check_untagged(&mut self, place: &CheckPlace<'_>, union: &Union, subject: Subject<'_, 'j>) -> bool {
        let variants = &union.variants;
        if let Some(chosen) = variants.iter().position(|variant| self.accepts_variant(place, variant, subject)) {
            if self.reports_losses() {
                self.chosen(place, union, chosen, subject);
            }
            return true;
        }
        let json_type = subject.json_type();
        let fitting: Vec<_> = variants
            .iter()
            .filter(|variant| !variant.hidden && AcceptedTypes::of_payload(variant).contains(json_type))
            .collect();
        if fitting.is_empty() {
            return false;
        }
        if self.trials > 0 {
            self.faults += 1;
            return true;
        }
        let veiled = place.veiled();
        let place = if self.has_secrets(place.shape) { &veiled } else { place };
        if let Some(variant) = nearest(&fitting, subject) {
            return self.variant(place, variant, subject);
        }
        self.any_of(place, union, subject);
        true
    }

    /// Checks the variant that serde chooses. serde takes the first one that accepts the value, also if it ignores keys that a later variant
    /// knows.
    fn chosen(&mut self, place: &CheckPlace<'_>, union: &Union, chosen: usize, subject: Subject<'_, 'j>) {
        let known = |variant: &Variant| {
            let payload = variant.payload.as_ref()?.shape();
            // A flattened map may take the keys that the others know.
            let takes_more =
                matches!(&payload.kind, Kind::Object(object) if object.fields.iter().any(|field| field.flatten));
            let nearness = nearness(&payload, subject.entries()?, &mut { STEPS }).filter(|_| !takes_more)?;
            Some(nearness.0)
        };
        let (first, later) = (&union.variants[chosen], union.variants.get(chosen + 1..).unwrap_or_default());
        let loses = |known_first| {
            later
                .iter()
                .any(|variant| known(variant) > Some(known_first) && self.accepts_variant(place, variant, subject))
        };
        if known(first).is_some_and(loses) {
            self.any_of(place, union, subject);
        } else {
            self.variant(place, first, subject);
        }
    }

    fn any_of(&mut self, place: &CheckPlace<'_>, union: &Union, subject: Subject<'_, 'j>) {
        self.fault(place, Some(subject), |checker| {
            let forms = checker.names.get_or_insert_with(address(union), || union.forms().into());
            Constraint::AnyOf { variants: forms }
        });
    }

    pub(super) fn accepts_variant(
        &mut self,
        place: &CheckPlace<'_>,
        variant: &Variant,
        subject: Subject<'_, 'j>,
    ) -> bool {
        AcceptedTypes::of_payload(variant).contains(subject.json_type())
            && self.alternative(|checker| {
                if !checker.variant(place, variant, subject) {
                    checker.faults += 1;
                }
            })
    }

    /// Checks the payload of one variant; returns `false` for a unit variant whose value is not `null`.
    pub(super) fn variant(&mut self, place: &CheckPlace<'_>, variant: &Variant, subject: Subject<'_, 'j>) -> bool {
        let Some(payload) = &variant.payload else { return subject.is_null() };
        self.inside(&place.variant(payload, &payload.shape()), subject);
        true
    }

    /// Counts one more edge of the shape, then checks the same value at this place.
    pub(super) fn inside(&mut self, place: &CheckPlace<'_>, subject: Subject<'_, 'j>) {
        match (place.hop(), subject) {
            (None, _) => self.give_up(place, subject),
            (Some(place), Subject::Node(json)) => self.walk(&place, json),
            (Some(place), Subject::View(_)) => self.subject(&place, subject),
        }
    }
}

/// The maximum number of shapes that are visited to measure the nearness of one variant.
const STEPS: usize = 64;

pub(super) fn nearest<'v>(fitting: &[&'v Variant], subject: Subject<'_, '_>) -> Option<&'v Variant> {
    if let [only] = fitting {
        return Some(only);
    }
    let entries = subject.entries()?;
    let measure = |variant: &Variant| {
        let payload = variant.payload.as_ref()?;
        nearness(&payload.shape(), entries, &mut { STEPS })
    };
    let mut measured: Vec<_> = fitting.iter().map(|variant| (measure(variant), *variant)).collect();
    measured.sort_by_key(|&(nearness, _)| Reverse(nearness));
    match measured[..] {
        [(Some(first), variant), (second, _), ..] if first.0 > 0 && Some(first) > second => Some(variant),
        _ => None,
    }
}

/// A measure of how well an object fits a shape: first the number of sent keys that the shape knows, then the number of required keys that
/// are missing. More known keys are nearer, and so are fewer missing ones.
type Nearness = (usize, Reverse<usize>);

/// Returns the nearness of an object to a shape that accepts objects: a struct or an enum. For an enum, the variant is found by its tag or
/// its key; without either, the nearest variant is measured.
fn nearness(shape: &Shape, entries: Entries<'_, '_>, steps: &mut usize) -> Option<Nearness> {
    *steps = steps.checked_sub(1)?;
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) => nearness(&inner.shape(), entries, steps),
        Kind::Object(object) => {
            let names = Names::new(&object.fields, entries.len());
            let mut sent = vec![false; object.fields.len()];
            entries.iter().filter_map(|member| names.find(&member.key)).for_each(|field| sent[field] = true);
            let own = |(field, _): &(&Field, &bool)| !field.flatten;
            let missing =
                object.fields.iter().zip(&sent).filter(own).filter(|(field, sent)| field.is_required() && !**sent);
            let own = (sent.iter().filter(|sent| **sent).count(), Reverse(missing.count()));
            let flattened = object.fields.iter().filter(|field| field.flatten).map(|field| {
                let shape = field.shape.shape();
                // If no key of an optional type was sent, its required keys are not missing.
                let is_begun = |(known, _): &Nearness| *known > 0 || !matches!(shape.kind, Kind::Nullable(_));
                nearness(&shape, entries, steps).filter(is_begun)
            });
            Some(flattened.fold(own, plus))
        }
        Kind::Union(union) => {
            let payload =
                |variant: &Variant, steps: &mut usize| nearness(&variant.payload.as_ref()?.shape(), entries, steps);
            let key = |key: &str| if has_key::has(entries, key) { (1, Reverse(0)) } else { (0, Reverse(1)) };
            match &union.tagging {
                Tagging::Untagged => {
                    let shown = union.variants.iter().filter(|variant| !variant.hidden);
                    shown.filter_map(|variant| payload(variant, steps)).max()
                }
                Tagging::External => {
                    let known = entries.iter().filter(|member| union.find(&member.key).is_some()).count();
                    Some((known, Reverse(usize::from(known == 0))))
                }
                Tagging::Adjacent { tag, content } => Some((key(tag).0 + key(content).0, key(tag).1)),
                Tagging::Internal { tag } => {
                    let sent = entries.iter().find(|member| member.key == **tag);
                    let variant = sent.and_then(|member| union.find(member.value.as_str()?));
                    Some(plus(key(tag), variant.and_then(|variant| payload(variant, steps))))
                }
            }
        }
        _ => None,
    }
}

fn plus((known, Reverse(missing)): Nearness, other: Option<Nearness>) -> Nearness {
    let (more, Reverse(lacking)) = other.unwrap_or_default();
    (known + more, Reverse(missing + lacking))
}

/// Returns the nearest variant of a union without a tag, chosen as during a check; `None` if two variants are equally near.
pub(crate) fn nearest_form<'v>(forms: &[&'v Variant], json: &Json<'_>) -> Option<&'v Variant> {
    nearest(forms, Subject::Node(json))
}
