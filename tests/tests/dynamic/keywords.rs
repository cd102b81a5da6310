//! The issues of each keyword: path, keyword, code and message.

use serde_json::{Value, json};
use tool_dynamic::{InputSchema, UnknownFields};
use tool_runtime::RetryHint;

/// Returns `path | keyword | code | message` for each issue of `{"a": value}`, where `a` has the schema.
#[allow(clippy::needless_pass_by_value)] // The calls read better.
fn told(schema: Value, value: Value) -> Vec<String> {
    told_of(json!({"type": "object", "properties": {"a": schema}}), json!({"a": value}))
}

fn told_of(schema: Value, arguments: Value) -> Vec<String> {
    let schema = InputSchema::parse(schema).expect("the schema is one");
    let issues = schema.check(&arguments.into());
    let line = |issue: &tool_runtime::Issue| {
        format!("{} | {} | {} | {}", issue.path, issue.constraint.keyword(), issue.constraint.code(), issue.message())
    };
    issues.iter().map(line).collect()
}

#[test]
fn types_and_lists_of_types_are_checked() {
    assert_eq!(told(json!({"type": "string"}), json!(5)), ["a | type | INVALID_TYPE | a must be a string"]);
    assert_eq!(
        told(json!({"type": ["integer", "null"]}), json!("5")),
        ["a | type | INVALID_TYPE | a must be an integer or null"]
    );
    assert_eq!(told(json!({"type": "integer"}), json!(5.5)), ["a | type | INVALID_TYPE | a must be an integer"]);
    assert!(told(json!({"type": "integer"}), json!(5.0)).is_empty());
}

#[test]
fn enums_of_strings_and_of_other_values_are_checked() {
    assert_eq!(
        told(json!({"enum": ["celsius", "kelvin"]}), json!("celcius")),
        ["a | enum | INVALID_ENUM_VALUE | a must be one of \"celsius\", \"kelvin\""]
    );
    assert_eq!(told(json!({"enum": [1, 2.5]}), json!(3)), ["a | enum | INVALID_ENUM_VALUE | a must be one of 1, 2.5"]);
    assert_eq!(told(json!({"const": true}), json!(false)), ["a | enum | INVALID_ENUM_VALUE | a must be true"]);
    assert!(told(json!({"enum": [1, null]}), json!(1.0)).is_empty());
}

#[test]
fn numbers_and_strings_are_checked_with_their_rules() {
    assert_eq!(
        told(json!({"type": "number", "exclusiveMinimum": 0}), json!(0)),
        ["a | exclusiveMinimum | INVALID_RANGE | a must be above 0"]
    );
    assert_eq!(
        told(json!({"type": "integer", "multipleOf": 5}), json!(7)),
        ["a | multipleOf | INVALID_RANGE | a must be a multiple of 5"]
    );
    assert_eq!(
        told(json!({"type": "string", "pattern": "^(?!x)"}), json!("xy")),
        ["a | pattern | INVALID_PATTERN | a must match the pattern ^(?!x)"]
    );
    assert_eq!(
        told(json!({"type": "string", "format": "ipv4"}), json!("1.2")),
        ["a | format | INVALID_FORMAT | a must be an IPv4 address (four numbers with dots)"]
    );
    assert_eq!(
        told(json!({"type": "string", "format": "regex"}), json!("(")),
        ["a | format | INVALID_FORMAT | a must be in the format regex"]
    );
    // Without a type, a keyword only applies to its own type.
    assert_eq!(
        told(json!({"minLength": 2, "minimum": 2}), json!(1)),
        ["a | minimum | INVALID_RANGE | a must be at least 2"]
    );
}

#[test]
fn arrays_are_checked_by_position() {
    assert_eq!(
        told(json!({"type": "array", "items": {"type": "string"}}), json!(["x", 1])),
        ["a[1] | type | INVALID_TYPE | a[1] must be a string"]
    );
    assert_eq!(
        told(json!({"type": "array", "uniqueItems": true}), json!([1, 1.0])),
        ["a | uniqueItems | INVALID_LENGTH | a must have unique items, but [1] repeats [0]"]
    );
    let pair = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]});
    assert_eq!(told(pair, json!(["x", "y", true])), ["a[1] | type | INVALID_TYPE | a[1] must be an integer"]);
    assert_eq!(
        told(json!({"type": "array", "contains": {"const": 1}}), json!([2])),
        ["a | contains | MISSING_ITEM | a does not have the items that it must contain"]
    );
}

#[test]
fn objects_are_checked_with_their_keys() {
    let room = json!({"type": "object", "properties": {"beds": {"type": "integer"}}, "required": ["beds"], "additionalProperties": false});
    assert_eq!(
        told(room, json!({"bed": 1})),
        [
            "a.beds | required | REQUIRED_FIELD | a.beds is required",
            "a.bed | additionalProperties | UNKNOWN_FIELD | a.bed is not a known field (known: beds)",
        ]
    );
    let by_name = json!({"type": "object", "patternProperties": {"^n": {"type": "integer"}}});
    assert_eq!(told(by_name, json!({"n1": "x", "m": "x"})), ["a.n1 | type | INVALID_TYPE | a.n1 must be an integer"]);
    let others = json!({"type": "object", "properties": {"n": {}}, "additionalProperties": {"type": "integer"}});
    assert_eq!(told(others, json!({"n": "x", "m": "x"})), ["a.m | type | INVALID_TYPE | a.m must be an integer"]);
    let dependent = json!({"type": "object", "dependentRequired": {"card": ["address"]}});
    assert_eq!(told(dependent, json!({"card": 1})), ["a.address | required | REQUIRED_FIELD | a.address is required"]);
    let short = json!({"type": "object", "propertyNames": {"maxLength": 2}});
    assert_eq!(told(short, json!({"long": 1})).len(), 1);
    assert_eq!(
        told(json!({"properties": {"gone": false}}), json!({"gone": 1})),
        ["a.gone | additionalProperties | UNKNOWN_FIELD | a.gone is not a known field"]
    );
}

#[test]
fn unions_are_resolved_by_tag_by_type_and_by_missing_keys() {
    let shape = |kind: &str, key: &str| json!({"type": "object", "properties": {"kind": {"const": kind}, key: {"type": "number"}}, "required": ["kind", key]});
    for keyword in ["anyOf", "oneOf"] {
        let shapes = json!({keyword: [shape("circle", "radius"), shape("square", "side")]});
        assert_eq!(
            told(shapes.clone(), json!({"kind": "square", "side": "x"})),
            ["a.side | type | INVALID_TYPE | a.side must be a number"]
        );
        assert_eq!(
            told(shapes.clone(), json!({"kind": "sqare"})),
            ["a.kind | discriminator | INVALID_ENUM_VALUE | a.kind must be one of \"circle\", \"square\""]
        );
        assert_eq!(told(shapes, json!({})), ["a.kind | required | REQUIRED_FIELD | a.kind is required"]);
    }
    let optional = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
    assert_eq!(told(optional, json!("x")), ["a | type | INVALID_TYPE | a must be an integer or null"]);
    let contact = json!({
        "type": "object",
        "properties": {"email": {"type": "string"}, "phone": {"type": "string"}},
        "anyOf": [{"required": ["email"]}, {"required": ["phone"]}]
    });
    assert_eq!(
        told(contact.clone(), json!({})),
        ["a | anyOf | NO_MATCHING_VARIANT | a must be one of: object with email; object with phone"]
    );
    assert_eq!(told(contact, json!({"email": 5})), ["a.email | type | INVALID_TYPE | a.email must be a string"]);
    let one = json!({"oneOf": [{"type": "integer"}, {"minimum": 2}]});
    assert_eq!(
        told(one, json!(3)),
        ["a | oneOf | NO_MATCHING_VARIANT | a must fit exactly one of its forms, but fits several"]
    );
}

#[test]
fn conditions_and_negations_are_checked() {
    let shipping = json!({
        "properties": {"country": {"type": "string"}, "zip": {"type": "string"}},
        "if": {"properties": {"country": {"const": "US"}}, "required": ["country"]},
        "then": {"required": ["zip"]}
    });
    assert_eq!(told_of(shipping, json!({"country": "US"})), ["zip | required | REQUIRED_FIELD | zip is required"]);
    assert_eq!(
        told(json!({"not": {"const": "root"}}), json!("root")),
        ["a | not | NOT_ALLOWED | a has a value that is not allowed"]
    );
    let closed = json!({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false});
    assert_eq!(
        told_of(closed, json!({"a": 1, "b": 1})),
        ["b | additionalProperties | UNKNOWN_FIELD | b is not a known field"]
    );
}

#[test]
fn the_subschemas_of_allof_are_checked_as_one_object() {
    let schema = json!({
        "allOf": [
            {"$ref": "#/$defs/named"},
            {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}
        ],
        "$defs": {"named": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}
    });
    assert_eq!(
        told_of(schema, json!({"age": -1})),
        [
            "name | required | REQUIRED_FIELD | name is required",
            "age | minimum | INVALID_RANGE | age must be at least 0",
        ]
    );
}

#[test]
fn several_faults_are_reported_at_once() {
    let schema = json!({
        "type": "object",
        "properties": {"n": {"type": "integer", "maximum": 5}, "s": {"type": "string"}, "t": {"not": {"type": "null"}}},
        "required": ["s"], "minProperties": 3
    });
    assert_eq!(told_of(schema, json!({"n": 9, "t": null})).len(), 4);
}

#[test]
fn dialects_spellings_and_anchors_are_supported() {
    let draft_4 = json!({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"n": {"type": "integer", "minimum": 1, "exclusiveMinimum": true}}});
    assert_eq!(told_of(draft_4, json!({"n": 1})), ["n | exclusiveMinimum | INVALID_RANGE | n must be above 1"]);
    let by_form = json!({"properties": {"n": {"type": "integer", "minimum": 1, "exclusiveMinimum": true}}});
    assert_eq!(told_of(by_form, json!({"n": 1})), ["n | exclusiveMinimum | INVALID_RANGE | n must be above 1"]);
    let pair = json!({"properties": {"p": {"type": "array", "items": [{"type": "string"}], "additionalItems": false}}});
    assert_eq!(told_of(pair, json!({"p": [1]})), ["p[0] | type | INVALID_TYPE | p[0] must be a string"]);
    let gemini =
        json!({"type": "OBJECT", "properties": {"n": {"type": "INTEGER", "nullable": true}}, "required": ["n"]});
    assert!(told_of(gemini.clone(), json!({"n": null})).is_empty());
    assert_eq!(told_of(gemini, json!({"n": "x"})).len(), 1);
    let anchored = json!({"properties": {"n": {"$ref": "#short"}}, "$defs": {"s": {"$anchor": "short", "type": "string", "maxLength": 1}}});
    assert_eq!(
        told_of(anchored, json!({"n": "xy"})),
        ["n | maxLength | INVALID_LENGTH | n must have at most 1 character"]
    );
    let named = json!({
        "$id": "https://example.org/root", "properties": {"n": {"$ref": "short.json"}},
        "$defs": {"s": {"$id": "https://example.org/short.json", "type": "string"}}
    });
    assert_eq!(told_of(named, json!({"n": 1})), ["n | type | INVALID_TYPE | n must be a string"]);
    // An `$id` is relative to the enclosing one, and so is a reference.
    let inner = json!({"$id": "short.json", "type": "string"});
    let outer =
        json!({"$id": "parts/", "type": "object", "properties": {"n": {"$ref": "short.json"}}, "$defs": {"s": inner}});
    let other = json!({"$id": "short.json", "type": "boolean"});
    let nested = json!({
        "$id": "https://example.org/root", "properties": {"m": {"$ref": "parts/"}, "o": {"$ref": "/short.json"}},
        "$defs": {"p": outer, "s": other}
    });
    assert_eq!(
        told_of(nested, json!({"m": {"n": 1}, "o": 1})),
        ["m.n | type | INVALID_TYPE | m.n must be a string", "o | type | INVALID_TYPE | o must be a boolean"]
    );
}

#[test]
fn the_last_of_repeated_keys_counts() {
    let schema = InputSchema::parse(json!({"properties": {"n": {"type": "integer"}}})).expect("the schema is one");
    assert_eq!(schema.decode(r#"{"n": "x", "n": 1}"#).map(|map| map["n"].clone()).ok(), Some(json!(1)));
    let issues = schema.check(&r#"{"n": 1, "n": "x"}"#.into());
    assert_eq!(issues.iter().map(tool_runtime::Issue::message).collect::<Vec<_>>(), ["n must be an integer"]);
}

#[test]
fn a_number_outside_the_range_of_floats_is_reported() {
    let schema = InputSchema::parse(json!({"properties": {"n": {}}})).expect("the schema is one");
    let issues = schema.check(&r#"{"n": [1e400]}"#.into());
    // With `arbitrary_precision`, `serde_json` keeps the number, and the schema accepts it.
    let keeps_all = serde_json::from_str::<Value>("1e400").is_ok();
    assert_eq!(issues.first().map(|issue| issue.path.to_string()), (!keeps_all).then(|| "n[0]".to_owned()));
}

#[test]
fn a_hint_contains_a_text_that_matches_the_pattern() {
    let example = |schema: Value, value: &str| {
        let schema = InputSchema::parse(json!({"type": "object", "properties": {"a": schema}, "required": ["a"]}));
        let schema = schema.expect("the schema is one");
        let hint = |arguments: Value| RetryHint::from_issues("t", &schema.check(&arguments.into())).to_json();
        let read = |hint: String| serde_json::from_str::<Value>(&hint).expect("a hint is JSON");
        let rejected = read(hint(json!({"a": value})))["constraints"][0]["example"].clone();
        assert_eq!(read(hint(json!({})))["example_input"]["a"], rejected);
        rejected
    };
    let code = json!({"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"});
    assert_eq!(example(code, "x"), "AA-0000");
    let both = json!({"type": "string", "pattern": "^[A-Z]", "allOf": [{"pattern": "^[A-Z][0-9]$"}]});
    assert_eq!(example(both, "A"), "A0");
    let authored = json!({"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$", "examples": ["OK-2024"]});
    assert_eq!(example(authored, "x"), "OK-2024");
    for nobody_knows in [
        json!({"type": "string", "pattern": "^(?=.*[0-9])[a-z0-9]{3}$"}),
        json!({"type": "string", "pattern": "^[A-Z]{2}$", "minLength": 3}),
        json!({"type": "string", "pattern": "^A", "allOf": [{"pattern": "^B"}]}),
    ] {
        assert_eq!(example(nobody_knows.clone(), "x"), Value::Null, "{nobody_knows}");
    }
}

/// A required key is known, even if no property describes it, so a closed object can be satisfied.
#[test]
fn a_required_key_without_a_property_is_known() {
    let schemas = [
        json!({"properties": {"bar": {"type": "string"}}, "required": ["foo"]}),
        json!({"properties": {"bar": {}}, "required": ["bar", "foo"]}),
        json!({"properties": {"bar": {}}, "allOf": [{"required": ["foo"]}]}),
        json!({"properties": {"bar": {}}, "anyOf": [{"required": ["foo"]}, {"required": ["bar", "baz"]}]}),
        json!({"properties": {"bar": {}}, "oneOf": [{"required": ["foo"]}, {"required": ["baz"]}]}),
        json!({"properties": {"bar": {}}, "if": {"required": ["bar"]}, "then": {"required": ["foo"]}}),
        json!({"properties": {"bar": {}}, "dependentRequired": {"bar": ["foo"]}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"bar": {}}, "dependencies": {"bar": ["foo"]}}),
        json!({"properties": {"bar": {}}, "dependentSchemas": {"bar": {"required": ["foo"]}}}),
        json!({"$ref": "#/$defs/all", "required": ["foo"], "$defs": {"all": {"properties": {"bar": {}}}}}),
        json!({"properties": {"bar": {}, "a/b~": {}}, "required": ["a/b~", "foo"]}),
    ];
    for schema in schemas {
        let closed = InputSchema::builder(&schema).unknown_fields(UnknownFields::Reject).parse().expect("a schema");
        let sent = json!({"bar": "x", "foo": 1, "a/b~": 2});
        let unknown =
            |issue: &tool_runtime::Issue| issue.constraint.code() == "UNKNOWN_FIELD" && issue.path.to_string() == "foo";
        assert!(!closed.check(&sent.into()).iter().any(unknown), "{schema}");
        let other = closed.check(&json!({"bar": "x", "foo": 1, "fox": 1}).into());
        assert!(other.iter().any(|issue| issue.path.to_string() == "fox"), "{schema}: {other:?}");
    }
    let open = InputSchema::builder(json!({"required": ["foo"]}))
        .unknown_fields(UnknownFields::Reject)
        .parse()
        .expect("a schema");
    assert!(
        open.check(&json!({"foo": 1, "fox": 2}).into()).is_empty(),
        "an object without listed properties stays open"
    );
}
