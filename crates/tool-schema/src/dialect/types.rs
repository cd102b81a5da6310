//! Reads the types of a schema.

use crate::json::{Json, JsonType, Node};

/// Returns the types of `type`, alone or in a list, each once; none if the schema names none.
pub(super) fn types(schema: &Json<'static>) -> Vec<JsonType> {
    let mut types: Vec<JsonType> = Vec::new();
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
