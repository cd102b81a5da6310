//! Hostile schemas and values: deep, wide, circular, contradictory. Every dialect returns, and the sizes of results are bounded.

use serde_json::{Value, json};
use tests::providers::DIALECTS;
use tool_schema::json::{DEPTH_LIMIT, Json};

use tests::dialects::values::Dice;

use crate::dialects::{dialect, json, render, restored};

/// Renders a schema in every dialect, and restores values.
fn answered(schema: &Json<'static>) -> usize {
    let mut largest = 0;
    for name in DIALECTS {
        let rendition = render(dialect(name), "do_it", schema);
        assert!(!rendition.omits_tool() || !rendition.notes().is_empty(), "{name}");
        largest = largest.max(rendition.to_string().len());
        for sent in [json!({}), json!({"a": null, "b": [{"key": "k", "value": {}}]}), json!([null])] {
            drop(restored(&rendition, &sent));
        }
    }
    largest
}

#[test]
fn deep_schemas_are_rendered_without_a_panic() {
    let levels = DEPTH_LIMIT / 2 - 2;
    for (open, close) in [
        (r#"{"type":"object","additionalProperties":false,"properties":{"a":"#, "}}"),
        (r#"{"type":"array","items":"#, "}"),
        (r#"{"anyOf":["#, "]}"),
        (r#"{"allOf":["#, "]}"),
        (r#"{"type":"object","additionalProperties":"#, "}"),
    ] {
        let nested = format!("{}{{\"type\":\"string\"}}{}", open.repeat(levels - 2), close.repeat(levels - 2));
        let schema = format!(r#"{{"type":"object","additionalProperties":false,"properties":{{"a":{nested}}}}}"#);
        answered(&json(&schema));
    }
}

#[test]
fn circular_and_chained_references_are_rendered_without_a_panic() {
    let circles = [
        r##"{"$ref":"#"}"##.to_owned(),
        r##"{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}"##.to_owned(),
        r##"{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]}}}"##
            .to_owned(),
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##.to_owned(),
    ];
    for circle in circles {
        answered(&json(&circle));
    }
    // Each definition refers twice to the next and has its own description: if references were expanded, the last one would occur 2^200
    // times.
    let definition = |index: usize| {
        let next = format!(r##"{{"$ref":"#/$defs/d{}","description":"x"}}"##, index + 1);
        format!(r#""d{index}":{{"type":"object","properties":{{"a":{next},"b":{next}}},"additionalProperties":false}}"#)
    };
    let chain: Vec<_> = (0..200).map(definition).collect();
    let schema = format!(
        r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"additionalProperties":false,"$defs":{{{},"d200":{{"type":"string"}}}}}}"##,
        chain.join(",")
    );
    let largest = answered(&json(&schema));
    assert!(largest < 40 * schema.len() + 100_000, "{} bytes became {largest}", schema.len());
    let long: Vec<_> = (0..3_000).map(|index| format!(r##""d{index}":{{"$ref":"#/$defs/d{}"}}"##, index + 1)).collect();
    answered(&json(&format!(
        r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"additionalProperties":false,"$defs":{{{},"d3000":{{"type":"string"}}}}}}"##,
        long.join(",")
    )));
}

#[test]
fn wide_schemas_are_rendered_in_linear_time() {
    let properties: Vec<_> = (0..6_000).map(|index| format!(r#""$p{index}":{{"type":"string"}}"#)).collect();
    answered(&json(&format!(
        r#"{{"type":"object","properties":{{{}}},"additionalProperties":false}}"#,
        properties.join(",")
    )));
    let same: Vec<_> = (0..500).map(|index| format!(r#""{}":{{"type":"string"}}"#, "$".repeat(70 + index))).collect();
    answered(&json(&format!(
        r#"{{"type":"object","properties":{{{}}},"additionalProperties":false}}"#,
        same.join(",")
    )));
    let branch = |index: usize| {
        format!(r#"{{"type":"object","properties":{{"k{index}":{{"type":"string"}}}},"additionalProperties":false}}"#)
    };
    let branches: Vec<_> = (0..500).map(branch).collect();
    answered(&json(&format!(
        r#"{{"type":"object","properties":{{"u":{{"anyOf":[{}]}}}},"additionalProperties":false}}"#,
        branches.join(",")
    )));
}

/// Keywords with values that they do not accept.
#[test]
fn keywords_of_the_wrong_type_cause_no_panic() {
    let keywords = [
        "type",
        "properties",
        "required",
        "items",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "enum",
        "const",
        "$ref",
        "$defs",
        "description",
        "format",
        "pattern",
        "minItems",
        "maximum",
        "default",
        "unevaluatedProperties",
        "$id",
        "x-mcp-header",
    ];
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!(7),
        json!("object"),
        json!("#"),
        json!([]),
        json!({}),
        json!(["object", 1]),
        json!([{}, {"$ref": "#"}]),
        json!({"a": {"type": "object"}, "$x": true}),
        json!("#/properties/a"),
        json!(["a", "a"]),
    ];
    let mut dice = Dice::new(7);
    for _ in 0..2_000 {
        let mut member = || {
            let key = keywords[dice.below(keywords.len())];
            (key.to_owned(), values[dice.below(values.len())].clone())
        };
        let inner = Value::Object((0..3).map(|_| member()).collect());
        let mut outer: serde_json::Map<String, Value> = (0..2).map(|_| member()).collect();
        outer.insert("properties".to_owned(), json!({"a": inner, "b": {"items": inner.clone()}}));
        answered(&json(&Value::Object(outer).to_string()));
    }
}

#[test]
fn a_deep_value_is_restored() {
    let schema = r##"{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}"##;
    let rendition = render(dialect("openai-strict"), "do_it", &json(schema));
    let inverse = rendition.inverse().expect("it is rewritten");
    let levels = DEPTH_LIMIT - 1;
    let sent = format!("{}null{}", r#"{"next":"#.repeat(levels), "}".repeat(levels));
    let own = inverse.restore(json(&sent)).map(|own| own.to_text());
    let expected = format!("{}{{}}{}", r#"{"next":"#.repeat(levels - 1), "}".repeat(levels - 1));
    assert_eq!(own.ok(), Some(expected));
}
