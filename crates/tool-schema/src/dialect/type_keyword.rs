//! Reads the types of a schema.

use arrayvec::ArrayVec;

use crate::json::{Json, JsonType, Node};

/// Types of JSON, each once.
pub(super) type Types = ArrayVec<JsonType, 7>;

/// Returns the distinct types in the keyword `type`, which is a string or a list; empty if the schema has no `type`.
pub(super) fn types(schema: &Json<'static>) -> Types {
    let mut types = Types::new();
    let Some(stated) = schema.get("type") else { return types };
    let list = if let Node::Array(list) = &stated.node { list.as_slice() } else { std::slice::from_ref(stated) };
    for known in list.iter().filter_map(Json::as_str).filter_map(json_type) {
        if !types.contains(&known) {
            types.push(known);
        }
    }
    types
}

fn json_type(name: &str) -> Option<JsonType> {
    use JsonType::{Array, Boolean, Integer, Null, Number, Object, String};
    [Null, Boolean, Integer, Number, String, Array, Object].into_iter().find(|known| name == known.name())
}
