//! The decision for each provider about a list of types with `null`, which the page `docs/dialects.md` lists.

use serde_json::{Value, json};
use tests::providers::{DIALECTS, rejections, schema_of};

use crate::dialects::{dialect, json, render};

/// The reason for the form of `"type": ["integer", "null"]` in each dialect.
const REASONS: [(&[&str], &str); 10] = [
    (
        &["openai", "openai-responses"],
        "The guide to strict mode writes a nullable value as this list, and a plain schema is only shown to the model.",
    ),
    (
        &["openai-strict", "openai-responses-strict", "vllm-strict"],
        "The guide to strict mode uses this form. Schemas with `enum`, `const` or `$ref` get an `anyOf` with a branch for `null` instead, because an `enum` would also have to list `null`.",
    ),
    (
        &["anthropic", "anthropic-strict", "bedrock", "bedrock-strict"],
        "The API accepts any JSON Schema, and its strict mode counts the list as one of 16 parameters with union types (\"24 parameters with type arrays or anyOf\").",
    ),
    (
        &["gemini"],
        "`parametersJsonSchema` accepts the list that `parameters` rejects ([prism#974](https://github.com/prism-php/prism/issues/974)).",
    ),
    (
        &["gemini-schema"],
        "`type` is a single value in `parameters`, and a list is rejected (\"Proto field is not repeating\", prism#974). The keyword `nullable` allows `null`.",
    ),
    (
        &["ollama"],
        "`type` is a string or a list of strings ([ollama#9434](https://github.com/ollama/ollama/pull/9434)); older versions rejected the list.",
    ),
    (
        &["mistral", "vllm"],
        "The documentation gives no rule, and we found no report that the list is rejected, so the schema is not changed.",
    ),
    (
        &["moonshot"],
        "A type is a single word in the [specification](https://github.com/MoonshotAI/walle/blob/main/docs/mfjs-spec.md).",
    ),
    (
        &["llama-cpp"],
        "The [converter](https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp) to a grammar reads the list.",
    ),
    (&["mcp"], "The protocol accepts every keyword of JSON Schema 2020-12."),
];

/// Checks the table on the page. `UPDATE_GOLDEN=1` updates it.
#[test]
fn the_page_has_the_form_of_a_nullable_type_for_every_dialect() {
    let schema = json(
        r#"{"type":"object","properties":{"n":{"type":["integer","null"]}},"required":["n"],"additionalProperties":false}"#,
    );
    let mut table = String::from("| dialects | is sent as | reason |\n| --- | --- | --- |\n");
    let mut listed = Vec::new();
    for (names, reason) in REASONS {
        let forms = names.iter().map(|name| {
            let definition = render(dialect(name), "do_it", &schema).to_value();
            assert_eq!(rejections(name, std::slice::from_ref(&definition)), [""; 0], "{name}");
            schema_of(name, &definition).expect("a schema")["properties"]["n"].clone()
        });
        let forms: Vec<Value> = forms.collect();
        assert!(forms.windows(2).all(|pair| pair[0] == pair[1]), "{names:?} differ: {forms:?}");
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        table.extend([format!("| {} | `{}` | {reason} |\n", names.join(", "), sorted(&forms[0]))]);
        listed.extend(names);
    }
    listed.sort();
    let mut all: Vec<_> = DIALECTS.iter().map(|name| format!("`{name}`")).collect();
    all.sort();
    assert_eq!(listed, all);
    assert_eq!(sorted(&json!({"type": "integer", "nullable": true})), r#"{"nullable":true,"type":"integer"}"#);
    tests::dialects::page::compare(&[("nullable", &table)]);
}

/// The text of a flat object with its keys in order, with or without the feature `preserve_order`.
fn sorted(value: &Value) -> String {
    let members: std::collections::BTreeMap<_, _> = value.as_object().into_iter().flatten().collect();
    serde_json::to_string(&members).expect("a map of texts")
}
