//! The collection of all schemas that apply to one value: the schema itself, the elements of its `allOf`, and the targets of its
//! references.
//!
//! Invariant: each of these schemas is an independent assertion, so if one is left out, the result only becomes more permissive.

use tool_runtime::tool_schema::json::Json;

use super::Reader;
use super::applicable_schemas::Parts;
use super::document::{At, Target};

/// The maximum number of schemas that are collected for one value.
const MOST_PARTS: usize = 64;

impl<'d> Reader<'d> {
    /// Returns the schemas with the elements of their `allOf` and the targets of their references.
    pub(super) fn parts(&self, schemas: &[At<'d>]) -> Parts<'d> {
        let mut parts = Vec::new();
        for at in schemas {
            self.gather(at, &mut parts);
        }
        Parts(parts)
    }

    fn gather(&self, at: &At<'d>, parts: &mut Vec<At<'d>>) {
        if parts.len() >= MOST_PARTS || parts.iter().any(|part| part.pointer == at.pointer) {
            return;
        }
        let reference = at.schema.get("$ref").and_then(Json::as_str);
        if reference.is_none() || !self.document.ignores_siblings() {
            parts.push(at.clone());
            let all_of = at.schema.get("allOf").map_or(&[][..], Json::items);
            for (index, part) in all_of.iter().enumerate() {
                self.gather(&self.document.below(at, "allOf", Some(&index.to_string()), part), parts);
            }
        }
        if let Some(reference) = reference
            && let Target::Here(target) = self.document.resolve(at, reference)
        {
            self.gather(&target, parts);
        }
    }
}
