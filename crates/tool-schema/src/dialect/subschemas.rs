//! Visits the schemas inside a schema.

use crate::json::{Json, Node};

/// Keywords whose members are schemas.
const NAMED: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Keywords whose value is a schema or a list of schemas.
const SCHEMAS: [&str; 16] = [
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];

/// Keywords for the members or items that no other keyword describes.
const FURTHER: [&str; 4] = ["additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties"];

/// Edits every schema inside a schema, and then the schema itself. The recursion is bounded, because the nesting of `Json` is.
pub(super) fn edit_each(schema: &mut Json<'static>, edit: &mut dyn FnMut(&mut Json<'static>)) {
    if let Node::Object(members) = &mut schema.node {
        for entry in members {
            let key = &*entry.key;
            match &mut entry.value.node {
                Node::Object(named) if NAMED.contains(&key) => {
                    for named in named {
                        edit_each(&mut named.value, edit);
                    }
                }
                Node::Array(parts) if SCHEMAS.contains(&key) => {
                    for part in parts {
                        edit_each(part, edit);
                    }
                }
                // `true` and `false` for further members and items are settings, and not schemas.
                Node::Bool(_) if FURTHER.contains(&key) => {}
                _ if SCHEMAS.contains(&key) => edit_each(&mut entry.value, edit),
                _ => {}
            }
        }
    }
    edit(schema);
}
