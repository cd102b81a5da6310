//! Compares a literal with a union: with the variant that it names, or else with every untagged variant.
//!
//! The result is the first issue.

use super::const_json::Literal;
// Recursion with `literal_error`: a value may be a union, and the payload of a union is a value.
use super::const_name_eq::{names, value};
use super::literal_error::{Verdict, fault, object_fault};
use super::message::Fault;
use crate::shape::{Kind, Ref, Tagging, Union, Variant};

pub(super) const fn union_fault(literal: &Literal, union: &Union) -> Verdict {
    let Some(variants) = union.variants.as_static() else { return None };
    let mut index = 0;
    let mut tagged = None;
    while index < variants.len() {
        let variant = &variants[index];
        index += 1;
        if variant.untagged || matches!(union.tagging, Tagging::Untagged) {
            if payload_fault(Some(literal), variant, "").is_none() {
                return None;
            }
        } else if tagged.is_none() {
            // The first variant of this name counts; untagged variants are tried after it.
            tagged = tagged_fault(literal, &union.tagging, variant);
            if let Some(None) = tagged {
                return None;
            }
        }
    }
    match tagged {
        Some(fault) => fault,
        None if matches!(union.tagging, Tagging::Untagged) => {
            Some(Fault::Words("the value fits none of the enum's variants: write what one of them holds"))
        }
        None => Some(Fault::Variants(variants)),
    }
}

/// Returns the issue of the payload, or `None` if the literal does not name this variant.
const fn tagged_fault(literal: &Literal, tagging: &Tagging, variant: &Variant) -> Option<Verdict> {
    match (tagging, literal) {
        (Tagging::External, Literal::String(name)) if names(name, variant) => Some(payload_fault(None, variant, "")),
        (Tagging::External, Literal::Object([(name, payload)])) if names(name, variant) => {
            Some(payload_fault(Some(payload), variant, ""))
        }
        (Tagging::Internal { tag }, Literal::Object(members)) => {
            let Some(tag) = tag.as_static() else { return Some(None) };
            match value(members, tag) {
                Some(Literal::String(name)) if names(name, variant) => match variant.payload {
                    // A unit variant ignores every other key.
                    None => Some(None),
                    Some(_) => Some(payload_fault(Some(literal), variant, tag)),
                },
                _ => None,
            }
        }
        (Tagging::Adjacent { tag, content }, Literal::Object(members)) => {
            let (Some(tag), Some(content)) = (tag.as_static(), content.as_static()) else { return Some(None) };
            match value(members, tag) {
                Some(Literal::String(name)) if names(name, variant) => {
                    Some(payload_fault(value(members, content), variant, ""))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

const fn payload_fault(payload: Option<&Literal>, variant: &Variant, tag: &str) -> Verdict {
    match (&variant.payload, payload) {
        // A payload may be absent if its type is an `Option`; that is left to serde.
        (None, None | Some(Literal::Null)) | (Some(_), None) => None,
        (None, Some(_)) => Some(Fault::Words("the variant has no payload: write its name alone")),
        (Some(Ref::Static(shape)), Some(payload)) => match (&shape.kind, payload) {
            (Kind::Object(object), Literal::Object(members)) => object_fault(members, object, tag),
            _ if !tag.is_empty() => None,
            _ => fault(payload, shape, &[]),
        },
        (Some(_), Some(_)) => None,
    }
}
