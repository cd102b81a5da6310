//! The keywords of JSON Schema, and the types to which each applies.

use tool_runtime::tool_schema::json::JsonType::{self, Array, Integer, Number, Object, String};

/// Returns the types to which a keyword applies, or `None` if it applies to all types.
pub(super) fn judges(keyword: &str) -> Option<&'static [JsonType]> {
    Some(match keyword {
        "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" | "contentMediaType" => &[String],
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => &[Integer, Number],
        "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains" | "minContains"
        | "maxContains" | "minItems" | "maxItems" | "uniqueItems" => &[Array],
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "unevaluatedProperties"
        | "dependentRequired"
        | "dependentSchemas" => &[Object],
        _ => return None,
    })
}

/// All keywords that have a meaning in some dialect or for some provider.
pub(super) const KNOWN: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "discriminator",
    "else",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "id",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "propertyOrdering",
    "readOnly",
    "required",
    "strict",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];

/// Keywords that contain a schema.
pub(super) const SCHEMA: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords that contain a list of schemas.
pub(super) const SCHEMAS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];

/// Keywords that contain a map of schemas.
pub(super) const NAMED_SCHEMAS: &[&str] =
    &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
