//! Compares a literal with a shape: its type, its keys, and its inner values.
//!
//! The result is the first issue. Edges that a `const fn` cannot follow are skipped. The recursion ends, because the literal is finite and
//! direct edges form no cycle.

use super::const_json::Literal;
use super::const_name_eq::{is_key, member, same, text};
use super::items::each;
use super::literal_rules;
use super::message::Fault;
use super::union_literal::union_fault;
use crate::json::Number;
use crate::shape::const_loop::{any, first};
use crate::shape::{Field, Kind, Object, Ref, Rule, Shape, UnknownKeys};

pub(super) type Verdict = Option<Fault>;

/// Returns the first issue of a literal for a shape and rules.
pub(super) const fn fault(literal: &Literal, shape: &Shape, place: &[Rule]) -> Verdict {
    let own = match shape.rules.as_static() {
        Some(own) => own,
        None => &[],
    };
    let faults =
        [kind_fault(literal, &shape.kind), literal_rules::broken(literal, own), literal_rules::broken(literal, place)];
    first!(fault in &faults => *fault)
}

const fn kind_fault(literal: &Literal, kind: &Kind) -> Verdict {
    match (kind, literal) {
        (Kind::Any | Kind::Foreign(_), _)
        | (Kind::Null | Kind::Nullable(_), Literal::Null)
        | (Kind::Boolean, Literal::Bool(_))
        | (Kind::String, Literal::String(_))
        | (Kind::Number(_), Literal::Number(_))
        | (Kind::Integer, Literal::Number(Number::Integer(_) | Number::Large(_))) => None,
        (Kind::Nullable(edge) | Kind::Alias(edge), _) => behind(literal, edge),
        (Kind::Array(edge), Literal::Array(_)) => match edge {
            Ref::Static(items) => each(literal, items),
            _ => None,
        },
        (Kind::Map { keys, values }, Literal::Object(members)) => {
            let fault = keys_fault(members, keys);
            match (fault, values) {
                (None, Ref::Static(values)) => each(literal, values),
                _ => fault,
            }
        }
        (Kind::Tuple(positions), Literal::Array(items)) => match positions.as_static() {
            Some(positions) => tuple_fault(items, positions),
            None => None,
        },
        (Kind::Object(object), Literal::Object(members)) => object_fault(members, object, ""),
        (Kind::Union(union), _) => union_fault(literal, union),
        (Kind::Null, _) => Some(Fault::Words("the value is not null: write `null`")),
        (Kind::Boolean, _) => Some(Fault::Words("the value is not a boolean: write `true` or `false`")),
        (Kind::Integer, _) => Some(Fault::Words("the value is not an integer: write one, such as `1`")),
        (Kind::Number(_), _) => Some(Fault::Words("the value is not a number: write one, such as `0.5`")),
        (Kind::String, _) => Some(Fault::Words("the value is not a string: write one, such as `\"x\"`")),
        (Kind::Array(_) | Kind::Tuple(_), _) => {
            Some(Fault::Words("the value is not an array: write one, such as `[1, 2]`"))
        }
        (Kind::Map { .. } | Kind::Object(_), _) => {
            Some(Fault::Words("the value is not an object: write one, such as `{\"a\": 1}`"))
        }
    }
}

/// Returns the first issue for the shape at the end of a direct edge.
const fn behind(literal: &Literal, edge: &Ref) -> Verdict {
    match edge {
        Ref::Static(shape) => fault(literal, shape, &[]),
        _ => None,
    }
}

/// Returns the first issue of the items of an array or the values of an object.
const fn each(literal: &Literal, shape: &Shape) -> Verdict {
    each!(item in literal => fault(item, shape, &[]))
}

/// Checks the keys of a map, except for integer keys, which are written as strings and left to `build()`.
const fn keys_fault(members: &[(&'static str, Literal)], keys: &Ref) -> Verdict {
    let shape = match keys {
        Ref::Static(shape) if matches!(shape.kind, Kind::String | Kind::Union(_)) => *shape,
        _ => return None,
    };
    first!(member in members => fault(&Literal::String(member.0), shape, &[]))
}

const fn tuple_fault(items: &[Literal], positions: &[Ref]) -> Verdict {
    if items.len() != positions.len() {
        return Some(Fault::Bound(
            "the array has another number of items than the tuple: write ",
            Number::Integer(positions.len() as i128),
        ));
    }
    let mut index = 0;
    first!(edge in positions => {
        index += 1;
        behind(&items[index - 1], edge)
    })
}

/// Checks an object. `tag` is the key of the tag if the object is a variant of an internally tagged union, or else empty.
pub(super) const fn object_fault(members: &[(&'static str, Literal)], object: &Object, tag: &str) -> Verdict {
    let Some(fields) = object.fields.as_static() else { return None };
    let fault = first!(field in fields => match member(members, field) {
        _ if field.flatten => None,
        None if field.required => Some(Fault::Key("a required key is missing: add ", text(&field.name))),
        None => None,
        Some(value) => field_fault(value, field),
    });
    // The object also contains the keys of flattened fields, and only serde knows all of these.
    let is_open = any!(field in fields => field.flatten) || !matches!(object.unknown, UnknownKeys::Rejected);
    if fault.is_some() || is_open {
        return fault;
    }
    first!(member in members => if same(member.0, tag) || any!(field in fields => is_key(member.0, field)) {
        None
    } else {
        Some(Fault::Key("the object has a key that no field knows: remove ", member.0))
    })
}

const fn field_fault(value: &Literal, field: &Field) -> Verdict {
    match (&field.shape, field.rules.as_static()) {
        (Ref::Static(shape), Some(place)) => fault(value, shape, place),
        (_, Some(place)) => literal_rules::broken(value, place),
        _ => None,
    }
}
