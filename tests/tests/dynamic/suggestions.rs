//! Suggestions for issues that only `jsonschema` finds: they have the same text as others, and never name a present key.

use serde_json::json;
use tool_dynamic::InputSchema;

#[test]
fn a_present_name_is_not_suggested() -> Result<(), Box<dyn std::error::Error>> {
    let object =
        json!({"additionalProperties": false, "properties": {"city": {"type": "string"}, "zip": {"type": "string"}}});
    let with = |key: &str, value: serde_json::Value| {
        let mut schema = object.clone();
        schema[key] = value;
        schema
    };
    let schemas = [
        object.clone(),
        with("dependentRequired", json!({"zip": ["city"]})),
        with("patternProperties", json!({"^x-": true})),
        with("not", json!({"required": ["zip", "x-y"]})),
        json!({"allOf": [object.clone(), {"not": {"required": ["zip"]}}]}),
        json!({"if": {"required": ["zip"]}, "else": object.clone()}),
        json!({"properties": {"city": true, "zip": true}, "unevaluatedProperties": false}),
    ];
    for schema in schemas {
        let read = InputSchema::parse(schema.to_string().as_str())?;
        let suggestion = |text: &str| {
            let issues = read.check(&text.into());
            let of_key = issues.iter().find(|issue| issue.path.last_key() == Some("citty"));
            of_key.and_then(|issue| issue.suggestion.clone())
        };
        assert_eq!(suggestion(r#"{"citty": "a", "city": "b"}"#), None, "{schema}");
    }
    Ok(())
}
