//! Shapes for which a provider rejects the whole request, reduced from public reports. A dialect writes what the provider accepts, or leaves
//! the tool out with a note.

use serde_json::{Value, json};
use tests::providers::{rejections, schema_of};

use crate::dialects::{dialect, json as parsed, render, restored};

/// Returns the schema that a model sees, after the provider's rules have accepted the definition.
#[track_caller]
fn shown(name: &str, schema: &Value) -> Value {
    let rendition = render(dialect(name), "do_it", &parsed(&schema.to_string()));
    assert!(!rendition.omits_tool(), "{name}: {:?}", rendition.notes());
    let definition = rendition.to_value();
    assert_eq!(rejections(name, std::slice::from_ref(&definition)), [""; 0], "{name}: {definition}");
    schema_of(name, &definition).cloned().unwrap_or_default()
}

fn with(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

/// The dialects of `OpenAI`: the strict ones write a tool plain if its strict form cannot express it.
const OPENAI: [&str; 4] = ["openai", "openai-strict", "openai-responses", "openai-responses-strict"];

/// "array schema missing items": ruvnet/ruflo#1294, mark3labs/mcphost#35.
#[test]
fn an_array_without_items_has_a_schema_for_any_item() {
    let schema = with(&json!({
        "bare": {"type": "array", "description": "Tags."},
        "nullable": {"type": ["array", "null"], "minItems": 1},
        "either": {"anyOf": [{"type": "string"}, {"type": "array"}]},
        "rows": {"type": "array", "items": {"type": "array"}},
        "map": {"type": "object", "additionalProperties": {"type": "array"}},
        "fixed": {"const": {"type": "array"}},
        "type": {"type": "string"},
        "far": {"$ref": "#/$defs/list"}
    }));
    let mut schema = schema;
    schema["$defs"] = json!({"list": {"type": "array"}});
    for name in OPENAI {
        let shown = shown(name, &schema);
        let at = |pointer: &str| shown.pointer(pointer).cloned();
        let any = Some(json!({}));
        assert_eq!(
            at("/properties/bare"),
            Some(json!({"type": "array", "description": "Tags.", "items": {}})),
            "{name}"
        );
        for pointer in [
            "/properties/nullable/items",
            "/properties/either/anyOf/1/items",
            "/properties/rows/items/items",
            "/properties/map/additionalProperties/items",
            "/$defs/list/items",
        ] {
            assert_eq!(at(pointer), any, "{name}: {pointer}");
        }
        assert_eq!(at("/properties/fixed/const"), Some(json!({"type": "array"})), "{name}");
    }
}

/// "array schema missing items" for `prefixItems`, and "is not of type 'object', 'boolean'" for a list: AnswerDotAI/fastcore#798,
/// vercel/ai#2271.
#[test]
fn positions_have_one_schema_for_openai() {
    let integer = json!({"type": "integer"});
    let text = json!({"type": "string"});
    // Each case: an array, its items, its greatest length.
    let cases = [
        (json!({"prefixItems": [integer, integer], "minItems": 2, "maxItems": 2}), integer.clone(), Some(2)),
        (json!({"items": [integer, integer], "minItems": 2, "maxItems": 2}), integer.clone(), Some(2)),
        (json!({"items": [integer, text], "additionalItems": false}), json!({"anyOf": [integer, text]}), Some(2)),
        (
            json!({"prefixItems": [integer, text], "items": false, "maxItems": 9}),
            json!({"anyOf": [integer, text]}),
            Some(2),
        ),
        (json!({"prefixItems": [integer], "items": text}), json!({"anyOf": [integer, text]}), None),
        (json!({"items": [integer], "additionalItems": integer}), integer.clone(), None),
        (json!({"prefixItems": [integer, integer]}), json!({}), None),
        (json!({"prefixItems": [integer, true], "maxItems": 2}), json!({}), Some(2)),
        (json!({"items": []}), json!({}), None),
        (json!({"items": [], "additionalItems": false}), json!({}), Some(0)),
        (json!({"items": true}), json!({}), None),
        (json!({"items": false}), json!({}), Some(0)),
    ];
    for (mut array, items, most) in cases {
        array["type"] = json!("array");
        for name in OPENAI {
            let shown = shown(name, &with(&json!({"range": array, "deep": {"type": "array", "items": array}})));
            for at in ["/properties/range", "/properties/deep/items"] {
                let shown = shown.pointer(at).expect("the array is shown");
                assert_eq!((&shown["items"], shown["maxItems"].as_u64()), (&items, most), "{name}: {array}");
                assert_eq!(shown.get("minItems"), array.get("minItems"), "{name}: {array}");
                assert!(
                    shown.get("prefixItems").is_none() && shown.get("additionalItems").is_none(),
                    "{name}: {array}"
                );
            }
        }
    }
    let pair = with(&json!({"pair": {"type": "array", "prefixItems": [integer, text], "minItems": 2, "maxItems": 2}}));
    assert_eq!(
        shown("openai", &pair)["properties"]["pair"]["description"],
        r#"JSON Schema `prefixItems`: [{"type":"integer"},{"type":"string"}]"#
    );
}

/// "JSON schema is invalid. It must match JSON Schema draft 2020-12": hyperdxio/hyperdx#2925, anthropics/claude-code#586.
#[test]
fn positions_are_listed_as_in_json_schema_2020_12_for_claude() {
    let (integer, text) = (json!({"type": "integer"}), json!({"type": "string"}));
    let cases = [
        (json!({"items": [integer, text], "minItems": 2}), json!({"prefixItems": [integer, text], "minItems": 2})),
        (json!({"items": [integer], "additionalItems": false}), json!({"prefixItems": [integer], "items": false})),
        (json!({"items": [integer], "additionalItems": text}), json!({"prefixItems": [integer], "items": text})),
        (json!({"items": [], "additionalItems": text}), json!({"items": text})),
        (json!({"prefixItems": [integer], "items": text}), json!({"prefixItems": [integer], "items": text})),
        (json!({"items": text, "additionalItems": false}), json!({"items": text, "additionalItems": false})),
    ];
    for (mut array, mut expected) in cases {
        array["type"] = json!("array");
        expected["type"] = json!("array");
        let mut schema =
            with(&json!({"far": {"$ref": "#/definitions/range"}, "near": {"type": "array", "items": array}}));
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema["definitions"] = json!({"range": array});
        for name in ["anthropic", "anthropic-strict", "bedrock", "bedrock-strict"] {
            let shown = shown(name, &schema);
            let names_version = shown.get("$schema").is_some();
            assert_eq!(names_version, array == expected, "{name}: {array}");
            assert_eq!(shown.pointer("/definitions/range"), Some(&expected), "{name}: {array}");
            assert_eq!(shown.pointer("/properties/near/items"), Some(&expected), "{name}: {array}");
        }
    }
}

/// "enum[2]: cannot be empty": sbroenne/mcp-server-excel#607, anomalyco/opencode#46676.
#[test]
fn an_empty_text_in_a_list_of_values_is_in_words_for_gemini() {
    let cases = [
        (json!({"type": "string", "enum": ["list", "open", ""]}), r#"One of "list", "open", ""."#),
        (json!({"type": "string", "enum": [""]}), r#"One of ""."#),
        (json!({"type": "string", "const": ""}), r#"Always ""."#),
        (json!({"enum": ["a", ""]}), r#"One of "a", ""."#),
    ];
    for (schema, words) in cases {
        for name in ["gemini-schema", "gemini"] {
            let shown = shown(name, &with(&json!({"action": schema, "all": {"type": "array", "items": schema}})));
            for at in ["/properties/action", "/properties/all/items"] {
                let shown = shown.pointer(at).expect("it is shown");
                assert_eq!(shown["description"], words, "{name}: {schema}");
                assert!(shown.get("enum").is_none(), "{name}: {schema}");
            }
        }
    }
    let list = with(&json!({"action": {"type": "string", "enum": ["list", "open"]}}));
    assert_eq!(shown("gemini-schema", &list)["properties"]["action"]["enum"], json!(["list", "open"]));
}

/// "When using `any_of`, it must be the only field set": anomalyco/opencode#15795, akitaonrails/ai-memory#450.
#[test]
fn keywords_beside_branches_are_in_the_first_branch_for_gemini() {
    let schema = with(&json!({
        "w": {"description": "Weight.", "anyOf": [{"type": "number", "description": "In kg."}, {"type": "string"}]},
        "t": {"description": "Either.", "type": ["string", "integer", "null"], "maxLength": 9},
        "rows": {"type": "array", "items": {"description": "A cell.", "anyOf": [
            {"anyOf": [{"type": "string"}, {"type": "boolean"}], "description": "Inner."}, {"type": "null"}, {"type": "integer"}]}}
    }));
    let shown = shown("gemini-schema", &schema);
    let at = |pointer: &str| shown.pointer(pointer).cloned();
    assert_eq!(
        at("/properties/w"),
        Some(json!({"anyOf": [{"type": "number", "description": "Weight.\nIn kg."}, {"type": "string"}]}))
    );
    assert_eq!(
        at("/properties/t"),
        Some(json!({"anyOf": [
            {"type": "string", "maxLength": 9, "description": "Either.", "nullable": true}, {"type": "integer"}]}))
    );
    assert_eq!(
        at("/properties/rows/items"),
        Some(json!({"anyOf": [
            {"anyOf": [{"type": "string", "description": "A cell.\nInner.", "nullable": true}, {"type": "boolean"}]},
            {"type": "integer"}]}))
    );
}

/// An optional map from pydantic: `Optional[dict[str, str]]`.
#[test]
fn a_nullable_map_is_sent_to_gemini_and_comes_back() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let schema = with(&json!({
        "m": {"anyOf": [map, {"type": "null"}], "default": null, "description": "Map."}, "n": {"oneOf": [{"type": "null"}, map]}}));
    let shown = shown("gemini-schema", &schema);
    assert_eq!(shown["properties"]["m"]["type"], "array");
    assert_eq!(shown["properties"]["m"]["nullable"], true);
    let rendition = render(dialect("gemini-schema"), "do_it", &parsed(&schema.to_string()));
    let entries = json!([{"key": "a", "value": 1}]);
    for (sent, own) in [(entries.clone(), json!({"a": 1})), (json!([]), json!({})), (json!(null), json!(null))] {
        let back = restored(&rendition, &json!({"m": sent, "n": sent}));
        assert_eq!(back, Ok(json!({"m": own, "n": own})));
    }
}

/// The root and one of its branches hold together, so a branch that lists a property as `{}` does not add values.
#[test]
fn the_schema_of_a_property_at_the_root_holds_beside_an_empty_one_in_a_branch() {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Id."},
            "n": {"type": "integer"},
            "note": {"description": "A note."},
            "open": true
        },
        "anyOf": [
            {"properties": {"id": {}, "n": true, "note": {"type": "string"}, "open": {"type": "boolean"}}, "required": ["id"]},
            {"properties": {"n": {}, "id": {"description": "Ignored."}}, "required": ["n"]}
        ]
    });
    let properties = json!({
        "id": {"type": "string", "description": "Id."},
        "n": {"type": "integer"},
        "note": {"type": "string", "description": "A note."},
        "open": {"type": "boolean"}
    });
    for name in ["openai", "openai-responses", "anthropic", "bedrock"] {
        assert_eq!(shown(name, &schema)["properties"], properties, "{name}");
    }
}

/// A reference into a branch of the root had no target after the branches were merged; one into a list of items neither.
#[test]
fn a_reference_into_a_replaced_part_of_the_schema_still_has_its_target() {
    let text = json!({"type": "string", "minLength": 1});
    let branches = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/anyOf/0/properties/a~1b"}, "again": {"$ref": "#/anyOf/0/properties/a%7E1b"}},
        "anyOf": [
            {"properties": {"a/b": text, "deep": {"type": "object", "properties": {"x": {"$ref": "#/anyOf/1/properties/z"}}}}},
            {"properties": {"z": {"anyOf": [{"type": "integer"}, {"$ref": "#/anyOf/0/properties/deep"}]}}}
        ],
        "$defs": {"ab": {"type": "integer"}}
    });
    let list = with(&json!({
        "t": {"type": "array", "items": [text, {"type": "integer"}], "additionalItems": text},
        "u": {"$ref": "#/properties/t/items/0"},
        "v": {"$ref": "#/properties/t/additionalItems"}
    }));
    for name in ["openai", "openai-strict", "anthropic", "anthropic-strict", "bedrock"] {
        let merged = shown(name, &branches);
        for pointer in ["/properties/x/$ref", "/properties/again/$ref"] {
            let reference = merged.pointer(pointer).and_then(Value::as_str).expect("a reference");
            assert_eq!(merged.pointer(&reference[1..]), Some(&text), "{name}: {reference}");
        }
        let listed = shown(name, &list);
        for pointer in ["/properties/u/$ref", "/properties/v/$ref"] {
            let reference = listed.pointer(pointer).and_then(Value::as_str).expect("a reference");
            assert_eq!(listed.pointer(&reference[1..]), Some(&text), "{name}: {reference}");
        }
    }
    // Where nothing is replaced, the reference stays.
    assert_eq!(shown("mcp", &branches)["properties"]["x"]["$ref"], "#/anyOf/0/properties/a~1b");
}

/// "when using anyOf, type should be defined in anyOf items instead of the parent schema", "type is not defined", "items must be an object":
/// MoonshotAI/kimi-code#2661, MoonshotAI/kimi-cli#1595, MoonshotAI/kimi-code#830.
#[test]
fn every_schema_has_one_type_or_branches_for_moonshot() {
    let (text, integer, none) = (json!({"type": "string"}), json!({"type": "integer"}), json!({"type": "null"}));
    let any =
        json!({"anyOf": [text, {"type": "number"}, {"type": "boolean"}, {"type": "object"}, {"type": "array"}, none]});
    let map = json!({"type": "object", "additionalProperties": integer});
    // Each case: a property, and the property that is sent.
    let cases = [
        (
            json!({"type": "object", "anyOf": [{"properties": {"a": text}}, {"properties": {}}]}),
            json!({"anyOf": [{"type": "object", "properties": {"a": text}}, {"type": "object", "properties": {}}]}),
        ),
        (
            json!({"type": ["string", "null"], "description": "D.", "maxLength": 3}),
            json!({"description": "D.", "anyOf": [{"type": "string", "maxLength": 3}, none]}),
        ),
        (json!({"description": "Truncate?"}), json!({"description": "Truncate?", "anyOf": any["anyOf"]})),
        (json!(true), any.clone()),
        (
            json!({"anyOf": [map, none], "default": null}),
            json!({"anyOf": [map, none], "description": "Default: null."}),
        ),
        (
            json!({"anyOf": [{"enum": ["a", "b"]}, none]}),
            json!({"anyOf": [{"type": "string", "enum": ["a", "b"]}, none]}),
        ),
        (
            json!({"enum": [1, "auto", null]}),
            json!({"anyOf": [{"type": "integer", "enum": [1]}, {"type": "string", "enum": ["auto"]},
                          none]}),
        ),
        (json!({"type": "string", "enum": ["a", ""]}), json!({"type": "string", "description": r#"One of "a", ""."#})),
        (json!({"const": 3}), json!({"type": "integer", "enum": [3]})),
        (json!({"type": "array"}), json!({"type": "array"})),
        (
            json!({"type": "array", "items": [text, integer], "maxItems": 2}),
            json!({"type": "array", "items": {"anyOf": [text, integer]}, "maxItems": 2,
                "description": r#"JSON Schema `prefixItems`: [{"type":"string"},{"type":"integer"}]"#}),
        ),
        (
            json!({"type": "string", "format": "uri", "pattern": "^h"}),
            json!({"type": "string", "description": "Format: uri. Matches the regular expression \"^h\""}),
        ),
    ];
    for (property, expected) in cases {
        assert_eq!(shown("moonshot", &with(&json!({"x": property})))["properties"]["x"], expected, "{property}");
    }
}

/// The validator removes `allOf` without an error.
#[test]
fn keywords_that_moonshot_ignores_are_in_words() {
    let schema = with(&json!({
        "code": {"type": "string", "allOf": [{"minLength": 1}, {"enum": ["a"]}]},
        "row": {"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"properties": {"b": {"type": "string"}}}]}
    }));
    let shown = shown("moonshot", &schema);
    let words = |key: &str| shown["properties"][key]["description"].clone();
    assert_eq!(words("code"), r#"JSON Schema `allOf`: [{"minLength":1},{"enum":["a"]}]"#);
    assert_eq!(words("row"), r#"JSON Schema `anyOf`: [{"properties":{"b":{"type":"string"}}}]"#);
}

/// "property name 'anyOf' is reserved for JSON Schema keywords".
#[test]
fn reserved_keys_are_renamed_for_moonshot_and_come_back() {
    let own = json!({"anyOf": "a", "$ref": "b", "a/b": {"required": "c", "ключ": "d"}, "any": "e"});
    let text = json!({"type": "string"});
    let inner = json!({"type": "object", "properties": {"required": text, "ключ": text}, "required": ["required"]});
    let schema = with(&json!({"anyOf": text, "$ref": text, "a/b": inner, "any": text}));
    let keys: Vec<_> =
        shown("moonshot", &schema)["properties"].as_object().expect("properties").keys().cloned().collect();
    assert!(keys.contains(&"any".to_owned()), "{keys:?}");
    let rendition = render(dialect("moonshot"), "do_it", &parsed(&schema.to_string()));
    let sent = json!({"_anyOf": "a", "_ref": "b", "a_b": {"_required": "c", "ключ": "d"}, "any": "e"});
    assert_eq!(restored(&rendition, &sent), Ok(own));
}

/// "Pattern must start with '^' and end with '$'", "failed to parse grammar": ggml-org/llama.cpp#26930, #27580, #25746.
#[test]
fn llama_cpp_gets_only_schemas_that_it_can_convert() {
    let all = json!(["string", "number", "boolean", "object", "array", "null"]);
    let pattern = |pattern: &str| json!({"type": "string", "pattern": pattern});
    let in_words = |words: &str| json!({"type": "string", "description": words});
    let cases = [
        (pattern("^[a-z]{2,4}(-[0-9]+)?$"), pattern("^[a-z]{2,4}(-[0-9]+)?$")),
        (pattern("[a-z]"), in_words(r#"Matches the regular expression "[a-z]""#)),
        (pattern("^(?!x).*$"), in_words(r#"Matches the regular expression "^(?!x).*$""#)),
        (pattern(r"^\d+$"), in_words(r#"Matches the regular expression "^\\d+$""#)),
        (pattern("^a|b$"), in_words(r#"Matches the regular expression "^a|b$""#)),
        (
            json!({"type": "string", "minLength": 1, "maxLength": 65536}),
            json!({"type": "string", "minLength": 1, "description": "At most 65536 characters."}),
        ),
        (json!({"type": "string", "maxLength": 1999}), json!({"type": "string", "maxLength": 1999})),
        (json!(true), json!({"type": all})),
        (json!({"description": "Any."}), json!({"type": all, "description": "Any."})),
        (json!({"type": "array"}), json!({"type": "array", "items": {"type": all}})),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "items": false}),
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 2}),
        ),
        (
            json!({"type": "object", "additionalProperties": true}),
            json!({"type": "object", "additionalProperties": true}),
        ),
        (
            json!({"type": "object", "additionalProperties": {}}),
            json!({"type": "object", "additionalProperties": {"type": all}}),
        ),
        (json!({"$ref": "#"}), json!({"$ref": "#/$defs/root"})),
    ];
    for (property, expected) in cases {
        let shown =
            shown("llama-cpp", &with(&json!({"x": property, "o": {"type": "object", "properties": {"x": property}}})));
        for at in ["/properties/x", "/properties/o/properties/x"] {
            assert_eq!(shown.pointer(at), Some(&expected), "{property}");
        }
    }
}
