//! Tests with a secret in many spellings, which never stays in the arguments.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{Redaction, with_redacted};

const SECRET: &str = "hunter2";

fn schema() -> Value {
    let auth = json!({"type": "object", "properties": {"token": {"type": "string"}, "level": {"type": "integer"}}});
    json!({
        "type": "object",
        "properties": {
            "auth": {"$ref": "#/$defs/auth"},
            "logins": {"type": "array", "items": {"$ref": "#/$defs/auth"}},
            "outer": {"type": "object", "properties": {"inner": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/auth"}]}}},
            "hosts": {"type": "object", "additionalProperties": {"allOf": [{"$ref": "#/$defs/auth"}]}},
            "tree": {"$ref": "#/$defs/tree"},
            "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "any": {},
            "token_count_limit": {"type": "integer"}
        },
        "$defs": {
            "auth": auth,
            "tree": {"type": "object", "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                "auth": {"$ref": "#/$defs/auth"}
            }}
        }
    })
}

/// Returns the arguments of a call of a listed tool without the value of `token`.
fn redacted(arguments: &str) -> String {
    redacted_by(&schema(), arguments, true)
}

fn redacted_by(schema: &Value, arguments: &str, is_exact: bool) -> String {
    let names = ["token".to_owned()];
    let schema = with_redacted(&names, &schema.to_string());
    Redaction::new(&names, schema.iter().collect(), is_exact).arguments(arguments)
}

#[test]
fn arguments_without_secrets_stay_as_they_are() {
    for arguments in [
        "{}",
        r#"{"note": "Buy milk: 3", "tags": ["a", "b=c"], "any": {"x": [1, {"y": "z"}]}, "token_count_limit": 3}"#,
        r#"{ "auth" : {"level":3} , "logins":[{"level":1}],"outer":{"inner":null}, "hosts":{"a":{"level":1}} }"#,
        r#"{"tree": {"children": [{"children": []}, {"auth": null}]}, "note": "{\"a\": 1}"}"#,
        r#"{"note": "C:\\users\\kent", "any": "https://a.example/?q=1"}"#,
    ] {
        assert_eq!(redacted(arguments), arguments);
    }
    let unrelated = json!({"type": "object", "properties": {"auth": {"type": "object"}}});
    let arguments = r#"{"auth": "{'level': 3}", "more": [1, "x"]}"#;
    assert_eq!(redacted_by(&unrelated, arguments, true), arguments);
}

#[test]
fn only_the_part_that_may_be_secret_is_replaced() {
    for (arguments, expected) in [
        (r#"{"auth": {"token": "s", "level": 3}}"#, r#"{"auth": {"token": "[redacted]", "level": 3}}"#),
        (r#"{"auth": {"tokn": {"a": "s"}, "level": 3}}"#, r#"{"auth": {"tokn": "[redacted]", "level": 3}}"#),
        (r#"{"auth": {"pwd": "s", "level": 3}}"#, r#"{"auth": {"pwd": "[redacted]", "level": 3}}"#),
        (r#"{"auth": {"level": "s"}}"#, r#"{"auth": {"level": "s"}}"#),
        (r#"{"auth": "s", "note": "a"}"#, r#"{"auth": "[redacted]", "note": "a"}"#),
        (r#"{"auth": ["s", 1], "note": "a"}"#, r#"{"auth": "[redacted]", "note": "a"}"#),
        (r#"{"auth": 4711}"#, r#"{"auth": "[redacted]"}"#),
        (r#"{"logins": {"token": "s"}}"#, r#"{"logins": {"token": "[redacted]"}}"#),
        (r#"{"logins": ["s", {"level": 1}]}"#, r#"{"logins": ["[redacted]", {"level": 1}]}"#),
        (
            r#"{"hosts": {"a": {"token": "s"}, "b": "s"}}"#,
            r#"{"hosts": {"a": {"token": "[redacted]"}, "b": "[redacted]"}}"#,
        ),
        (r#"{"outer": {"inner": ["s"]}}"#, r#"{"outer": {"inner": "[redacted]"}}"#),
        (r#"{"any": {"token: s": 1, "x": 2}}"#, r#"{"any": {"[redacted]": "[redacted]", "x": 2}}"#),
        (r#"{"any": {"auth.token": "s"}}"#, r#"{"any": {"auth.token": "[redacted]"}}"#),
        (r#"{"any": ["token=s", "a"]}"#, r#"{"any": ["[redacted]", "a"]}"#),
        (r#"{"arguments": {"auth": "s", "note": "a"}}"#, r#"{"arguments": {"auth": "[redacted]", "note": "a"}}"#),
        (r#"{"arguments": "{'auth': 's'}", "note": "a"}"#, r#"{"arguments": "[redacted]", "note": "a"}"#),
        (r#""{\"auth\": {\"token\": \"s\"}}""#, r#""{\"auth\": {\"token\": \"[redacted]\"}}""#),
        (r#""{'auth': {'token': 's'}}""#, r#""[redacted]""#),
        (r#"["s"]"#, r#""[redacted]""#),
        (r#"{"any": ["token", "s"]}"#, r#""[redacted]""#),
        (r#"{"any": {"op": "add", "path": "/auth/token", "value": "s"}}"#, r#""[redacted]""#),
        (r#"{"note": "\ud800"}"#, r#""[redacted]""#),
    ] {
        assert_eq!(redacted(arguments), expected, "{arguments}");
    }
}

/// A call of an unknown tool may mean any tool, so all schemas apply.
#[test]
fn calls_of_unknown_tools_are_redacted_by_all_schemas() {
    for (arguments, expected) in [
        (r#"{"tool": "act", "arguments": {"auth": "s"}}"#, r#"{"tool": "act", "arguments": {"auth": "[redacted]"}}"#),
        (r#"{"function": "act", "auth": ["s"]}"#, r#"{"function": "act", "auth": "[redacted]"}"#),
        (r#"{"x": 1, "token": "s"}"#, r#"{"x": 1, "token": "[redacted]"}"#),
    ] {
        assert_eq!(redacted_by(&schema(), arguments, false), expected, "{arguments}");
    }
}

/// A schema that is too large or cannot be followed hides everything that it may describe.
#[test]
fn a_schema_that_cannot_be_followed_hides_what_it_describes() {
    let many: Vec<Value> = (0..100).map(|number| json!({"properties": {"token": {"const": number}}})).collect();
    for auth in [json!({"anyOf": many}), json!({"$ref": "other.json"}), json!({"$ref": "#anchor"})] {
        let schema = json!({"properties": {"auth": auth, "token": {"type": "string"}}});
        for arguments in [r#"{"auth":"s"}"#, r#"{"auth":{"a":"s"}}"#, r#"{"auth":["s"]}"#] {
            assert_eq!(redacted_by(&schema, arguments, true), r#"{"auth":"[redacted]"}"#);
        }
    }
    let endless = json!({"properties": {"token": {}, "auth": {"$ref": "#/properties/auth"}}});
    assert_eq!(redacted_by(&endless, r#"{"auth":"s"}"#, true), r#"{"auth":"s"}"#);
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Reduced public reports: JSON as the body of a request, other cases, values that are not texts, lines of a `.env` file, headers.
#[test]
fn reported_shapes_are_redacted() {
    for arguments in [
        r#"{"any": {"body": "{\"token\":\"hunter2\"}"}}"#,
        r#"{"any": {"TOKEN": "hunter2", "authToken": "hunter2", "Api_Token": "hunter2"}}"#,
        r#"{"any": {"headers": {"Token": ["hunter2", "hunter2"], "X-Token": {"session": "hunter2"}}}}"#,
        r#"{"note": "A=1\nTOKEN=\"hunter2\"\nB=hunter2"}"#,
        r#"{"any": {"cmd": "curl -H 'Authorization: Token hunter2' https://a.example"}}"#,
        r#"{"any": ["npx", "remote", "--header", "Token:", "hunter2"]}"#,
        r#"{"any": [{"header": "X-Token", "contents": "hunter2"}]}"#,
        r#"{"any": {"entries": [["a", 1], ["token", "hunter2"]]}}"#,
        r#"{"any": "INSERT INTO t (name, token) VALUES ('a', 'hunter2')"}"#,
        r#"{"any": "name,token\na,hunter2\n"}"#,
        r#"{"any": "token\u200b: hunter2"}"#,
        r#"{"any": "| token | hunter2 |"}"#,
        r#"{"any": "{\"a\": \"{\\\"b\\\": \\\"{\\\\\\\"token\\\\\\\": \\\\\\\"hunter2\\\\\\\"}\\\"}\"}"}"#,
    ] {
        assert!(serde_json::from_str::<Value>(arguments).is_ok(), "{arguments}");
        let shown = redacted(arguments);
        assert!(!shown.contains(SECRET), "{arguments} gives {shown}");
    }
}

/// Long lists in a schema do not hide what has nothing to do with a redacted name.
#[test]
fn large_parts_without_redacted_names_hide_nothing() {
    let kinds: Vec<Value> = (0..100).map(|kind| json!({"properties": {"kind": {"const": kind}}})).collect();
    let schema = json!({"properties": {"token": {}, "shape": {"anyOf": kinds}, "tuple": {"prefixItems": kinds}}});
    let arguments = r#"{"token":null,"shape":{"kind":"a"},"tuple":["b",1,{"kind":2}]}"#;
    let expected = arguments.replace("null", "\"[redacted]\"");
    assert_eq!(redacted_by(&schema, arguments, true), expected);
}

/// Returns a text that contains the secret under the name, as a model may write it.
fn spelling() -> impl Strategy<Value = String> {
    let name = select(vec!["token", "Token", "TOKEN", "tokn", "tok_en", "api token", "--token", r"\u0074oken"]);
    let value = select(vec![r#""hunter2""#, "'hunter2'", "hunter2", "[\"hunter2\"]", "{\"a\": \"hunter2\"}"]);
    let form = select(vec![
        "{\"NAME\": VALUE}",
        "{'NAME': VALUE, 'level': 3}",
        "{\"NAME\": VALUE,}",
        "{NAME: VALUE}",
        "```json\n{\"NAME\": VALUE}\n```",
        "{\"NAME\": VALUE /* a comment */}",
        "{\"level\": 3, \"NAME\": VALUE",
        "[{\"NAME\": VALUE}]",
        "NAME=VALUE",
        "NAME: VALUE",
        "<NAME>VALUE</NAME>",
        "?a=1&NAME=VALUE",
        "Here are the arguments: {'NAME': VALUE}",
        "level: 3\nNAME: VALUE\n",
        "{\"auth\": {\"NAME\": VALUE}}",
    ]);
    (form, name, value).prop_map(|(form, name, value)| form.replace("NAME", name).replace("VALUE", value))
}

/// Returns JSON with the secret in it: the spelling as a text, in text inside texts, or a structure.
fn planted() -> impl Strategy<Value = String> {
    let text = (spelling(), 0..4_usize)
        .prop_map(|(text, levels)| (0..levels).fold(quoted(&text), |text, _| quoted(&format!("{{\"more\": {text}}}"))));
    let key = spelling().prop_map(|text| format!("{{{}: null, \"level\": 3}}", quoted(&text)));
    let structure = select(vec![
        r#"{"token": "hunter2"}"#,
        r#"{"Token ": {"a": ["hunter2"]}}"#,
        r#"["token", "hunter2"]"#,
        r#"[["token", "hunter2"]]"#,
        r#"[{"key": "token", "value": "hunter2"}]"#,
        r#"{"name": "--token", "value": {"a": "hunter2"}}"#,
        r#"{"columns": ["level", "token"], "rows": [[3, "hunter2"]]}"#,
        r#"{"op": "replace", "path": "/auth/token", "value": "hunter2"}"#,
        r#"{"t\u006fken": "hunter2"}"#,
        r#"["curl", "-H", "Token: hunter2"]"#,
    ]);
    prop_oneof![4 => text, 1 => key, 3 => structure.prop_map(str::to_owned)]
}

/// Returns arguments with this value at a place of the schema, or at one that it does not describe.
fn placed(value: &str, place: &str) -> String {
    place.replace("HERE", value)
}

const PLACES: [&str; 14] = [
    r#"{"auth": HERE}"#,
    r#"{"auth": {"level": 3, "more": HERE}}"#,
    r#"{"auth": [HERE]}"#,
    r#"{"logins": [{"level": 1}, HERE]}"#,
    r#"{"logins": HERE}"#,
    r#"{"outer": {"inner": HERE}}"#,
    r#"{"outer": HERE}"#,
    r#"{"hosts": {"a": HERE}}"#,
    r#"{"tree": {"children": [{"children": [HERE]}]}}"#,
    r#"{"note": HERE}"#,
    r#"{"tags": ["a", HERE]}"#,
    r#"{"any": [{"x": [HERE]}]}"#,
    r#"{"arguments": HERE}"#,
    r#"{"x": {"y": HERE}, "level": 3}"#,
];

/// Places where the schema has an object with the name, so its value needs no name.
const NAMELESS: [&str; 9] = [
    r#"{"auth": HERE}"#,
    r#"{"auth": [HERE]}"#,
    r#"{"logins": [{"level": 1}, HERE]}"#,
    r#"{"outer": {"inner": HERE}}"#,
    r#"{"outer": [HERE]}"#,
    r#"{"hosts": {"a": HERE}}"#,
    r#"{"tree": {"children": [HERE]}}"#,
    r#"{"arguments": {"auth": HERE}}"#,
    r#"{"auth": {"secret": HERE, "level": 3}}"#,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// A secret under a redacted name is not recorded, in any spelling and at any place.
    #[test]
    fn a_secret_never_stays(value in planted(), place in select(&PLACES[..]), is_exact: bool, is_text: bool) {
        let mut arguments = placed(&value, place);
        if is_text {
            arguments = quoted(&arguments);
        }
        let shown = redacted_by(&schema(), &arguments, is_exact);
        prop_assert!(!shown.contains(SECRET), "{arguments} gives {shown}");
        prop_assert!(serde_json::from_str::<Value>(&shown).is_ok(), "{shown}");
    }

    /// A value in place of an object with a redacted name is not recorded, also without the name.
    #[test]
    fn a_value_in_place_of_the_object_never_stays(
        value in select(vec![r#""hunter2""#, r#"["hunter2", 1]"#, r#"[["hunter2"]]"#, r#""['hunter2', 1]""#, r#""(hunter2, 1)""#]),
        place in select(&NAMELESS[..]),
    ) {
        let arguments = placed(value, place);
        let shown = redacted(&arguments);
        prop_assert!(!shown.contains(SECRET), "{arguments} gives {shown}");
    }

    /// Arbitrary arguments and schemas do not lead to a panic, and the result is JSON.
    #[test]
    fn the_result_is_json(text in "\\PC{0,60}", keys in prop::collection::vec("[a-z$]{1,6}|token|properties|items|anyOf|\\$ref", 1..5)) {
        let nested = |value: Value| keys.iter().fold(value, |value, key| json!({key: value, "token": [&text]}));
        let (schema, arguments) = (nested(json!("#/token")), nested(json!(text)).to_string());
        let shown = redacted_by(&schema, &arguments, true);
        prop_assert!(serde_json::from_str::<Value>(&shown).is_ok(), "{shown}");
        prop_assert!(serde_json::from_str::<Value>(&redacted_by(&schema, &text, true)).is_ok());
    }
}

#[test]
fn a_text_that_says_what_another_value_is_hides_all_of_them() {
    let names = ["token".to_owned(), "api_key".to_owned()];
    let schema = json!({"type": "object", "properties": {"key": {"type": "string"}, "value": {"type": "string"}}});
    for label in [
        "token",
        "API_KEY_PROD",
        "TOKEN_1",
        "token_prod",
        "the token",
        "user token",
        "env:TOKEN",
        "/auth/token/0",
        "auth.token.0",
    ] {
        for arguments in [
            json!({"key": label, "value": SECRET}),
            json!({"name": label, "value": SECRET}),
            json!({"entries": [{"key": label, "value": SECRET}]}),
            json!({"args": [label, SECRET]}),
            json!({"op": "add", "path": label, "value": SECRET}),
        ] {
            let arguments = arguments.to_string();
            let redacted = Redaction::new(&names, vec![&schema], true).arguments(&arguments);
            assert!(!redacted.contains(SECRET), "{arguments}: {redacted}");
        }
    }
}
