//! What a literal has against a union: the variant it names, and the payload of that one.
//!
//! In come a literal and a union; out goes the first fault, in words, or nothing. Where the name decides, no other variant is looked at.

use super::literal::Literal;
// Recursion with `fault`: a value may be that of a union, and the payload of a union is a value.
use super::fault::{Verdict, fault, object_fault};
use super::names::{names, value};
use super::words::Fault;
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
            // The first variant of that name is the one; untagged ones are tried after it.
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

/// `None` where the literal does not name this variant; else what its payload has against it.
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
                    // A unit variant passes over every other key.
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
        // What stands for an absent payload depends on the type behind it (`Option`), which only serde knows.
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
