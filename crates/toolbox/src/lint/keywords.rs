//! The keywords of JSON Schema, and the types that each of them can say anything about.

use tool_runtime::tool_schema::json::JsonType::{self, Array, Integer, Number, Object, String};

/// A keyword that only judges values of some types.
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

/// Every keyword that means something in some dialect, or to some provider.
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

/// Keywords whose value is a schema.
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

/// Keywords whose value is a list of schemas.
pub(super) const SCHEMAS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];

/// Keywords whose value has a schema under each key.
pub(super) const NAMED_SCHEMAS: &[&str] =
    &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
