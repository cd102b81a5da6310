//! Single schemas: the definition for the model, the reasons for a plain form, and the restored arguments.

use serde_json::{Value, json};
use tests::providers::{rejections, schema_of};
use tool_schema::dialect::{Definition, EffectiveStrictness};
use tool_schema::issue::Path;
use tool_schema::json::Json;
use tool_schema::shape::Text;

use crate::dialects::{declaration, dialect, json, render, restored};

/// Returns a closed object with these properties.
fn closed(properties: &str, required: &str) -> String {
    format!(r#"{{"type":"object","properties":{{{properties}}},"required":[{required}],"additionalProperties":false}}"#)
}

fn rendered(name: &str, schema: &str) -> Definition {
    let rendition = render(dialect(name), "do_it", &json(schema));
    let definition = &rendition;
    if !definition.omits_tool() {
        let rejected = rejections(name, &[definition.to_value()]);
        assert!(rejected.is_empty(), "{name}: {definition}: {rejected:?}");
    }
    rendition
}

/// Returns the schema that a model sees.
fn shown(name: &str, schema: &str) -> Value {
    let rendition = rendered(name, schema);
    assert!(!rendition.omits_tool(), "{:?}", rendition.notes());
    let definition = rendition.to_value();
    schema_of(name, &definition).unwrap_or_else(|| panic!("{definition} has no schema")).clone()
}

/// Returns the reason why a tool is not strict.
#[track_caller]
fn reason(name: &str, schema: &str) -> String {
    let rendition = rendered(name, schema);
    assert_eq!(
        rendition.strictness(),
        EffectiveStrictness::Plain,
        "{:?}",
        (!rendition.omits_tool()).then(|| rendition.to_string())
    );
    rendition.notes().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn comes_back(name: &str, schema: &str, pairs: &[(Value, Value)]) {
    let rendition = rendered(name, schema);
    assert!(rendition.inverse().is_some(), "{:?}", rendition.notes());
    for (sent, own) in pairs {
        assert_eq!(restored(&rendition, sent).as_ref(), Ok(own), "{sent}");
    }
}

#[test]
fn strict_openai_requires_all_properties_and_accepts_null_for_optional_ones() {
    let schema = closed(r#""a":{"type":"string","minLength":2},"b":{"type":"integer"},"c":{"enum":["x"]}"#, r#""a""#);
    assert_eq!(
        shown("openai-strict", &schema),
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "string", "description": "At least 2 characters."},
                "b": {"type": ["integer", "null"]},
                "c": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]},
            },
            "required": ["a", "b", "c"],
            "additionalProperties": false,
        })
    );
    comes_back(
        "openai-strict",
        &schema,
        &[
            (json!({"a": "xx", "b": null, "c": null}), json!({"a": "xx"})),
            (json!({"a": "xx", "b": 1, "c": "x"}), json!({"a": "xx", "b": 1, "c": "x"})),
            // `null` for a required property is rejected, and not treated as absent.
            (json!({"a": null, "b": null}), json!({"a": null})),
        ],
    );
}

#[test]
fn strict_anthropic_leaves_optional_properties_out_of_required() {
    let schema = closed(r#""a":{"type":"string"},"b":{"type":["integer","null"],"minimum":3}"#, r#""a""#);
    assert_eq!(
        shown("anthropic-strict", &schema),
        json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": ["integer", "null"], "description": "At least 3."}},
            "required": ["a"],
            "additionalProperties": false,
        })
    );
    assert!(rendered("anthropic-strict", &schema).inverse().is_none());
    assert_eq!(
        reason("openai-strict", &schema),
        "not strict: b: is optional and may be `null`, which would be the same"
    );
}

#[test]
fn null_is_converted_back_to_absent_at_every_depth_and_in_recursive_types() {
    let node = closed(r##""name":{"type":"string"},"next":{"$ref":"#/$defs/node"}"##, r#""name""#);
    let schema = format!(
        r##"{{"type":"object","properties":{{"list":{{"type":"array","items":{{"$ref":"#/$defs/node"}}}}}},"additionalProperties":false,"$defs":{{"node":{node}}}}}"##
    );
    comes_back(
        "openai-strict",
        &schema,
        &[
            (json!({"list": null}), json!({})),
            (
                json!({"list": [{"name": "a", "next": {"name": "b", "next": {"name": "c", "next": null}}}]}),
                json!({"list": [{"name": "a", "next": {"name": "b", "next": {"name": "c"}}}]}),
            ),
        ],
    );
    assert_eq!(
        reason("anthropic-strict", &schema),
        "not strict: list.[]: is recursive; not strict: node.next: is recursive"
    );
}

#[test]
fn a_map_is_an_array_of_entries() {
    let schema = closed(
        r#""headers":{"type":"object","description":"Of the request.","additionalProperties":{"type":"string"},"maxProperties":3}"#,
        "",
    );
    for name in ["openai-strict", "anthropic-strict", "gemini-schema"] {
        comes_back(
            name,
            &schema,
            &[
                (json!({"headers": []}), json!({"headers": {}})),
                (
                    json!({"headers": [{"key": "a", "value": "1"}, {"value": "2", "key": "b"}]}),
                    json!({"headers": {"a": "1", "b": "2"}}),
                ),
                // The form differs from the definition, but is unambiguous.
                (json!({"headers": {"a": "1"}}), json!({"headers": {"a": "1"}})),
            ],
        );
    }
    let entries = &shown("anthropic-strict", &schema)["properties"]["headers"];
    assert_eq!(
        *entries,
        json!({
            "type": "array",
            "description": "Of the request.\nAn entry for each key, and no key twice. At most 3 items.",
            "items": {
                "type": "object",
                "properties": {"key": {"type": "string"}, "value": {"type": "string"}},
                "required": ["key", "value"],
                "additionalProperties": false,
            },
        })
    );
}

#[test]
fn invalid_entries_are_issues_with_the_paths_that_were_sent() {
    let rendition = rendered(
        "openai-strict",
        &closed(r#""m":{"type":"object","additionalProperties":{"type":"integer"}}"#, r#""m""#),
    );
    let inverse = rendition.inverse().expect("a map is rewritten");
    let sent = r#"{"m": [{"key": "a", "value": 1}, {"key": "b"}, {"key": "a", "value": 2}, 7]}"#;
    let issues = inverse.restore(json(sent)).expect_err("entries are broken");
    let found: Vec<_> = issues.iter().map(|issue| (issue.path.to_string(), issue.message())).collect();
    let expected = [
        ("m[1]", "m[1] must be an object with `key` and `value`"),
        ("m[2].key", "m[2].key repeats the key of another entry"),
        ("m[3]", "m[3] must be an object with `key` and `value`"),
    ];
    assert_eq!(found, expected.map(|(path, message)| (path.to_owned(), message.to_owned())));
}

#[test]
fn paths_are_converted_to_those_that_the_model_saw() {
    let item =
        closed(r#""$id":{"type":"integer"},"m":{"type":"object","additionalProperties":{"type":"integer"}}"#, "");
    let schema = closed(
        &format!(r#""$list":{{"type":"array","items":{item}}},"u":{{"anyOf":[{item},{{"type":"string"}}]}}"#),
        "",
    );
    let rendition = rendered("anthropic-strict", &schema);
    let inverse = rendition.inverse().expect("keys are renamed");
    let sent = json(
        r#"{"_list": [{}, {"_id": 1, "m": [{"key": "a", "value": 1}, {"key": "b.c", "value": 2}]}], "u": {"_id": 1}}"#,
    );
    for (own, shown) in [
        ("$list", "_list"),
        ("$list[1].$id", "_list[1]._id"),
        ("$list[0].$id", "_list[0]._id"),
        (r#"$list[1].m["b.c"]"#, "_list[1].m[1].value"),
        ("$list[1].m.none", "_list[1].m.none"),
        ("u.$id", "u._id"),
        ("$list[7].$id", "_list[7]._id"),
        ("other.$id", "other.$id"),
    ] {
        assert_eq!(inverse.path_in_sent_arguments(&Path::from(own), &sent).to_string(), shown, "{own}");
    }
}

#[test]
fn keys_that_anthropic_rejects_are_renamed_in_every_form() {
    let schema = closed(
        r#""$top":{"type":"integer"},"filter[id]":{"type":"string","description":"Which."},"имя":{"type":"string"},"_top":{"type":"string"}"#,
        r#""$top""#,
    );
    for name in ["anthropic", "anthropic-strict", "bedrock", "bedrock-strict"] {
        comes_back(
            name,
            &schema,
            &[(
                json!({"_top_2": 5, "filter_id_": "x", "___": "Ada", "_top": "t"}),
                json!({"$top": 5, "filter[id]": "x", "имя": "Ada", "_top": "t"}),
            )],
        );
    }
    let shown = shown("anthropic", &schema);
    assert_eq!(shown["properties"]["filter_id_"]["description"], "Which.\nNamed \"filter[id]\".");
    assert_eq!(shown["required"], json!(["_top_2"]));
    let plain = rendered("anthropic", &closed(r#""a.b-c":{"type":"string"}"#, ""));
    assert!(plain.inverse().is_none() && plain.notes().is_empty());
}

#[test]
fn keys_that_differ_after_64_characters_stay_different() {
    let (one, other) = (format!("{}1", "k".repeat(80)), format!("{}2", "k".repeat(80)));
    let schema = closed(&format!(r#""{one}":{{"type":"string"}},"{other}":{{"type":"string"}}"#), "");
    let properties =
        shown("anthropic", &schema)["properties"].as_object().map(|named| named.keys().cloned().collect::<Vec<_>>());
    let keys = properties.expect("there are properties");
    assert_eq!(keys, ["k".repeat(56), format!("{}_2", "k".repeat(56))]);
    comes_back("anthropic", &schema, &[(json!({&keys[0]: "a", &keys[1]: "b"}), json!({one: "a", other: "b"}))]);
}

#[test]
fn branches_are_distinguished_by_a_tag_or_by_their_keys() {
    let circle = closed(r#""kind":{"const":"circle"},"r":{"type":"number"}"#, r#""kind""#);
    let square = closed(
        r#""kind":{"const":"square"},"r":{"type":"object","additionalProperties":{"type":"number"}}"#,
        r#""kind""#,
    );
    let tagged = closed(&format!(r#""shape":{{"oneOf":[{circle},{square},{{"type":"string"}}]}}"#), r#""shape""#);
    comes_back(
        "openai-strict",
        &tagged,
        &[
            (json!({"shape": {"kind": "circle", "r": null}}), json!({"shape": {"kind": "circle"}})),
            (
                json!({"shape": {"kind": "square", "r": [{"key": "a", "value": 1}]}}),
                json!({"shape": {"kind": "square", "r": {"a": 1}}}),
            ),
            (json!({"shape": "none"}), json!({"shape": "none"})),
            (json!({"shape": {"kind": "circle"}}), json!({"shape": {"kind": "circle"}})),
        ],
    );
    let (a, b) = (closed(r#""a":{"type":"string"}"#, ""), closed(r#""b":{"type":"string"}"#, ""));
    let by_keys = closed(&format!(r#""u":{{"anyOf":[{a},{b}]}}"#), r#""u""#);
    comes_back("openai-strict", &by_keys, &[(json!({"u": {"b": null}}), json!({"u": {}}))]);
    let maps = r#"{"anyOf":[{"type":"object","additionalProperties":{"type":"string"}},{"type":"array","items":{"type":"object","additionalProperties":{"type":"string"}}}]}"#;
    let unclear = closed(&format!(r#""u":{maps}"#), r#""u""#);
    assert_eq!(
        reason("openai-strict", &unclear),
        "not strict: u: its branches cannot be distinguished in the form that a model is shown"
    );
}

#[test]
fn the_reasons_have_the_same_order_in_every_run() {
    let maps = r#"{"anyOf":[{"type":"object","additionalProperties":{"type":"string"}},{"type":"array","items":{"type":"object","additionalProperties":{"type":"string"}}}]}"#;
    let keys: Vec<_> = ('a'..='h').map(|key| format!(r#""{key}":{maps}"#)).collect();
    let schema = closed(&keys.join(","), "");
    for _ in 0..8 {
        let all = reason("openai-strict", &schema);
        let reasons: Vec<_> = all.split("; ").collect();
        assert!(reasons.len() == keys.len() && reasons.is_sorted(), "{reasons:?}");
    }
}

#[test]
fn every_schema_that_strict_cannot_express_has_a_reason() {
    let any = r#""x":{"description":"Anything."}"#;
    let cases = [
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}}}"#.to_owned(),
            "the arguments: accepts keys that it does not list",
        ),
        (closed(any, r#""x""#), "x: accepts any value"),
        (closed(r#""x":{"type":"array"}"#, r#""x""#), "x: has items of any kind"),
        (closed(r#""x":{"type":"object"}"#, r#""x""#), "x: accepts any keys"),
        (
            closed(r#""x":{"properties":{"a":{"type":"string"}}}"#, r#""x""#),
            "x: has no type, so that it accepts any other value too",
        ),
        (closed(r#""x":{"allOf":[{"type":"string"},{"minLength":1}]}"#, r#""x""#), "x: `allOf` joins several schemas"),
        (
            closed(r#""x":{"$ref":"https://example.org/x.json"}"#, r#""x""#),
            "x: refers to `https://example.org/x.json`, which the schema does not have",
        ),
        (
            closed(r#""x":{"type":"array","prefixItems":[{"type":"string"}]}"#, r#""x""#),
            "x: has items that differ by their position",
        ),
    ];
    for (schema, expected) in cases {
        for name in ["openai-strict", "anthropic-strict"] {
            let found = reason(name, &schema);
            assert_eq!(found, format!("not strict: {expected}"), "{schema}");
        }
    }
}

#[test]
fn unsupported_assertions_become_text() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false,
        "anyOf":[{"required":["a"]},{"required":["b"]}]}"#;
    let wrapped = closed(&format!(r#""x":{schema}"#), r#""x""#);
    let shown = shown("openai-strict", &wrapped);
    let words = shown["properties"]["x"]["description"].as_str().unwrap_or_default();
    assert_eq!(words, r#"JSON Schema `anyOf`: [{"required":["a"]},{"required":["b"]}]"#);
}

#[test]
fn references_with_sibling_keywords_are_inlined() {
    let place = closed(r#""city":{"type":"string"}"#, r#""city""#);
    let schema = format!(
        r##"{{"type":"object","properties":{{"from":{{"$ref":"#/$defs/place"}},"to":{{"$ref":"#/$defs/place","description":"Where to."}}}},"required":["from"],"additionalProperties":false,"$defs":{{"place":{place}}}}}"##
    );
    let shown = shown("openai-strict", &schema);
    assert_eq!(shown["properties"]["from"], json!({"$ref": "#/$defs/place"}));
    let to = &shown["properties"]["to"];
    assert_eq!((&to["type"], &to["description"]), (&json!(["object", "null"]), &json!("Where to.")));
    comes_back(
        "openai-strict",
        &schema,
        &[(json!({"from": {"city": "a"}, "to": null}), json!({"from": {"city": "a"}}))],
    );
    let _ = rendered("gemini", &schema);
    let _ = rendered("gemini-schema", &schema);
}

#[test]
fn for_gemini_ignored_keywords_become_text_and_integers_are_kept() {
    let schema = closed(
        r#""n":{"type":"integer","enum":[1,2],"multipleOf":1},"s":{"type":"string","pattern":"^a","maxLength":3},"c":{"const":"x"}"#,
        "",
    );
    let shown_json = shown("gemini", &schema);
    assert_eq!(
        shown_json["properties"],
        json!({
            "n": {"type": "integer", "enum": [1, 2], "multipleOf": 1, "description": "A multiple of 1."},
            "s": {"type": "string", "pattern": "^a", "maxLength": 3,
                "description": "Matches the regular expression \"^a\" At most 3 characters."},
            "c": {"enum": ["x"]},
        })
    );
    let subset = shown("gemini-schema", &schema);
    assert_eq!(subset["properties"]["n"], json!({"type": "integer", "description": "One of 1, 2. A multiple of 1."}));
    let nullable = closed(r#""n":{"type":["integer","null"]},"u":{"type":["integer","string"]}"#, "");
    assert_eq!(
        shown("gemini-schema", &nullable)["properties"],
        json!({"n": {"type": "integer", "nullable": true}, "u": {"anyOf": [{"type": "integer"}, {"type": "string"}]}})
    );
}

#[test]
fn for_gemini_recursive_properties_are_not_required() {
    let node = closed(
        r##""name":{"type":"string"},"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}"##,
        r#""name","next""#,
    );
    let schema = format!(
        r##"{{"type":"object","properties":{{"list":{{"$ref":"#/$defs/node"}}}},"required":["list"],"additionalProperties":false,"$defs":{{"node":{node}}}}}"##
    );
    let shown = shown("gemini", &schema);
    assert_eq!(shown["$defs"]["node"]["required"], json!(["name"]));
    let omitted = rendered("gemini-schema", &schema);
    assert_eq!(omitted.strictness(), EffectiveStrictness::Omitted);
    assert_eq!(omitted.notes()[0].reason(), "list.next: is recursive");
}

#[test]
fn a_renamed_key_is_described_even_beside_a_reference() {
    let schema = r##"{"type":"object","properties":{"$from":{"$ref":"#/$defs/place"}},"required":["$from"],"additionalProperties":false,
        "$defs":{"place":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}}"##;
    let told = json!("Named \"$from\".");
    let place = json!({"$ref": "#/$defs/place"});
    assert_eq!(
        shown("anthropic", schema)["properties"]["_from"],
        json!({"$ref": "#/$defs/place", "description": told})
    );
    assert_eq!(
        shown("anthropic-strict", schema)["properties"]["_from"],
        json!({"anyOf": [place], "description": told})
    );
}

#[test]
fn a_map_that_was_sent_without_entries_keeps_its_keys() {
    let object = closed(r#""$id":{"type":"string"}"#, r#""$id""#);
    let map = r#"{"type":"object","additionalProperties":{"type":"integer"}}"#;
    let schema = closed(&format!(r#""u":{{"anyOf":[{object},{map}]}}"#), r#""u""#);
    let rendition = rendered("anthropic-strict", &schema);
    let inverse = rendition.inverse().expect("keys are renamed");
    for (sent, own) in [
        // The key of a map may equal the shown key of the object.
        (r#"{"u":{"_id":5}}"#, r#"{"u":{"_id":5}}"#),
        (r#"{"u":{"_id":"x"}}"#, r#"{"u":{"$id":"x"}}"#),
        (r#"{"u":[{"key":"_id","value":5}]}"#, r#"{"u":{"_id":5}}"#),
    ] {
        assert_eq!(inverse.restore(json(sent)).map(|own| own.to_text()).ok().as_deref(), Some(own));
    }
}

#[test]
fn an_array_belongs_to_the_branch_of_arrays() {
    let object = closed(r#""$id":{"type":"string"}"#, r#""$id""#);
    let array = format!(r#"{{"type":"array","items":{object}}}"#);
    for branches in [format!("{object},{array}"), format!("{array},{object}")] {
        let schema = closed(&format!(r#""u":{{"anyOf":[{branches}]}}"#), r#""u""#);
        let rendition = rendered("anthropic", &schema);
        let inverse = rendition.inverse().expect("keys are renamed");
        let (own, shown) = (r#"{"u":[{"$id":"x"}]}"#, r#"{"u":[{"_id":"x"}]}"#);
        assert_eq!(inverse.show(json(own)).to_text(), shown);
        assert_eq!(inverse.restore(json(shown)).map(|own| own.to_text()).ok().as_deref(), Some(own));
    }
}

#[test]
fn branches_with_the_same_definition_are_one() {
    let object = closed(r#""id":{"type":"string"},"n":{"type":"integer"}"#, r#""id""#);
    let branch = r##"{"$ref":"#/$defs/d"}"##;
    let schema = format!(
        r#"{{"type":"object","additionalProperties":false,"required":["u"],"$defs":{{"d":{object}}},"properties":{{"u":{{"anyOf":[{branch},{branch}]}}}}}}"#
    );
    let rendition = rendered("openai-strict", &schema);
    let inverse = rendition.inverse().expect("an optional key may be null");
    let own = inverse.restore(json(r#"{"u": {"id": 5, "n": null}}"#)).map(|own| own.to_text());
    assert_eq!(own.ok().as_deref(), Some(r#"{"u":{"id":5}}"#));
}

#[test]
fn a_key_of_a_changed_and_of_an_unchanged_branch_is_kept() {
    let changed = closed(r#""$id":{"type":"string"},"k":{"const":"a"}"#, r#""$id","k""#);
    let unchanged = closed(r#""_id":{"type":"string"},"k":{"const":"b"}"#, r#""_id","k""#);
    for branches in [format!("{changed},{unchanged}"), format!("{unchanged},{changed}")] {
        let schema = closed(&format!(r#""u":{{"anyOf":[{branches}]}}"#), r#""u""#);
        let rendition = rendered("anthropic", &schema);
        let inverse = rendition.inverse().expect("a key is renamed");
        let sent = r#"{"u":{"_id":"x","k":"c"}}"#;
        assert_eq!(inverse.restore(json(sent)).map(|own| own.to_text()).ok().as_deref(), Some(sent));
    }
}

#[test]
fn a_repeated_key_is_kept_so_that_the_checker_reports_it() {
    let rendition = rendered("openai-strict", &closed(r#""a":{"type":"integer"},"b":{"type":"integer"}"#, ""));
    let inverse = rendition.inverse().expect("it is rewritten");
    let own = inverse.restore(json(r#"{"a": 1, "a": null, "b": null}"#)).map(|own| own.to_text());
    assert_eq!(own.ok().as_deref(), Some(r#"{"a":1,"a":null}"#));
}

#[test]
fn tools_beyond_the_limits_of_a_strict_request_are_plain() {
    let schema = json(&closed(r#""a":{"type":"string"},"b":{"type":"string"}"#, ""));
    let names: Vec<Text> = (0..30).map(|number| Text::from(format!("tool_{number}"))).collect();
    let description = Text::from_static("Does it.");
    let declarations: Vec<_> = names.iter().map(|name| declaration(name, &description)).collect();
    let all = dialect("anthropic-strict").render_all(declarations.iter().map(|tool| (tool, Some(&schema))));
    let forms: Vec<_> = all.iter().map(Definition::strictness).collect();
    assert_eq!(forms[..12], [EffectiveStrictness::Strict; 12]);
    assert_eq!(forms[12..], [EffectiveStrictness::Plain; 18]);
    assert_eq!(all[12].notes()[0].reason(), "not strict: a request takes 24 optional parameters");
    let definitions: Vec<_> = all.iter().filter(|tool| !tool.omits_tool()).map(Definition::to_value).collect();
    assert_eq!(rejections("anthropic-strict", &definitions), Vec::<String>::new());
}

#[test]
fn an_invalid_mcp_header_annotation_is_left_out() {
    let list =
        r#"{"type":"array","items":{"type":"object","properties":{"c":{"type":"string","x-mcp-header":"In-List"}}}}"#;
    let schema = closed(
        &format!(
            r#""a":{{"type":"string","x-mcp-header":"Region"}},"b":{{"type":"integer","x-mcp-header":"region"}},
            "n":{{"type":"number","x-mcp-header":"Number"}},"t":{{"type":"string","x-mcp-header":"not a token"}},"list":{list},
            "o":{{"type":"object","properties":{{"d":{{"type":"boolean","x-mcp-header":"Deep"}}}}}},
            "x":{{"type":"object","default":{{"properties":{{"x-mcp-header":{{"x-mcp-header":1}}}}}}}}"#
        ),
        "",
    );
    let properties = shown("mcp", &schema)["properties"].clone();
    let named = |pointer: &str| properties.pointer(pointer).and_then(|schema| schema.get("x-mcp-header")).cloned();
    assert_eq!(named("/a"), Some(json!("Region")));
    assert_eq!(named("/o/properties/d"), Some(json!("Deep")));
    for pointer in ["/b", "/n", "/t", "/list/items/properties/c"] {
        assert_eq!(named(pointer), None, "{pointer}");
    }
    assert_eq!(properties["x"]["default"]["properties"]["x-mcp-header"], json!({"x-mcp-header": 1}));
}

#[test]
fn an_invalid_name_does_not_affect_the_other_tools() {
    let schema: Json<'static> = json(&closed("", ""));
    let (good, bad) = (Text::from_static("good"), Text::from_static("not good"));
    let description = Text::from_static("Does it.");
    let declarations = [declaration(&bad, &description), declaration(&good, &description)];
    for name in tests::providers::DIALECTS {
        let all = dialect(name).render_all(declarations.iter().map(|tool| (tool, Some(&schema))));
        assert_eq!(all[0].strictness(), EffectiveStrictness::Omitted, "{name}");
        assert!(all[0].omits_tool() && !all[0].notes().is_empty(), "{name}");
        assert_ne!(all[1].strictness(), EffectiveStrictness::Omitted, "{name}");
    }
}
