//! What can be reached from a shape in one step: the shapes of the same value, the keys of the same object, the places below.
//!
//! In comes a shape and a number of steps that may be taken; out go edges, keys and places, in declaration order. What always holds: each
//! step is counted, so that a shape without end is given up; nothing here knows paths.

use std::collections::VecDeque;
use std::sync::Arc;

use super::place::Place;
use crate::shape::{Field, Kind, List, Object, Ref, Shape, Tagging, Text, Union, Unknown, Variant};

/// Visits a shape and those that it stands for, breadth first, so that what was declared first answers first.
pub(super) fn walk(root: &Ref, stands_for: fn(&Kind) -> Vec<Ref>, steps: &mut usize, mut visit: impl FnMut(&Shape)) {
    let mut waiting = VecDeque::from([root.clone()]);
    while let Some(edge) = waiting.pop_front() {
        let Some(left) = steps.checked_sub(1) else { return };
        *steps = left;
        let shape = edge.shape();
        visit(&shape);
        waiting.extend(stands_for(&shape.kind));
    }
}

/// The shapes of the very same value: what an option or alias holds, payloads without a tag.
pub(super) fn same_value(kind: &Kind) -> Vec<Ref> {
    match kind {
        Kind::Nullable(inner) | Kind::Alias(inner) => vec![inner.clone()],
        Kind::Union(union) => {
            let bare = |variant: &&Variant| union.tagging == Tagging::Untagged || variant.untagged;
            union.variants.iter().filter(bare).filter_map(|variant| variant.payload.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// The shapes whose keys stand in the same object: flattened fields and payloads beside their tag as well.
pub(super) fn same_object(kind: &Kind) -> Vec<Ref> {
    match kind {
        Kind::Object(object) => {
            object.fields.iter().filter(|field| field.flatten).map(|field| field.shape.clone()).collect()
        }
        Kind::Union(Union { tagging: Tagging::Internal { .. }, variants, .. }) => {
            variants.iter().filter_map(|variant| variant.payload.clone()).collect()
        }
        _ => same_value(kind),
    }
}

/// The places one segment below a shape.
pub(super) fn below(shape: &Shape, segment: &str, found: &mut Vec<Place>) {
    let mut add = |shape: Ref| found.push(Place { shape, field: None });
    match &shape.kind {
        Kind::Array(items) if is_index(segment) => add(items.clone()),
        Kind::Tuple(positions) => {
            segment.parse().ok().and_then(|index: usize| positions.get(index)).cloned().into_iter().for_each(add);
        }
        Kind::Map { values, .. } => add(values.clone()),
        Kind::Object(object) => {
            let is_meant = |field: &&Field| {
                !field.flatten && (field.name == *segment || field.aliases.iter().any(|alias| *alias == *segment))
            };
            let fields = object.fields.iter().filter(is_meant);
            found.extend(fields.map(|field| Place { shape: field.shape.clone(), field: Some(field.clone()) }));
        }
        Kind::Union(union) => {
            let tagged = || union.variants.iter().filter(|variant| !variant.untagged);
            match &union.tagging {
                Tagging::External => {
                    union.find(segment).and_then(|variant| variant.payload.clone()).into_iter().for_each(add);
                }
                Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } if *tag == *segment => add(names(tagged())),
                Tagging::Adjacent { content, .. } if *content == *segment => {
                    tagged().filter_map(|variant| variant.payload.clone()).for_each(add);
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// The shape of a tag: an enum of the variants' names.
fn names<'v>(variants: impl Iterator<Item = &'v Variant>) -> Ref {
    let variants: Vec<_> = variants.map(|variant| Variant { payload: None, ..variant.clone() }).collect();
    let union = Union { tagging: Tagging::External, variants: variants.into(), unknown: Unknown::Refused };
    Ref::Shared(Arc::new(Shape::of(Kind::Union(union))))
}

/// The keys that a shape itself knows, with their aliases.
pub(super) fn keys(shape: &Shape, found: &mut Vec<(Text, List<Text>)>) {
    match &shape.kind {
        Kind::Object(object) => {
            let own = object.fields.iter().filter(|field| !field.flatten && !field.hidden);
            found.extend(own.map(|field| (field.name.clone(), field.aliases.clone())));
        }
        Kind::Union(union) => match &union.tagging {
            Tagging::Internal { tag } => found.push((tag.clone(), List::EMPTY)),
            Tagging::Adjacent { tag, content } => {
                found.extend([tag, content].map(|key| (key.clone(), List::EMPTY)));
            }
            Tagging::External => {
                let payloads = union.variants.iter().filter(|variant| variant.payload.is_some() && !variant.hidden);
                found.extend(payloads.map(|variant| (variant.name.clone(), variant.aliases.clone())));
            }
            Tagging::Untagged => {}
        },
        _ => {}
    }
}

pub(super) fn required(shape: &Shape, steps: &mut usize) -> Vec<Text> {
    let Some(left) = steps.checked_sub(1) else { return Vec::new() };
    *steps = left;
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) => required(&inner.shape(), steps),
        Kind::Object(object) => required_fields(object, steps),
        Kind::Union(union) => {
            let mut each = union.variants.iter().filter(|variant| !variant.hidden).map(|variant| {
                let payload = variant.payload.as_ref();
                let own =
                    |steps: &mut usize| payload.map_or_else(Vec::new, |payload| required(&payload.shape(), steps));
                match &union.tagging {
                    _ if variant.untagged => own(steps),
                    Tagging::External => payload.map_or_else(Vec::new, |_| vec![variant.name.clone()]),
                    Tagging::Internal { tag } => [vec![tag.clone()], own(steps)].concat(),
                    Tagging::Adjacent { tag, content } => {
                        [Some(tag), payload.map(|_| content)].into_iter().flatten().cloned().collect()
                    }
                    Tagging::Untagged => own(steps),
                }
            });
            let mut all = each.next().unwrap_or_default();
            for other in each {
                all.retain(|key| other.contains(key));
            }
            all
        }
        _ => Vec::new(),
    }
}

fn required_fields(object: &Object, steps: &mut usize) -> Vec<Text> {
    let mut found = Vec::new();
    for field in &object.fields {
        let shape = field.shape.shape();
        if !field.flatten {
            found.extend(field.required.then(|| field.name.clone()));
        } else if !matches!(shape.kind, Kind::Nullable(_)) {
            found.extend(required(&shape, steps));
        }
    }
    found
}

/// Whether a segment goes into an array: `[]`, `[2]`, or what a JSON Pointer has for them.
fn is_index(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit()) || segment == "-"
}
