//! Rewrites arrays: the schemas of their items.

use super::super::inverse_plan::Plan;
use super::Rewriter;
use super::schema_builder::SchemaBuilder;
use crate::json::build::list;
use crate::json::{Json, Node};

/// The keywords that this file writes.
pub(super) const OWN: [&str; 3] = ["items", "prefixItems", "additionalItems"];

/// Returns `true` if a schema has no keywords, or is `true`.
fn accepts_any(schema: &Json<'static>) -> bool {
    schema.as_bool() == Some(true) || matches!(&schema.node, Node::Object(keywords) if keywords.is_empty())
}

impl Rewriter<'_> {
    /// Writes the schemas of an array's items.
    pub(super) fn items(&mut self, schema: &Json<'static>, group: &mut SchemaBuilder) -> Plan {
        let positions = schema
            .get("prefixItems")
            .or_else(|| schema.get("items").filter(|items| matches!(items.node, Node::Array(_))));
        if let Some(positions) = positions {
            return self.positions(positions, schema, group);
        }
        let items = schema.get("items").filter(|items| !(self.form.one_type && accepts_any(items)));
        let Some(items) = items else {
            if self.form.needs_types && !self.form.one_type {
                self.lose("has items of any kind");
            }
            return Plan::Same;
        };
        let (written, plan) = self.at_step("[]", &["items"], |rewriter| rewriter.schema(items));
        group.push("items", written);
        plan
    }

    /// Writes the items of an array in which each position has its own schema. Such items need no plan, because no form
    /// that rewrites values supports them.
    fn positions(&mut self, positions: &Json<'static>, schema: &Json<'static>, group: &mut SchemaBuilder) -> Plan {
        if self.form.needs_types {
            self.lose("has items that differ by their position");
            return Plan::Same;
        }
        let reads = self.form.keywords.is_none_or(|read| read.contains(&"prefixItems"));
        if self.form.keywords.is_some() && reads {
            let written = positions.items().iter().map(|position| self.schema(position).0).collect::<Vec<_>>();
            group.push("prefixItems", list(written));
            // The array's bounds already state that there are no more items than positions.
            if let Some(items) = schema.get("items").filter(|items| matches!(items.node, Node::Object(_))) {
                let (items, _) = self.schema(items);
                group.push("items", items);
            }
            return Plan::Same;
        }
        for keyword in OWN {
            if let Some(value) = schema.get(keyword) {
                let value = self.verbatim(value);
                group.push(keyword, value);
            }
        }
        Plan::Same
    }
}
