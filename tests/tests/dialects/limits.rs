//! The limits of providers at their boundaries: a schema with the largest accepted size is strict, and one more of anything makes the tool
//! plain with a reason. The independent rules accept both definitions.

use serde_json::{Map, Value, json};
use tests::providers::rejections;
use tool_schema::dialect::{Definition, Dialect, EffectiveStrictness};

use crate::dialects::{declaration, dialect, json, render};

fn closed(properties: Value) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// Asserts the form of a schema, and that the provider accepts the definition.
#[track_caller]
fn form(name: &str, schema: &Value) -> EffectiveStrictness {
    let rendition = render(dialect(name), "do_it", &json(&schema.to_string()));
    let definition = rendition.to_value();
    assert_eq!(rejections(name, &[definition]), [""; 0], "{name}");
    if rendition.strictness() == EffectiveStrictness::Plain {
        assert!(rendition.notes()[0].reason().starts_with("not strict: the schema has "), "{:?}", rendition.notes());
    }
    rendition.strictness()
}

/// Asserts that a size is strict, and that the next size is plain.
#[track_caller]
fn boundary(limit: usize, schema: impl Fn(usize) -> Value) {
    for name in ["openai-strict", "openai-responses-strict", "vllm-strict"] {
        assert_eq!(form(name, &schema(limit)), EffectiveStrictness::Strict, "{name}: {limit}");
        assert_eq!(form(name, &schema(limit + 1)), EffectiveStrictness::Plain, "{name}: {}", limit + 1);
    }
}

/// Returns an enum of texts with this many characters together.
fn values(count: usize, characters: usize) -> Value {
    let (each, rest) = (characters / count, characters % count);
    let value = |index: usize| format!("{index:0>width$}", width = each + usize::from(index < rest));
    json!({"type": "string", "enum": (0..count).map(value).collect::<Vec<_>>()})
}

#[test]
fn a_strict_schema_has_at_most_5000_properties() {
    boundary(5_000, |count| {
        let names = (0..count).map(|index| (format!("p{index}"), json!({"type": "boolean"})));
        closed(Value::Object(names.collect::<Map<_, _>>()))
    });
}

#[test]
fn a_strict_schema_has_at_most_10_levels() {
    boundary(10, |levels| {
        (1..levels).fold(closed(json!({"a": {"type": "boolean"}})), |inner, _| closed(json!({ "a": inner })))
    });
}

#[test]
fn a_strict_schema_has_at_most_1000_enum_values() {
    boundary(1_000, |count| closed(json!({"a": values(count - 240, 12_000), "b": values(240, 2_000)})));
}

#[test]
fn a_strict_schema_has_at_most_120000_characters_in_keys_and_enums() {
    // The key counts too; an enum of 250 values has no limit of its own.
    boundary(120_000, |characters| closed(json!({"a": values(250, characters - 1)})));
}

#[test]
fn an_enum_of_more_than_250_values_has_at_most_15000_characters() {
    boundary(15_000, |characters| closed(json!({"a": values(251, characters)})));
    assert_eq!(form("openai-strict", &closed(json!({"a": values(250, 15_001)}))), EffectiveStrictness::Strict);
}

/// Renders tools of one request, and returns the number of strict ones.
fn strict(name: &str, schemas: &[Value]) -> usize {
    let schemas: Vec<_> = schemas.iter().map(|schema| json(&schema.to_string())).collect();
    let names: Vec<_> = (0..schemas.len()).map(|index| format!("do_{index}").into()).collect();
    let description = "Does it.".into();
    let declarations: Vec<_> = names.iter().map(|name| declaration(name, &description)).collect();
    let renditions = dialect(name).render_all(declarations.iter().zip(schemas.iter().map(Some)));
    let definitions: Vec<_> = renditions.iter().filter(|tool| !tool.omits_tool()).map(Definition::to_value).collect();
    assert_eq!((definitions.len(), rejections(name, &definitions)), (schemas.len(), Vec::new()), "{name}");
    renditions.iter().filter(|rendition| rendition.strictness() == EffectiveStrictness::Strict).count()
}

#[test]
fn a_request_has_limits_for_strict_tools_optional_parameters_and_unions() {
    let properties = |count: usize, schema: Value| {
        let names: Vec<_> = (0..count).map(|index| format!("p{index}")).collect();
        closed(names.into_iter().map(|name| (name, schema.clone())).collect::<Map<_, _>>().into())
    };
    let unions = |count: usize| {
        let mut schema = properties(count, json!({"type": ["string", "null"]}));
        schema["required"] = (0..count).map(|index| format!("p{index}")).collect();
        schema
    };
    let optionals = |count| properties(count, json!({"type": "string"}));
    for name in ["anthropic-strict", "bedrock-strict"] {
        let empty = closed(json!({}));
        assert_eq!((strict(name, &vec![empty.clone(); 20]), strict(name, &vec![empty; 21])), (20, 20));
        assert_eq!((strict(name, &[optionals(24)]), strict(name, &[optionals(25)])), (1, 0));
        assert_eq!(
            (strict(name, &[optionals(20), optionals(4)]), strict(name, &[optionals(20), optionals(5)])),
            (2, 1)
        );
        assert_eq!((strict(name, &[unions(16)]), strict(name, &[unions(17)])), (1, 0));
        // The tool that does not fit leaves room for a later one.
        assert_eq!(strict(name, &[unions(10), unions(7), unions(6), optionals(24)]), 3);
    }
}

#[test]
fn names_beyond_the_length_limit_are_rejected_and_keys_renamed() {
    let takes = |dialect: Dialect, length: usize| dialect.accepts_name(&"n".repeat(length));
    for (name, most) in [("openai", 64), ("anthropic", 128), ("bedrock", 64), ("gemini", 63), ("mcp", 128)] {
        assert_eq!((takes(dialect(name), most), takes(dialect(name), most + 1)), (true, false), "{name}");
    }
    for name in ["anthropic", "anthropic-strict", "bedrock", "gemini-schema"] {
        let is_renamed = |length: usize| {
            let schema = closed(json!({"k".repeat(length): {"type": "string"}}));
            render(dialect(name), "do_it", &json(&schema.to_string())).inverse().is_some()
        };
        assert_eq!((is_renamed(64), is_renamed(65)), (false, true), "{name}");
    }
}
