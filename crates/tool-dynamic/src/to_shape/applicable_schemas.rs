//! [`Parts`]: all schemas that apply to one value, and access to their keywords.

use super::document::At;
use super::type_set::TypeSet;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::shape::Text;

/// All schemas that apply to one value.
pub(super) struct Parts<'d>(pub(super) Vec<At<'d>>);

impl<'d> Parts<'d> {
    /// Returns every occurrence of a keyword, with the schema that contains it.
    pub(super) fn each(&self, keyword: &str) -> impl Iterator<Item = (&At<'d>, &'d Json<'static>)> {
        self.0.iter().filter_map(move |at| Some((at, at.schema.get(keyword)?)))
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.each(keyword).next().is_some()
    }

    /// Returns the types in `limit` that all schemas allow.
    pub(super) fn types(&self, limit: TypeSet) -> TypeSet {
        self.each("type").fold(limit, |types, (_, named)| types.and(TypeSet::of_keyword(named)))
    }

    /// Returns the first description in any of the schemas.
    pub(super) fn doc(&self) -> Text {
        let mut words =
            self.each("description").filter_map(|(_, words)| words.as_str()).filter(|words| !words.is_empty());
        words.next().map_or(Text::EMPTY, |words| words.to_owned().into())
    }
}
