//! The texts `null`, `None` and `undefined`: nothing, where no text can be meant.

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::replay::replay_values;
use tool_dynamic::InputSchema;
use tool_runtime::RepairPolicy;
use tool_schema::json::Json;

use super::coerced;

const WORDS: [&str; 3] = ["null", "None", "undefined"];

/// Properties that take no text, with and without `null`.
fn textless() -> Vec<Value> {
    vec![
        json!({"type": "integer"}),
        json!({"type": "number", "minimum": 1}),
        json!({"type": "boolean"}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "array", "items": {"type": "integer"}, "minItems": 2}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"enum": ["asc", "desc"]}),
        json!({"type": "string", "enum": ["a", "nulls_first"]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}),
        json!({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object", "properties": {}}]}),
    ]
}

/// Properties for which such a word may be meant as a text.
fn texts() -> Vec<Value> {
    vec![
        json!({"type": "string", "minLength": 20}),
        json!({"type": "string", "format": "date"}),
        json!({"type": "string", "pattern": "^[0-9]+$"}),
        json!({"enum": ["asc", "None of them", "none"]}),
        json!({"enum": ["a", "NULL"]}),
        json!({"enum": ["a", "nil"]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "string", "format": "date"}]}),
        json!({"anyOf": [{"type": "integer"}, {"enum": ["a", "Undefined"]}]}),
    ]
}

fn nullable(property: &Value) -> Value {
    json!({"anyOf": [property, {"type": "null"}]})
}

/// Returns the repaired arguments as text, with the rules of the repairs; `None` if the arguments are still not acceptable.
fn repaired(property: &Value, required: &[&str], sent: &Value) -> Option<(String, Vec<&'static str>)> {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}, "x": property},
        "required": required,
    });
    let schema = InputSchema::parse(schema.to_string().as_str()).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let coerced = coerced(&schema.shape().shape(), &sent.to_string(), RepairPolicy::Lossless);
    let rules = coerced.repairs.iter().map(|repair| repair.rule.name()).collect();
    let again = Json::parse(&sent.to_string()).ok().and_then(|json| replay_values(json.into_owned(), &coerced.repairs));
    assert_eq!(again.map(|json| json.to_text()), Some(coerced.value.to_text()), "the ledger of {sent} is complete");
    coerced.issues.is_empty().then(|| (coerced.value.to_text(), rules))
}

#[test]
fn a_word_is_null_where_null_is_allowed() {
    for (property, word) in textless().iter().flat_map(|property| WORDS.map(|word| (property, word))) {
        for required in [&[][..], &["x"]] {
            let read = repaired(&nullable(property), required, &json!({"id": 1, "x": word}));
            assert_eq!(read, Some((r#"{"id":1,"x":null}"#.into(), vec!["text"])), "{word} for {property}");
        }
    }
}

#[test]
fn a_word_is_left_out_where_null_is_not_allowed() {
    for (property, word) in textless().iter().flat_map(|property| WORDS.map(|word| (property, word))) {
        let read = repaired(property, &["id"], &json!({"id": 1, "x": word}));
        assert_eq!(read, Some((r#"{"id":1}"#.into(), vec!["absent"])), "{word} for {property}");
        assert_eq!(repaired(property, &["x"], &json!({"x": word})), None, "{word} for the required {property}");
        let padded = format!(" {word}\n");
        assert!(repaired(property, &[], &json!({"x": padded})).is_some(), "{padded:?} for {property}");
    }
}

#[test]
fn a_word_is_kept_where_a_text_may_be_meant() {
    for property in texts() {
        for (word, schema) in WORDS.into_iter().flat_map(|word| [(word, property.clone()), (word, nullable(&property))])
        {
            // `None` is a spelling of the value `none`.
            let read = repaired(&schema, &[], &json!({"x": word}));
            let is_spelling =
                read.as_ref().is_some_and(|(text, rules)| !text.contains("null,") && rules == &["enum_spelling"]);
            assert!(read.is_none() || is_spelling, "{word} for {schema} was read as {read:?}");
        }
    }
    for word in WORDS {
        let read = repaired(&json!({"type": "string"}), &[], &json!({"x": word}));
        assert_eq!(read, Some((json!({"x": word}).to_string(), vec![])));
    }
}

#[test]
fn nothing_is_removed_from_a_list_or_a_map() {
    for word in WORDS {
        let integers = json!({"type": "array", "items": {"type": "integer"}});
        assert_eq!(repaired(&integers, &[], &json!({"x": [word]})), None);
        assert_eq!(repaired(&integers, &[], &json!({"x": [1, word]})), None);
        let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
        assert_eq!(repaired(&map, &[], &json!({"x": {"a": word}})), None);
        let nullable = json!({"type": "array", "items": {"type": ["integer", "null"]}});
        let read = repaired(&nullable, &[], &json!({"x": [1, word]}));
        assert_eq!(read, Some((r#"{"x":[1,null]}"#.into(), vec!["text"])));
    }
}

#[test]
fn other_words_mean_nothing() {
    for word in
        ["none", "NULL", "Null", "nil", "NaN", "n/a", "-", "empty", "void", "NONE", "(null)", "null.", "None, 5"]
    {
        for property in [json!({"type": "integer"}), json!({"type": ["integer", "null"]}), json!({"type": "boolean"})] {
            assert_eq!(repaired(&property, &[], &json!({"x": word})), None, "{word} for {property}");
        }
    }
}

#[test]
fn a_strict_policy_keeps_the_words() {
    let schema =
        InputSchema::parse(r#"{"type": "object", "properties": {"x": {"type": "integer"}}}"#).expect("a schema");
    for word in WORDS {
        let sent = json!({"x": word}).to_string();
        assert_eq!(coerced(&schema.shape().shape(), &sent, RepairPolicy::Strict).value.to_text(), sent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(tests::cases(64)) })]

    /// A word never changes a call in which it is acceptable as a text.
    #[test]
    fn an_acceptable_word_is_never_changed(word in proptest::sample::select(&WORDS[..]), index in 0..6_usize) {
        let property = [
            json!({"type": "string"}),
            json!({"type": ["string", "null"]}),
            json!({}),
            json!({"enum": [word, "a"]}),
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            json!({"type": "array", "items": {"type": "string"}}),
        ][index].clone();
        let value = if index == 5 { json!([word]) } else { json!(word) };
        // Another issue starts the search for repairs.
        let read = repaired(&property, &[], &json!({"id": "1", "x": value}));
        prop_assert_eq!(read, Some((json!({"id": 1, "x": value}).to_string(), vec!["text"])));
    }
}
