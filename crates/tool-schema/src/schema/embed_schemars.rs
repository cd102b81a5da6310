//! Includes schemas from `schemars`, for types that do not implement `ToolInput`.
//!
//! Such a schema is called a document here. Its `$defs` are moved into the `$defs` of the whole schema under new names, and its `$ref`s are
//! adapted. Invariants: the definitions of a document are moved once, however often the document is used; a document that is not a JSON
//! Schema (neither an object nor a boolean) accepts every value.

use std::collections::HashMap;

use super::draft::Draft;
use super::from_shape::{Hoisted, SchemaRenderer};
use crate::json::pointer::rename_references;
use crate::json::{Json, Node};

/// The new pointer of each definition, keyed by its old pointer.
type Moves = HashMap<String, String>;

impl SchemaRenderer {
    pub(super) fn foreign(&mut self, schema: &schemars::Schema) -> Draft {
        let Ok(document) = Json::from_value(schema.as_value()) else { return Draft::default() };
        let document = document.into_owned().sorted();
        if let Some(known) = self.hoisted.iter().find(|known| known.document == document) {
            return Draft::from_json(known.root.clone());
        }
        let root = self.hoist(document.clone());
        self.hoisted.push(Hoisted { document, root: root.clone() });
        Draft::from_json(root)
    }

    fn hoist(&mut self, mut document: Json<'static>) -> Json<'static> {
        let title = document.get("title").and_then(Json::as_str).unwrap_or_default().to_owned();
        let Node::Object(keywords) = &mut document.node else { return document };
        // The title only repeats a Rust name, and the dialect is named once for the whole schema.
        keywords.retain(|keyword| !matches!(&*keyword.key, "$schema" | "title"));
        let (definitions, own): (Vec<_>, Vec<_>) =
            std::mem::take(keywords).into_iter().partition(|keyword| keyword.key == "$defs");
        *keywords = own;
        let mut moves = Moves::new();
        let mut places = Vec::new();
        for definition in definitions.iter().flat_map(|definitions| definitions.value.members()) {
            let place = self.define(&definition.key);
            moves.insert(format!("#/$defs/{}", definition.key), self.pointer(place));
            places.push((place, definition.value.clone()));
        }
        let refers_to_root = |json: &Json<'_>| refers(json, "#");
        if refers_to_root(&document) || places.iter().any(|(_, definition)| refers_to_root(definition)) {
            let place = self.define(&title);
            moves.insert("#".to_owned(), self.pointer(place));
            places.push((place, document));
            document = self.reference(place).finish();
        } else {
            rename_references(&mut document, &moves);
        }
        for (place, mut definition) in places {
            rename_references(&mut definition, &moves);
            self.fill(place, definition);
        }
        document
    }
}

/// Returns `true` if a schema refers to a pointer. The recursion is bounded by the depth of `Json`.
fn refers(json: &Json<'_>, pointer: &str) -> bool {
    let is_reference =
        json.members().iter().any(|member| member.key == "$ref" && member.value.as_str() == Some(pointer));
    is_reference || json.parts().any(|part| refers(part, pointer))
}
