//! `Parts`: all that is said of one value, by a schema, by the elements of its `allOf`, by what it refers to.
//!
//! In come schemas that must all hold; out go their keywords, side by side. What always holds: each part is an assertion of its own, so
//! whoever leaves one out says less than the schema and never more.

use super::Reader;
use super::document::{At, Target};
use super::types::Types;
use crate::json::Json;
use crate::shape::Text;

/// How many schemas are gathered for one value.
const MOST_PARTS: usize = 64;

/// Schemas of which all must hold.
pub(super) struct Parts<'d>(pub(super) Vec<At<'d>>);

impl<'d> Reader<'d> {
    /// The schemas themselves, with the elements of `allOf` and the targets of references beside them.
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

impl<'d> Parts<'d> {
    /// Every occurrence of a keyword, with the schema that has it.
    pub(super) fn each(&self, keyword: &str) -> impl Iterator<Item = (&At<'d>, &'d Json<'static>)> {
        self.0.iter().filter_map(move |at| Some((at, at.schema.get(keyword)?)))
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.each(keyword).next().is_some()
    }

    /// The types that all of them allow.
    pub(super) fn types(&self, limit: Types) -> Types {
        self.each("type").fold(limit, |types, (_, named)| types.and(Types::of_keyword(named)))
    }

    /// The first words that anybody has for the value.
    pub(super) fn doc(&self) -> Text {
        let mut words =
            self.each("description").filter_map(|(_, words)| words.as_str()).filter(|words| !words.is_empty());
        words.next().map_or(Text::EMPTY, |words| words.to_owned().into())
    }
}
