//! What one type cannot see of the types inside it, judged by the compiler: untagged variants that may be mistaken for each other, and
//! flattened fields that take each other's keys.
//!
//! In comes the finished shape and the index of a variant or field; out goes nothing, or a panic in a `const`, which is a compile error under
//! that variant or field. It follows direct edges and passes over the rest, which `build()` sees.

use crate::shape::{Field, Kind, Object, Ref, Shape, Tagging, Union, Unknown};

/// Shapes nest deeper than this only through the heap, where no `const fn` can follow.
const DEEPEST: u8 = 32;

/// Panics if a value that breaks a rule of an untagged variant may be taken by a later one: serde takes the first that decodes, and knows
/// nothing of rules.
#[track_caller]
pub const fn told_apart(shape: &Shape, index: usize) {
    let Kind::Union(union) = &shape.kind else { return };
    let Some(payload) = payload(union, index) else { return };
    if !has_rules(payload, DEEPEST) {
        return;
    }
    let mut later = index + 1;
    while let Some(variants) = union.variants.as_static()
        && later < variants.len()
    {
        let types = match self::payload(union, later) {
            Some(other) if !disjoint(payload, other) => types(other, DEEPEST),
            Some(_) => 0,
            None => NULL,
        };
        assert!(
            types & self::types(payload, DEEPEST) == 0,
            "a value that breaks a rule of this variant may be taken by a later one: give the enum a tag, or let the variants differ in JSON \
                 type or in required keys (with `#[serde(deny_unknown_fields)]`)"
        );
        later += 1;
    }
}

/// Panics if a flattened field takes keys that another field has, or is a map in an object that refuses unknown keys.
#[track_caller]
pub const fn flattened(shape: &Shape, index: usize) {
    let Kind::Object(Object { fields, unknown }) = &shape.kind else { return };
    let Some(fields) = fields.as_static() else { return };
    let Some(target) = target(&fields[index].shape, DEEPEST) else { return };
    assert!(
        !matches!(target.kind, Kind::Map { .. } | Kind::Any) || matches!(unknown, Unknown::Ignored),
        "`deny_unknown_fields` refuses every key of a flattened map: remove it, or make the map a field with a key"
    );
    let mut other = 0;
    while other < fields.len() {
        let apart = other == index || (fields[other].flatten && other > index);
        assert!(
            apart || !knows(target, &fields[other], DEEPEST),
            "this flattened type and another field have a key in common, which only one of them would get: rename it in one of them"
        );
        other += 1;
    }
}

/// The payload of a variant: what a `const` beside an enum cannot name.
pub const fn variant(shape: &Shape, index: usize) -> &Shape {
    match &shape.kind {
        Kind::Union(union) => match payload(union, index) {
            Some(payload) => payload,
            None => shape,
        },
        _ => shape,
    }
}

const fn payload(union: &Union, index: usize) -> Option<&Shape> {
    match union.variants.as_static() {
        Some(variants) => match &variants[index].payload {
            Some(Ref::Static(shape)) => Some(shape),
            _ => None,
        },
        None => None,
    }
}

/// The shape itself, behind all names.
const fn target(edge: &Ref, depth: u8) -> Option<&Shape> {
    match edge {
        Ref::Static(shape) => match &shape.kind {
            Kind::Alias(inner) | Kind::Nullable(inner) if depth > 0 => target(inner, depth - 1),
            _ => Some(shape),
        },
        _ => None,
    }
}

/// Whether an object knows a key of the field, or of what is flattened into it.
const fn knows(shape: &Shape, field: &Field, depth: u8) -> bool {
    let Kind::Object(object) = &shape.kind else { return false };
    let Some(fields) = object.fields.as_static() else { return false };
    if field.flatten {
        return match target(&field.shape, depth) {
            Some(other) if depth > 0 => shares(fields, other, depth - 1),
            _ => false,
        };
    }
    let mut index = 0;
    while index < fields.len() {
        if fields[index].flatten {
            if let Some(inner) = target(&fields[index].shape, depth)
                && depth > 0
                && knows(inner, field, depth - 1)
            {
                return true;
            }
        } else if common_key(&fields[index], field) {
            return true;
        }
        index += 1;
    }
    false
}

const fn shares(fields: &[Field], other: &Shape, depth: u8) -> bool {
    let mut index = 0;
    while index < fields.len() {
        if knows(other, &fields[index], depth) {
            return true;
        }
        index += 1;
    }
    false
}

const fn common_key(a: &Field, b: &Field) -> bool {
    let mut left = 0;
    while let Some(key) = key(a, left) {
        let mut right = 0;
        while let Some(other) = self::key(b, right) {
            if same(key.as_bytes(), other.as_bytes()) {
                return true;
            }
            right += 1;
        }
        left += 1;
    }
    false
}

/// The name, then the aliases.
const fn key(field: &Field, index: usize) -> Option<&'static str> {
    if index == 0 {
        return field.name.as_static();
    }
    match field.aliases.as_static() {
        Some(aliases) if index <= aliases.len() => aliases[index - 1].as_static(),
        _ => None,
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// Whether the author has put a rule on the shape or inside it. The rules of std types are serde's own, which says no by itself.
const fn has_rules(shape: &Shape, depth: u8) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let own = match shape.rules.as_static() {
        Some(rules) => !rules.is_empty(),
        None => false,
    };
    match &shape.kind {
        Kind::Alias(Ref::Static(inner)) | Kind::Nullable(Ref::Static(inner)) => own || has_rules(inner, depth),
        Kind::Tuple(positions) => {
            let Some(positions) = positions.as_static() else { return own };
            let mut index = 0;
            while index < positions.len() {
                if let Ref::Static(inner) = &positions[index]
                    && has_rules(inner, depth)
                {
                    return true;
                }
                index += 1;
            }
            own
        }
        Kind::Object(object) => {
            let Some(fields) = object.fields.as_static() else { return own };
            let mut index = 0;
            while index < fields.len() {
                if let Some(rules) = fields[index].rules.as_static()
                    && !rules.is_empty()
                {
                    return true;
                }
                if let Ref::Static(inner) = &fields[index].shape
                    && has_rules(inner, depth)
                {
                    return true;
                }
                index += 1;
            }
            own
        }
        Kind::Union(union) => {
            let Some(variants) = union.variants.as_static() else { return own };
            let mut index = 0;
            while index < variants.len() {
                if let Some(Ref::Static(inner)) = &variants[index].payload
                    && has_rules(inner, depth)
                {
                    return true;
                }
                index += 1;
            }
            own
        }
        _ => false,
    }
}

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const NUMBER: u8 = 4;
const STRING: u8 = 8;
const ARRAY: u8 = 16;
const OBJECT: u8 = 32;
const EVERY: u8 = 63;

/// The JSON types that a shape accepts, one bit each; all of them where nobody can tell.
const fn types(shape: &Shape, depth: u8) -> u8 {
    let Some(depth) = depth.checked_sub(1) else { return EVERY };
    match &shape.kind {
        Kind::Null => NULL,
        Kind::Boolean => BOOLEAN,
        Kind::Integer | Kind::Number(_) => NUMBER,
        Kind::String => STRING,
        Kind::Array(_) | Kind::Tuple(_) => ARRAY,
        Kind::Map { .. } | Kind::Object(_) => OBJECT,
        Kind::Alias(Ref::Static(inner)) => types(inner, depth),
        Kind::Nullable(Ref::Static(inner)) => NULL | types(inner, depth),
        Kind::Union(union) => match union.tagging {
            Tagging::External => STRING | OBJECT,
            Tagging::Internal { .. } | Tagging::Adjacent { .. } => OBJECT,
            Tagging::Untagged => EVERY,
        },
        _ => EVERY,
    }
}

/// Whether no object fits both: one requires a key that the other refuses, or both mean different JSON types by a key that must be there.
const fn disjoint(a: &Shape, b: &Shape) -> bool {
    requires_what_is_refused(a, b) || requires_what_is_refused(b, a)
}

const fn requires_what_is_refused(a: &Shape, b: &Shape) -> bool {
    let (Kind::Object(a), Kind::Object(b)) = (&a.kind, &b.kind) else { return false };
    let (Some(required), Some(known)) = (a.fields.as_static(), b.fields.as_static()) else { return false };
    let mut index = 0;
    while index < required.len() {
        let field = &required[index];
        let (mut found, mut other) = (false, 0);
        while other < known.len() {
            if known[other].flatten {
                found = true;
            } else if common_key(field, &known[other]) {
                found = true;
                if let (Ref::Static(one), Ref::Static(two)) = (&field.shape, &known[other].shape)
                    && field.required
                    && !field.flatten
                    && types(one, DEEPEST) & types(two, DEEPEST) == 0
                {
                    return true;
                }
            }
            other += 1;
        }
        if field.required && !field.flatten && !found && matches!(b.unknown, Unknown::Refused) {
            return true;
        }
        index += 1;
    }
    false
}
