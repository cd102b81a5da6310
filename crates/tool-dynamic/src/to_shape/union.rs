//! `anyOf` and `oneOf`: they become a union with tags if a required constant distinguishes the branches, and otherwise a union without
//! tags.
//!
//! A union may also become an enumeration or an optional value.
//!
//! Invariants: a union that a shape cannot express is left to the validator as a whole. A union that the shape expresses is recorded in
//! `expressed`, so that its issues are not reported again by the validator.

use std::collections::HashSet;
use std::sync::Arc;

use crate::private::shape::{
    Kind, Object, Ref, Shape, SharedSlice, Tagging, Text, Union, UnknownKeys, Variant, is_enumeration, unit_variant,
    variant_names,
};
use tool_runtime::tool_schema::json::Json;

use super::applicable_schemas::Parts;
use super::document::{At, Target};
use super::type_set::TypeSet;
use super::untagged_union::{payload, untagged};
use super::{Reader, enum_values, is_never, nullable};
use crate::private::schema::keywords::join;

/// The maximum number of branches of a union. Larger unions are left to the validator.
const MOST_BRANCHES: usize = 256;

/// Keywords that have to be combined with each branch of a union if they appear in the same schema as the union.
const STRUCTURE: [&str; 20] = [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

impl<'d> Reader<'d> {
    /// Converts the first union of these schemas. Returns `None` if there is none, or if a shape cannot express it.
    pub(super) fn union(&mut self, parts: &Parts<'d>, types: TypeSet) -> Option<Shape> {
        let (at, keyword, list) = self.unions(parts).next()?;
        let branches = list.items();
        if branches.is_empty() || branches.len() > MOST_BRANCHES {
            return None;
        }
        let stands_alone = !STRUCTURE.iter().any(|keyword| parts.has(keyword));
        let lists_keys = |branch: &Json<'static>| self.follow(branch, &at).get("properties").is_some();
        if !(stands_alone || types == TypeSet::OBJECT && branches.iter().any(lists_keys)) {
            return None;
        }
        let place = join(&at.pointer, keyword);
        let branches: Vec<_> = (0_usize..)
            .zip(branches)
            .map(|(index, branch)| self.document.below(&at, keyword, Some(&index.to_string()), branch))
            .collect();
        // Each branch is converted together with all other constraints on the value, but without this union.
        self.skipped.push(place.clone());
        let shape = self.branches(parts, &branches, types, stands_alone);
        self.skipped.pop();
        self.expressed.insert(place);
        Some(shape)
    }

    fn unions(&self, parts: &Parts<'d>) -> impl Iterator<Item = (At<'d>, &'static str, &'d Json<'static>)> {
        let found: Vec<_> = ["anyOf", "oneOf"]
            .into_iter()
            .flat_map(|keyword| parts.each(keyword).map(move |(at, list)| (at.clone(), keyword, list)))
            .filter(|(at, keyword, _)| !self.skipped.contains(&join(&at.pointer, keyword)))
            .collect();
        found.into_iter()
    }

    /// Returns the schema that a branch refers to, or the branch itself.
    fn follow(&self, branch: &'d Json<'static>, at: &At<'d>) -> &'d Json<'static> {
        let reference = branch.get("$ref").and_then(Json::as_str);
        match reference.map(|reference| self.document.resolve(at, reference)) {
            Some(Target::Here(target)) => target.schema,
            _ => branch,
        }
    }

    fn branches(&mut self, parts: &Parts<'d>, branches: &[At<'d>], types: TypeSet, stands_alone: bool) -> Shape {
        let mut shapes = Vec::with_capacity(branches.len());
        for branch in branches {
            let together: Vec<_> =
                if stands_alone { vec![branch.clone()] } else { parts.0.iter().chain([branch]).cloned().collect() };
            shapes.push((branch.clone(), self.shape(&together, types)));
        }
        shapes.retain(|(_, shape)| !is_never(shape));
        if shapes.is_empty() {
            return Shape::new(untagged(Vec::new()));
        }
        let plain = shapes.len();
        shapes.retain(|(_, shape)| !matches!(shape.kind, Kind::Null));
        let is_nullable = shapes.len() < plain;
        let shape = if shapes.is_empty() {
            return Shape::new(Kind::Null);
        } else if let [(_, only)] = &shapes[..] {
            only.clone()
        } else if let Some(names) = all_names(&shapes) {
            Shape::new(enum_values::enumeration(names.iter().map(Text::as_str)))
        } else if let Some(union) = self.tagged(&shapes, types, stands_alone) {
            Shape::new(union)
        } else {
            Shape::new(untagged(shapes.into_iter().map(|(_, shape)| payload(shape)).collect()))
        };
        if is_nullable { nullable(shape) } else { shape }
    }

    /// Returns a union with tags, if every branch is an object that requires the same key with one constant string, and all these strings
    /// differ.
    fn tagged(&mut self, shapes: &[(At<'d>, Shape)], types: TypeSet, stands_alone: bool) -> Option<Kind> {
        let mut objects = Vec::with_capacity(shapes.len());
        for (branch, shape) in shapes {
            let shape = match &shape.kind {
                // The definition is converted again for this branch, because the tag is removed from it. The definitions inside it stay
                // shared.
                Kind::Alias(_) if stands_alone => {
                    let mut inner = self.shape_of_target(branch, types)?;
                    if !shape.doc.is_empty() {
                        inner.doc = shape.doc.clone();
                    }
                    inner
                }
                Kind::Alias(_) => return None,
                _ => shape.clone(),
            };
            objects.push(shape);
        }
        let first = object(objects.first()?)?;
        let tag = first.fields.iter().map(|field| &field.name).find(|tag| {
            let mut seen = HashSet::new();
            objects.iter().all(|shape| constant(shape, tag).is_some_and(|name| seen.insert(name)))
        })?;
        let variants: Option<Vec<_>> = objects.iter().map(|shape| variant(shape, tag)).collect();
        let variants = SharedSlice::from(variants?);
        Some(Kind::Union(Union {
            tagging: Tagging::Internal { tag: tag.clone() },
            variants,
            unknown: UnknownKeys::Ignored,
        }))
    }

    fn shape_of_target(&mut self, branch: &At<'d>, types: TypeSet) -> Option<Shape> {
        let mut at = branch.clone();
        for _ in 0..8 {
            let Some(reference) = at.schema.get("$ref").and_then(Json::as_str) else { break };
            let Target::Here(target) = self.document.resolve(&at, reference) else { return None };
            at = target;
        }
        // The target must be an object, not another union or reference, whose conversion might never end.
        let says_more = ["anyOf", "oneOf", "$ref"].iter().any(|keyword| at.schema.get(keyword).is_some());
        (!says_more).then(|| self.shape(&[at], types))
    }
}

fn object(shape: &Shape) -> Option<&Object> {
    if let Kind::Object(object) = &shape.kind { Some(object) } else { None }
}

/// Returns the string of a required field, if the field can have only this one.
fn constant(shape: &Shape, tag: &str) -> Option<Text> {
    let field = object(shape)?.fields.iter().find(|field| field.required && !field.flatten && field.name == *tag)?;
    match &field.shape.shape().kind {
        Kind::Union(union) if is_enumeration(union) && union.variants.len() == 1 => {
            Some(union.variants[0].name.clone())
        }
        _ => None,
    }
}

/// Returns the branch without its tag.
fn variant(shape: &Shape, tag: &str) -> Option<Variant> {
    let name = constant(shape, tag)?;
    let whole = object(shape)?;
    let fields: Vec<_> = whole.fields.iter().filter(|field| field.name != *tag).cloned().collect();
    // The rules of the whole object, such as `minProperties`, count the tag, so they would be off by one here. They are left out.
    let kind = Kind::Object(Object { fields: fields.into(), unknown: whole.unknown });
    let rest = Shape { kind, rules: SharedSlice::EMPTY, ..shape.clone() };
    Some(Variant { doc: shape.doc.clone(), payload: Some(Ref::Shared(Arc::new(rest))), ..unit_variant(name) })
}

/// Returns the names of all branches if each branch is an enumeration.
fn all_names(shapes: &[(At<'_>, Shape)]) -> Option<Vec<Text>> {
    let mut names = Vec::new();
    for (_, shape) in shapes {
        match &shape.kind {
            Kind::Union(union) if is_enumeration(union) => names.extend(variant_names(union)),
            _ => return None,
        }
    }
    Some(names)
}
