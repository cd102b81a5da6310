//! Hostile schemas and values: there is no panic and no stack overflow, and the work is bounded. Each test runs on the stack of an ordinary
//! thread.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tool_dynamic::{InputSchema, SchemaError};
use tool_schema::issue::MAX_ISSUES;

#[test]
fn deep_schemas_are_an_error() {
    let nested = "{\"not\":".repeat(100_000) + "{}" + &"}".repeat(100_000);
    assert!(matches!(InputSchema::parse(&nested), Err(SchemaError::Syntax(_))));
    let mut value = json!({});
    let negated = |value: Value| Value::Object(Map::from_iter([("not".to_owned(), value)]));
    for _ in 0..120 {
        value = negated(value);
    }
    assert!(matches!(InputSchema::parse(&value), Err(SchemaError::TooDeep { .. })));
    for _ in 0..10_000 {
        value = negated(value);
    }
    assert!(matches!(InputSchema::parse(&value), Err(SchemaError::Syntax(_))));
    // Dropping a deep `serde_json` value could overflow the stack itself.
    std::mem::forget(value);
}

/// Returns a chain of definitions: `d0` refers to `d1`, `d1` to `d2`, and so on, each in the way of `link`.
fn chain(length: usize, link: impl Fn(Value) -> Value) -> Value {
    let name = |index: usize| format!("d{index}");
    let mut definitions: Map<String, Value> =
        (0..length).map(|index| (name(index), link(json!({"$ref": format!("#/$defs/{}", name(index + 1))})))).collect();
    definitions.insert(name(length), json!({"type": "string"}));
    json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
}

#[test]
fn references_that_multiply_are_an_error() {
    let doubled = chain(30, |next| json!({"allOf": [next, {"anyOf": [next]}]}));
    assert!(InputSchema::parse(doubled).is_err());
    let few = chain(8, |next| json!({"anyOf": [next, {"allOf": [next]}]}));
    let schema = InputSchema::parse(few).expect("so few do no harm");
    assert_eq!(schema.check(&json!({"a": 5}).into()).len(), 1);
}

/// No time is measured: a search of all resources for every reference would practically not end.
#[test]
fn thousands_of_references_to_resources_resolve_quickly() {
    for (base, number) in [("", 10_000), ("https://example.org/root", 2_000)] {
        let id =
            |index: usize| if base.is_empty() { format!("https://example.org/d{index}") } else { format!("d{index}") };
        let properties: Map<String, Value> =
            (0..number).map(|index| (format!("p{index}"), json!({"$ref": id(index)}))).collect();
        let definitions: Map<String, Value> =
            (0..number).map(|index| (format!("d{index}"), json!({"$id": id(index), "type": "string"}))).collect();
        let mut schema = json!({"properties": properties, "$defs": definitions});
        if !base.is_empty() {
            schema["$id"] = json!(base);
        }
        let schema = InputSchema::parse(schema).expect("every reference leads somewhere");
        let last = format!("p{}", number - 1);
        let issues = schema.check(&json!({&last: 5}).into());
        assert_eq!(issues.iter().map(|issue| issue.path.to_string()).collect::<Vec<_>>(), [last]);
    }
}

#[test]
fn long_chains_of_references_are_accepted_or_an_error() {
    for length in [10, 100, 1_000, 20_000] {
        for link in
            [|next: Value| json!({"allOf": [next]}), |next: Value| json!({"type": "object", "properties": {"a": next}})]
        {
            match InputSchema::parse(chain(length, link)) {
                Ok(schema) => assert!(!schema.check(&json!({"a": 5}).into()).is_empty()),
                Err(error) => assert!(matches!(error, SchemaError::TooDeep { .. }), "{error}"),
            }
        }
    }
    assert!(InputSchema::parse(chain(60, |next| json!({"type": "object", "properties": {"a": next}}))).is_ok());
}

#[test]
fn branches_multiplied_by_nesting_are_remembered() {
    // Every level tries both branches, and both are recursive.
    let node = json!({"anyOf": [
        {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["a"]},
        {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["b"]},
        {"type": "string"}
    ]});
    let schema = InputSchema::parse(json!({"properties": {"node": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}))
        .expect("it is one");
    let nested = |levels: usize| {
        let mut text = String::from("\"end\"");
        for _ in 0..levels {
            text = format!("{{\"next\":{text},\"b\":1}}");
        }
        format!("{{\"node\":{text}}}")
    };
    assert!(schema.check(&nested(8).into()).is_empty());
    assert!(schema.check(&nested(100).into()).is_empty());
}

/// Returns a recursive schema whose branches multiply, with one kind of reference.
fn recursive(dialect: &str, anchor: (&str, Value), reference: &Value) -> Value {
    let mut schema = json!({
        "$schema": format!("https://json-schema.org/draft/{dialect}/schema"),
        "type": "object",
        "properties": {"n": {"anyOf": [reference, reference, {"allOf": [reference, reference]}]}},
    });
    schema[anchor.0] = anchor.1;
    schema
}

#[test]
fn dynamic_references_are_counted_like_static_ones() {
    let schemas = [
        recursive("2020-12", ("$dynamicAnchor", json!("n")), &json!({"$dynamicRef": "#n"})),
        recursive("2020-12", ("$anchor", json!("n")), &json!({"$dynamicRef": "#n"})),
        recursive("2020-12", ("$comment", json!("n")), &json!({"$dynamicRef": "#"})),
        recursive("2019-09", ("$recursiveAnchor", json!(true)), &json!({"$recursiveRef": "#"})),
        recursive("2019-09", ("$comment", json!("n")), &json!({"$recursiveRef": "#"})),
        recursive("2020-12", ("$comment", json!("n")), &json!({"$ref": "#"})),
    ];
    for schema in schemas {
        let read = InputSchema::parse(&schema).expect("it is one");
        assert!(read.check(&r#"{"n": {"n": {}}}"#.into()).is_empty(), "{schema}");
        for levels in [16, 24, 100] {
            let issues = read.check(&("{\"n\":".repeat(levels) + "5" + &"}".repeat(levels)).into());
            assert_eq!(issues.len(), 1, "{schema}");
        }
    }
}

#[test]
fn a_dynamic_reference_counts_as_one_to_each_anchor() {
    let tree = |reference: &str| {
        json!({
            "$id": "https://example.org/strict",
            "$dynamicAnchor": "node",
            "$ref": "tree",
            "unevaluatedProperties": false,
            "$defs": {"tree": {
                "$id": "tree",
                "$dynamicAnchor": "node",
                "type": "object",
                "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$dynamicRef": reference}}},
            }},
        })
    };
    let schema = InputSchema::parse(tree("#node")).expect("the example of the specification can be read");
    assert!(schema.check(&r#"{"children": [{"name": "a", "children": []}]}"#.into()).is_empty());
    assert_eq!(schema.check(&r#"{"children": [{"nome": "a"}]}"#.into()).len(), 1);
    assert!(matches!(InputSchema::parse(tree("#nobody")), Err(SchemaError::MissingTarget { .. })));
    let anchors: Map<String, Value> = (0..100)
        .map(|index| (format!("d{index}"), json!({"$id": format!("d{index}"), "$dynamicAnchor": "n"})))
        .collect();
    let many = json!({"$id": "https://example.org/", "$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}, "$defs": anchors});
    assert!(matches!(InputSchema::parse(many), Err(SchemaError::TooManyAnchors { .. })));
    let same = json!({"$dynamicAnchor": "n", "allOf": [{"$dynamicRef": "#n"}]});
    assert!(matches!(InputSchema::parse(same), Err(SchemaError::Circular { .. })));
}

#[test]
fn dynamic_references_have_no_effect_in_dialects_without_them() {
    let dialect = "http://json-schema.org/draft-07/schema#";
    let reference =
        json!({"$schema": dialect, "properties": {"n": {"type": "string"}}, "$dynamicRef": "#", "$recursiveRef": "#"});
    let schema = InputSchema::parse(reference).expect("the keywords are unknown there");
    assert!(schema.check(&r#"{"n": "a"}"#.into()).is_empty());
    // A part in a newer dialect would enable the keywords.
    let newer = recursive("2020-12", ("$dynamicAnchor", json!("n")), &json!({"$dynamicRef": "#n"}));
    for part in [
        json!({"properties": {"a": newer}}),
        json!({"definitions": {"a": newer}, "properties": {"b": {"$ref": "#/definitions/a"}}}),
    ] {
        let mut mixed = part;
        mixed["$schema"] = json!(dialect);
        assert!(matches!(InputSchema::parse(mixed), Err(SchemaError::MixedDialects { .. })));
    }
    let older = json!({"properties": {"a": {"$schema": dialect, "type": "string"}}});
    assert!(InputSchema::parse(older).is_ok());
}

#[test]
fn recursive_schemas_accept_deep_values() {
    let tree = json!({"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}, "name": {"type": "string"}}});
    let schema = InputSchema::parse(tree).expect("it is one");
    let nested = |inner: &str| "{\"children\":[".repeat(60) + inner + &"]}".repeat(60);
    assert!(schema.check(&nested("{\"name\":\"x\"}").into()).is_empty());
    let issues = schema.check(&nested("{\"name\":5}").into());
    assert_eq!(issues.len(), 1);
    assert!(issues[0].path.to_string().ends_with("children[0].name"));
}

#[test]
fn wide_values_are_checked_in_linear_time() {
    let schema = json!({"properties": {"all": {"type": "array", "items": {"anyOf": [
        {"type": "object", "properties": {"k": {"const": "a"}, "n": {"type": "integer"}}, "required": ["k"]},
        {"type": "object", "properties": {"k": {"const": "b"}, "n": {"type": "string", "pattern": "^(a+)+$"}}, "required": ["k"]}
    ]}}}, "additionalProperties": false});
    let schema = InputSchema::parse(schema).expect("it is one");
    let mut text = String::from("{\"all\":[");
    for index in 0..20_000 {
        let _ = write!(text, "{}{{\"k\":\"a\",\"n\":\"x\"}}", if index == 0 { "" } else { "," });
    }
    text.push_str("]}");
    assert_eq!(schema.check(&text.as_str().into()).len(), MAX_ISSUES + 1);
    let keys: Map<String, Value> = (0..20_000).map(|index| (format!("k{index}"), json!(1))).collect();
    assert_eq!(schema.check(&Value::Object(keys).into()).len(), MAX_ISSUES + 1);
}

#[test]
fn patterns_with_excessive_backtracking_are_abandoned() {
    let schema = json!({"properties": {"s": {"type": "string", "pattern": "^(?=(a+)+$)(a+)+b$"}}});
    let schema = InputSchema::parse(schema).expect("it is one");
    assert_eq!(schema.check(&json!({"s": "a".repeat(40)}).into()).len(), 1);
}

#[test]
fn large_schemas_are_accepted_or_rejected() {
    let properties: Map<String, Value> =
        (0..20_000).map(|index| (format!("p{index}"), json!({"type": "string"}))).collect();
    let schema =
        InputSchema::parse(json!({"type": "object", "properties": properties})).expect("it is large, and no more");
    assert_eq!(schema.check(&json!({"p19999": 1}).into()).len(), 1);
    let many: Map<String, Value> = (0..100_001).map(|index| (format!("p{index}"), json!({}))).collect();
    assert!(matches!(InputSchema::parse(json!({"properties": many})), Err(SchemaError::TooLarge { .. })));
}

#[test]
fn malformed_or_deeply_nested_arguments_are_issues() {
    let schema = InputSchema::parse(json!({"properties": {"a": {"type": "integer"}}})).expect("it is one");
    for text in ["", "null", "[]", "5", "\"x\"", "{", "{\"a\":}", "{\"a\":1}}", "\u{0}", "{\"a\":1} {\"a\":2}"] {
        let is_nothing = matches!(text, "" | "null");
        assert_eq!(schema.check(&text.into()).is_empty(), is_nothing, "{text}");
    }
    assert_eq!(schema.check(&(&b"{\"a\":\xff}"[..]).into()).len(), 1);
    let mut deep = json!(1);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    assert_eq!(schema.check(&json!({"b": deep}).into()).len(), 1);
}
