//! Verdicts on arguments always equal those of `jsonschema`, for generated schemas, and for real ones if they are available.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use tool_dynamic::{InputSchema, UnknownFields};
use tool_schema::check::check;
use tool_schema::json::Json;
use tool_schema::repair::{Progress, Stream};

use crate::dynamic::corpora::{files, folder, rows};

/// A schema with most keywords, for small values as below.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => Just(json!({"type": "string"})),
        2 => (0_u64..3, 1_u64..5).prop_map(|(min, max)| json!({"type": "string", "minLength": min, "maxLength": max})),
        1 => Just(json!({"type": "string", "pattern": "^a"})),
        1 => Just(json!({"type": "string", "format": "date"})),
        3 => Just(json!({"type": "integer"})),
        2 => (-3_i64..3, -1_i64..6).prop_map(|(min, max)| json!({"type": "integer", "minimum": min, "maximum": max})),
        1 => Just(json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5})),
        2 => Just(json!({"type": "boolean"})),
        1 => Just(json!({"type": ["string", "null"]})),
        1 => Just(json!({"type": ["integer", "string", "null"]})),
        2 => Just(json!({"enum": ["a", "b", "ab"]})),
        1 => Just(json!({"enum": [1, 2, null, "a"]})),
        1 => Just(json!({"enum": [1, 2.5]})),
        1 => Just(json!({"const": true})),
        1 => Just(json!({"const": "a"})),
        1 => Just(json!({"$ref": "#/$defs/node"})),
        1 => Just(json!({"$ref": "#/$defs/short", "minLength": 2})),
        1 => Just(json!({"minimum": 1, "minLength": 1})),
        1 => Just(json!({})),
        1 => Just(json!(true)),
        1 => Just(json!(false)),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            4 => object(inner.clone()),
            2 => (inner.clone(), 0_u64..2, any::<bool>())
                .prop_map(|(items, min, unique)| json!({"type": "array", "items": items, "minItems": min, "uniqueItems": unique})),
            1 => (inner.clone(), inner.clone(), any::<bool>()).prop_map(|(a, b, closed)| {
                json!({"type": "array", "prefixItems": [a, b], "items": !closed, "minItems": 2})
            }),
            1 => (inner.clone(), inner.clone()).prop_map(|(items, held)| json!({"items": items, "contains": held})),
            2 => proptest::collection::vec(inner.clone(), 1..4).prop_map(|branches| json!({"anyOf": branches})),
            2 => proptest::collection::vec(inner.clone(), 1..4).prop_map(|branches| json!({"oneOf": branches})),
            2 => proptest::collection::vec(inner.clone(), 1..3).prop_map(|parts| json!({"allOf": parts})),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"anyOf": [a, {"type": "null"}], "oneOf": [b, true]})),
            1 => tagged(inner.clone()),
            1 => inner.clone().prop_map(|inner| json!({"not": inner})),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(condition, then, other)| json!({"if": condition, "then": then, "else": other})),
            1 => (object(inner.clone()), inner.clone()).prop_map(|(mut object, part)| {
                object["anyOf"] = json!([{"required": ["a"]}, {"required": ["b"]}, part]);
                object
            }),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| {
                json!({"type": "object", "properties": {"a": a}, "allOf": [{"properties": {"a": b, "b": {}}}], "unevaluatedProperties": false})
            }),
            1 => inner.prop_map(|value| json!({"type": "object", "propertyNames": {"maxLength": 1}, "additionalProperties": value})),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    let properties = proptest::collection::btree_map("[abc]", inner.clone(), 0..3);
    let required = proptest::collection::btree_set("[abd]", 0..3);
    let rest = prop_oneof![2 => Just(None), 2 => Just(Some(json!(false))), 1 => inner.clone().prop_map(Some)];
    (properties, required, rest, any::<bool>(), proptest::option::of(inner)).prop_map(
        |(properties, required, rest, typed, pattern)| {
            let mut schema = json!({"properties": properties});
            if typed {
                schema["type"] = json!("object");
            }
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            if let Some(rest) = rest {
                schema["additionalProperties"] = rest;
            }
            if let Some(pattern) = pattern {
                schema["patternProperties"] = json!({"^d": pattern});
                schema["dependentRequired"] = json!({"a": ["b"]});
                schema["maxProperties"] = json!(3);
            }
            schema
        },
    )
}

fn tagged(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    (inner.clone(), inner, any::<bool>(), any::<bool>()).prop_map(|(a, b, closed, one)| {
        let branch = |tag: &str, value: Value| {
            json!({"type": "object", "properties": {"c": {"const": tag}, "a": value}, "required": ["c", "a"], "additionalProperties": !closed})
        };
        json!({if one { "oneOf" } else { "anyOf" }: [branch("a", a), branch("b", b)]})
    })
}

/// Arguments that may match such schemas.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-3_i64..7).prop_map(Value::from),
        Just(json!(5.0)),
        Just(json!(0.5)),
        Just(json!(2.25)),
        "[ab]{0,3}".prop_map(Value::from),
        Just(json!("2024-02-29")),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[abcd]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn document(property: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"a": property},
        "$defs": {
            "node": {"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}, "b": {"type": "string"}}, "additionalProperties": false},
            "short": {"type": "string", "maxLength": 3}
        }
    })
}

/// Compares the verdicts of an independent validator and of our schema.
fn judge(schema: &InputSchema, oracle: &jsonschema::Validator, arguments: &Value) -> Result<(), TestCaseError> {
    let text = arguments.to_string();
    let issues = schema.check(&text.as_str().into());
    let accepted = oracle.is_valid(arguments);
    prop_assert_eq!(issues.is_empty(), accepted, "{} under {:?}: {:?}", text, schema, issues);
    prop_assert_eq!(schema.decode(arguments).is_ok(), accepted, "the parsed value has a different verdict");
    // If a shape rejected more than the schema, valid calls would be repaired.
    let json = Json::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
    if accepted {
        let seen = check(&schema.shape().shape(), &json);
        prop_assert!(seen.is_empty(), "the shape of {:?} rejects {}: {:?}", schema, text, seen);
        // Neither may a stream reject any prefix.
        let mut stream = Stream::for_shape(schema.shape());
        for piece in text.split_inclusive(|_: char| true) {
            let progress = stream.push(piece);
            prop_assert!(
                matches!(progress, Progress::Open | Progress::Complete),
                "{} of {} under {:?}",
                stream.text(),
                text,
                schema
            );
        }
    }
    for issue in &issues {
        prop_assert!(!issue.message().is_empty() && !issue.constraint.code().is_empty());
    }
    Ok(())
}

#[test]
fn verdicts_on_generated_schemas_equal_those_of_jsonschema() {
    let mut runner =
        TestRunner::new(Config { cases: tests::cases(170), failure_persistence: None, ..Config::default() });
    let counts = [Cell::new(0), Cell::new(0)];
    let outcome = runner.run(&(schema(), proptest::collection::vec(value(), 6)), |(property, values)| {
        let document = document(&property);
        let oracle = jsonschema::options().should_validate_formats(true).build(&document);
        let read = InputSchema::parse(&document);
        let (Ok(oracle), Ok(schema)) = (&oracle, &read) else {
            prop_assert!(
                false,
                "{document} is rejected: {:?}, {:?}",
                oracle.err().map(|error| error.to_string()),
                read.err()
            );
            return Ok(());
        };
        for value in values {
            let arguments = json!({"a": value});
            judge(schema, oracle, &arguments)?;
            let count = &counts[usize::from(oracle.is_valid(&arguments))];
            count.set(count.get() + 1);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    // Both verdicts must be frequent, otherwise the comparison would be worthless.
    let [rejected, accepted] = counts.map(Cell::into_inner);
    assert!(accepted * 10 > rejected && rejected * 10 > accepted, "{accepted} accepted, {rejected} rejected");
}

/// Returns a plausible value for a real schema, with random changes.
fn example(schema: &Value, root: &Value, seed: &mut u64, depth: u32) -> Value {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let dice = (*seed >> 33) % 20;
    if dice == 0 || depth > 6 {
        return [json!(null), json!("text"), json!(5.0), json!(-7), json!({"x": 1}), json!([]), json!(true)]
            [(*seed >> 40) as usize % 7]
            .clone();
    }
    if let Some(reference) = schema["$ref"].as_str() {
        return root
            .pointer(reference.trim_start_matches('#'))
            .map_or(json!(1), |target| example(target, root, seed, depth + 1));
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(branches) = schema[keyword].as_array().filter(|branches| !branches.is_empty()) {
            let branch = (*seed >> 35) as usize % branches.len();
            return example(&branches[branch], root, seed, depth + 1);
        }
    }
    if let Some(values) = schema["enum"].as_array().filter(|values| !values.is_empty()) {
        return values[(*seed >> 36) as usize % values.len()].clone();
    }
    if !schema["const"].is_null() {
        return schema["const"].clone();
    }
    let name = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("object");
    match name {
        "string" => [json!("text"), json!("2024-01-01"), json!("https://example.org"), json!("")]
            [(*seed >> 37) as usize % 4]
            .clone(),
        "integer" => json!((*seed >> 38) % 30),
        "number" => json!(f64::from(u32::try_from((*seed >> 38) % 300).unwrap_or(0)) / 4.0),
        "boolean" => json!(dice.is_multiple_of(2)),
        "array" => (0..(*seed >> 39) % 3).map(|_| example(&schema["items"], root, seed, depth + 1)).collect(),
        "null" => json!(null),
        _ => {
            let mut members = Map::new();
            for (key, property) in schema["properties"].as_object().into_iter().flatten() {
                *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let is_required = schema["required"].as_array().is_some_and(|names| names.contains(&json!(key)));
                if (*seed >> 33) % 12 > u64::from(!is_required) * 5 {
                    members.insert(key.clone(), example(property, root, seed, depth + 1));
                }
            }
            if dice == 1 {
                members.insert("unknown_key".to_owned(), json!(1));
            }
            Value::Object(members)
        }
    }
}

/// Returns `true` for schemas with spellings that are not standard JSON Schema, for which the independent validator would give another
/// verdict.
fn is_foreign(schema: &Value) -> bool {
    let text = schema.to_string();
    ["\"nullable\"", "\"exclusiveMinimum\":true", "\"exclusiveMaximum\":true", "\"STRING\"", "\"OBJECT\""]
        .iter()
        .any(|word| text.contains(word))
}

#[test]
fn verdicts_on_real_schemas_equal_those_of_jsonschema() {
    let Some(folder) = folder() else { return };
    let (mut accepted, mut rejected, mut seed) = (0, 0, 7);
    for file in files(&folder, "tools_").into_iter().chain([folder.join("mcp_tools.jsonl")]) {
        for row in rows(&file) {
            let parameters = &row["parameters"];
            if is_foreign(parameters) {
                continue;
            }
            let Ok(schema) = InputSchema::parse(parameters) else { continue };
            let oracle = jsonschema::options().should_validate_formats(true).build(parameters).expect("it was read");
            for _ in 0..20 {
                let arguments = example(parameters, parameters, &mut seed, 0);
                if !arguments.is_object() {
                    continue;
                }
                *(if oracle.is_valid(&arguments) { &mut accepted } else { &mut rejected }) += 1;
                if let Err(error) = judge(&schema, &oracle, &arguments) {
                    panic!("{}: {error}", row["name"]);
                }
            }
        }
    }
    println!("{accepted} values were accepted and {rejected} were rejected by both");
    assert!(accepted > 1_000 && rejected > 1_000);
}

/// Keywords with which a value can be rejected because an inner schema accepts more.
const TURNING: [&str; 4] = ["\"oneOf\"", "\"not\"", "\"if\"", "\"maxContains\""];

#[test]
fn closing_objects_only_rejects_more_and_opening_them_only_accepts_more() {
    let mut runner = TestRunner::new(Config {
        cases: tests::cases(70),
        // Many generated schemas contain one of these keywords.
        max_global_rejects: u32::MAX,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&(schema(), proptest::collection::vec(value(), 4)), |(property, values)| {
        let document = document(&property);
        let text = document.to_string();
        prop_assume!(!TURNING.iter().any(|keyword| text.contains(keyword)));
        let read = |unknown| InputSchema::builder(&document).unknown_fields(unknown).parse();
        let (Ok(stated), Ok(open)) = (read(UnknownFields::AsInSchema), read(UnknownFields::Ignore)) else {
            return Ok(());
        };
        for value in values {
            let arguments = json!({"a": value});
            if stated.decode(&arguments).is_ok() {
                prop_assert!(open.decode(&arguments).is_ok(), "{document}, opened, rejects {arguments}: {open:?}");
            }
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// Issues that only `jsonschema` finds are located at the keys that were sent, also empty ones and those of digits.
#[test]
fn issues_are_located_at_empty_keys_and_keys_of_digits() {
    let multiple = json!({"not": {"multipleOf": 2}});
    let schema =
        json!({"properties": {"": multiple, "0": {"items": multiple}, "a/b~": {"properties": {"1": multiple}}}});
    let schema = InputSchema::parse(schema.to_string().as_str()).expect("a schema");
    let issues = schema.check(&r#"{"": 2, "0": [1, 2], "a/b~": {"1": 4}}"#.into());
    let mut paths: Vec<_> = issues.iter().map(|issue| issue.path.to_string()).collect();
    paths.sort();
    assert_eq!(paths, [r#"[""]"#, r#"["0"][1]"#, r#"["a/b~"]["1"]"#]);
}
