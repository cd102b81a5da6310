//! Arrays: one shape for all items, or one shape for each position.
//!
//! A shape for positions cannot describe further items. So only a list of fixed length becomes a tuple. The validator checks the items of
//! other lists with positions.

use tool_runtime::tool_schema::json::{Json, Node};
use tool_runtime::tool_schema::shape::{Kind, Measure, Ref, Shape, SharedSlice};

use super::applicable_schemas::Parts;
use super::document::At;
use super::scalar::{length, size, unique};
use super::{Reader, is_false, shape_with};

impl<'d> Reader<'d> {
    pub(super) fn array(&mut self, parts: &Parts<'d>) -> Shape {
        if let Some(tuple) = self.tuple(parts) {
            return tuple;
        }
        let mut items = Vec::new();
        for (at, schema) in parts.each("items") {
            // With `prefixItems`, `items` applies only to the items after the prefix.
            if matches!(schema.node, Node::Object(_)) && at.schema.get("prefixItems").is_none() {
                items.push(self.document.below(at, "items", None, schema));
            }
        }
        let edge = if items.is_empty() { Ref::Static(Shape::ANY) } else { self.edge(&items) };
        let rules = length(parts, Measure::Items).into_iter().chain(unique(parts)).collect();
        shape_with(Kind::Array(edge), rules)
    }

    fn tuple(&mut self, parts: &Parts<'d>) -> Option<Shape> {
        let at: &At<'d> = parts.0.iter().find(|at| positions(at.schema).is_some())?;
        let (keyword, positions, rest) = positions(at.schema)?;
        let least = parts.each("minItems").filter_map(|(_, bound)| size(bound)).max().unwrap_or(0);
        let most = parts.each("maxItems").filter_map(|(_, bound)| size(bound)).min().unwrap_or(u64::MAX);
        let count = positions.len() as u64;
        if least < count || !(rest.is_some_and(is_false) || most <= count) {
            return None;
        }
        let edges: Vec<_> = (0..)
            .zip(positions)
            .map(|(index, position): (usize, _)| {
                let position = self.document.below(at, keyword, Some(&index.to_string()), position);
                self.edge(&[position])
            })
            .collect();
        Some(shape_with(Kind::Tuple(SharedSlice::from(edges)), unique(parts).into_iter().collect()))
    }
}

/// Returns the keyword that lists the schemas of positions, these schemas, and the schema of the items after these positions.
fn positions<'s>(schema: &'s Json<'static>) -> Option<(&'static str, &'s [Json<'static>], Option<&'s Json<'static>>)> {
    if let Some(positions) = schema.get("prefixItems") {
        return Some(("prefixItems", positions.items(), schema.get("items")));
    }
    let items = schema.get("items").filter(|items| matches!(items.node, Node::Array(_)))?;
    Some(("items", items.items(), schema.get("additionalItems")))
}
