//! `enum` and `const`: the allowed values.
//!
//! If all values are strings, the result is an enumeration. Otherwise, it is a type with [`Rule::Values`].

use std::collections::HashSet;

use crate::private::shape::{Kind, Precision, Rule, Shape, Tagging, Text, Union, UnknownKeys, unit_variant};
use tool_runtime::tool_schema::json::Json;

use super::applicable_schemas::Parts;
use super::type_set::TypeSet;
use super::{Reader, nullable, shape_with};

impl Reader<'_> {
    /// Converts lists of allowed values. Returns `None` if there is no such list.
    pub(super) fn values(parts: &Parts<'_>, types: TypeSet) -> Option<Shape> {
        let mut allowed = allowed(parts)?;
        allowed.retain(|value| types.contains(TypeSet::of_value(value)));
        let (nulls, values): (Vec<_>, Vec<_>) = allowed.into_iter().partition(|value| value.is_null());
        let shape = match &values[..] {
            // No value is allowed, and the validator reports that.
            [] => return Some(Shape::new(if nulls.is_empty() { Kind::Any } else { Kind::Null })),
            values if values.iter().all(|value| value.as_str().is_some()) => {
                Shape::new(enumeration(values.iter().filter_map(|value| value.as_str())))
            }
            values => {
                let texts: Vec<_> = values.iter().map(|value| Text::from(value.to_text())).collect();
                shape_with(kind(values), vec![Rule::Values(texts.into())])
            }
        };
        Some(if nulls.is_empty() { shape } else { nullable(shape) })
    }
}

/// Returns the values that all these lists contain, in the order of the first list.
fn allowed<'d>(parts: &Parts<'d>) -> Option<Vec<&'d Json<'static>>> {
    let lists = parts.each("enum").map(|(_, list)| list.items().iter().collect::<Vec<_>>());
    let mut lists = lists.chain(parts.each("const").map(|(_, value)| vec![value]));
    let first = lists.next()?;
    Some(lists.fold(first, |mut allowed, list| {
        allowed.retain(|value| list.iter().any(|other| other.same_value(value)));
        allowed
    }))
}

/// Returns the type that all values have in common.
fn kind(values: &[&Json<'static>]) -> Kind {
    let all = |types: TypeSet| values.iter().all(|value| types.contains(TypeSet::of_value(value)));
    if all(TypeSet::BOOLEAN) {
        Kind::Boolean
    } else if all(TypeSet::NUMBER) {
        Kind::Number(Precision::Double)
    } else {
        Kind::Any
    }
}

/// Creates an enumeration of strings.
pub(super) fn enumeration<'n>(names: impl Iterator<Item = &'n str>) -> Kind {
    let mut seen = HashSet::new();
    let variants: Vec<_> =
        names.filter(|name| seen.insert(*name)).map(|name| unit_variant(name.to_owned().into())).collect();
    Kind::Union(Union { tagging: Tagging::External, variants: variants.into(), unknown: UnknownKeys::Ignored })
}
