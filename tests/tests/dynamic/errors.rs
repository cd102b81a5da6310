//! Invalid schemas: building the tool fails with an error that names the kind and the location.

use serde_json::{Value, json};
use tool_dynamic::{InputSchema, SchemaError};

fn rejected(schema: Value) -> String {
    InputSchema::parse(schema).expect_err("the schema is wrong").to_string()
}

#[test]
fn keywords_with_invalid_values_are_errors_with_their_location() {
    let of = |keyword: &str, value: Value| rejected(json!({"properties": {"a": {keyword: value}}}));
    assert_eq!(of("type", json!("str")), "#/properties/a/type: \"str\" is not a type");
    assert_eq!(of("pattern", json!("(")), "#/properties/a/pattern: \"(\" is not a regular expression");
    assert!(of("required", json!("a")).starts_with("#/properties/a/required: "), "{}", of("required", json!("a")));
    assert!(of("minimum", json!("1")).starts_with("#/properties/a/minimum: "), "{}", of("minimum", json!("1")));
    assert!(of("properties", json!([])).starts_with("#/properties/a/properties: "));
    assert!(of("items", json!(5)).starts_with("#/properties/a/items: "));
    assert!(of("enum", json!("a")).starts_with("#/properties/a/enum: "));
}

#[test]
fn references_without_a_target_are_errors_with_their_location() {
    let of = |reference: &str| {
        InputSchema::parse(json!({"properties": {"a": {"$ref": reference}}})).expect_err("it leads nowhere")
    };
    assert!(matches!(of("#/$defs/a"), SchemaError::MissingTarget { path, .. } if path == "/properties/a/$ref"));
    assert!(matches!(of("#anchor"), SchemaError::MissingTarget { .. }));
    assert!(matches!(of("https://example.org/a.json"), SchemaError::RemoteTarget { .. }));
    assert!(matches!(of("other.json#/a"), SchemaError::RemoteTarget { .. }));
    // Unused definitions are checked too.
    let unused = json!({"$defs": {"a": {"$ref": "#/$defs/b"}}});
    assert!(matches!(InputSchema::parse(unused), Err(SchemaError::MissingTarget { .. })));
}

#[test]
fn schemas_whose_check_would_never_end_are_errors() {
    let itself = json!({"$ref": "#"});
    assert!(matches!(InputSchema::parse(itself), Err(SchemaError::Circular { .. })));
    let round = json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}});
    assert!(matches!(InputSchema::parse(round), Err(SchemaError::Circular { .. })));
}

#[test]
fn unknown_dialects_are_errors() {
    for dialect in ["https://example.org/mine", "http://json-schema.org/draft-03/schema#"] {
        let error = InputSchema::parse(json!({"$schema": dialect})).expect_err("the dialect is not known");
        assert!(matches!(error, SchemaError::UnknownDialect { dialect: named } if named == dialect));
    }
}

#[test]
fn schemas_that_accept_no_objects_are_errors() {
    for schema in [json!({"type": "array"}), json!(false), json!({"anyOf": [{"type": "string"}, {"type": "null"}]})] {
        assert_eq!(InputSchema::parse(schema).err(), Some(SchemaError::NotAnObject));
    }
    for schema in [json!({}), json!(true), json!(null), json!({"anyOf": [{"type": "object"}, {"type": "null"}]})] {
        assert!(InputSchema::parse(&schema).is_ok(), "{schema}");
    }
}

#[test]
fn values_that_are_not_schemas_are_errors() {
    assert!(matches!(InputSchema::parse("{"), Err(SchemaError::Syntax(_))));
    assert!(matches!(InputSchema::parse(json!([])), Err(SchemaError::Keyword { .. })));
}
