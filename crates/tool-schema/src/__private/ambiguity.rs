//! Compile-time checks of a type together with its inner types.
//!
//! Each function takes the finished shape and the index of a variant or field, and panics in a `const`, which is a compile error at that
//! variant or field. `build()` repeats the checks for generic types and for types behind a `Box` or similar, which the compiler cannot
//! follow.

use crate::shape::ambiguity::{FlattenConflict, early};
use crate::shape::serde_buffer::{UnbufferableType, unreadable};
use crate::shape::{Kind, Shape};

/// Panics if a value that breaks a rule of the untagged variant at `index` could be decoded as a later variant.
#[track_caller]
pub const fn told_apart(shape: &Shape, index: usize) {
    if let Kind::Union(union) = &shape.kind {
        assert!(
            early::mistaken(union, index).is_none(),
            "a value that breaks a rule of this variant could be decoded as a later variant: give the enum a tag, or let the variants differ in JSON \
                 type or in required keys (with `#[serde(deny_unknown_fields)]`)"
        );
    }
}

/// Panics if a flattened field has a key in common with another field, or is a map in an object that rejects unknown keys.
#[track_caller]
pub const fn flattened(shape: &Shape, index: usize) {
    let Kind::Object(object) = &shape.kind else { return };
    match early::clash(object, index) {
        None => {}
        Some(FlattenConflict::ClosedMap) => {
            panic!(
                "`deny_unknown_fields` rejects every key of a flattened map, and of a flattened enum that is untagged or internally tagged: remove it, or remove `flatten`"
            )
        }
        Some(FlattenConflict::NoKeys) => {
            panic!(
                "a flattened type adds its keys to the enclosing object, but this type has no keys: remove `flatten`"
            )
        }
        Some(FlattenConflict::SharedKey(_)) => {
            panic!(
                "this flattened type and another field have a key in common, which only one of them would get: rename it in one of them"
            )
        }
    }
}

/// Panics if the payload of an internally tagged variant is of a type without keys, because such a payload cannot be in the same object as
/// the tag.
#[track_caller]
pub const fn beside_tag(shape: &Shape, index: usize) {
    if let Kind::Union(union) = &shape.kind
        && early::is_keyless(union, index)
    {
        panic!(
            "an internally tagged variant adds its keys to the object with the tag, but this type has no keys: name the field, as in `Variant {{ value: … }}`, or give the enum a \
             `content`"
        );
    }
}

/// Panics if a hidden field is required.
#[track_caller]
pub const fn hidden(required: bool) {
    assert!(!required, "a model never sends a hidden field: give it a default, or make it an `Option`");
}

/// Panics if a type alias or a `Box` hides an `Option<Option<T>>`, whose `null` serde decodes like an absent key.
#[track_caller]
pub const fn keeps_null(is_double_option: bool) {
    assert!(
        !is_double_option,
        "this is an `Option<Option<T>>`, and serde decodes `null` and an absent key as the same `None`: add `#[serde(default, deserialize_with = \"…::double_option\")]` with \
         the function of this crate, or remove one `Option`"
    );
}

/// Panics if the shape contains a type that serde cannot decode from its internal buffer. serde buffers flattened types, and enum payloads
/// while their variant is not known.
#[track_caller]
pub const fn buffered(shape: &Shape) {
    match unreadable(shape) {
        None => {}
        Some(UnbufferableType::NumberKeys) => {
            panic!(
                "serde decodes this from a buffer, in which map keys are strings and never numbers: use `String` keys, or a `Vec` of \
                 key and value"
            )
        }
        Some(UnbufferableType::Wide) => {
            panic!(
                "serde decodes this from a buffer, which cannot contain integers of 128 bits: use `i64` or `u64`, or a `String` of digits"
            )
        }
    }
}

/// Returns the shape of the payload of the variant at `index`. Generated code needs this shape to check the variant's fields, and cannot
/// name it otherwise.
pub const fn variant(shape: &Shape, index: usize) -> &Shape {
    match &shape.kind {
        Kind::Union(union) => match early::payload(union, index) {
            Some(payload) => payload,
            None => shape,
        },
        _ => shape,
    }
}
