//! Each format reads what its models write.

use std::fmt::Write;

use serde_json::{Value, json};
use tool_formats::{CallFormat, CallReader};

use crate::tools::{calls, read, tools};

fn one(text: &str) -> (String, Value) {
    let found = calls(text);
    let [(name, arguments)] = &found[..] else { panic!("{} calls in {text}", found.len()) };
    (name.clone(), serde_json::from_str(arguments).unwrap_or_else(|_| arguments.clone().into()))
}

#[test]
fn every_example_is_read_alone_and_with_the_other_formats() {
    for format in CallFormat::ALL {
        for reader in [CallReader::new(&[*format], tools), CallReader::new(CallFormat::ALL, tools)] {
            let found = reader.read(format.example());
            let [call] = &found.calls[..] else { panic!("{format:?}: {found:?}") };
            assert_eq!(call.name, "get_weather", "{format:?}");
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            assert_eq!(arguments, json!({"city": "Paris", "days": 3}), "{format:?}");
            assert_eq!(found.text, "", "{format:?}");
        }
    }
}

#[test]
fn every_format_is_found_after_prose_and_the_prose_stays() {
    for format in
        CallFormat::AUTO.iter().filter(|format| **format != CallFormat::LLAMA3_JSON && **format != CallFormat::PYTHONIC)
    {
        let found = read(&format!("I will look it up.\n\n{}\n", format.example()));
        assert_eq!((found.calls.len(), found.text.as_str()), (1, "I will look it up.\n\n"), "{format:?}");
    }
}

#[test]
fn names_are_parsed() {
    for format in CallFormat::ALL {
        assert_eq!(format.name().parse(), Ok(*format));
    }
    assert!("".parse::<CallFormat>().is_err());
}

#[test]
fn values_of_parameters_follow_the_schema() {
    for (key, text, wanted) in [
        ("city", "123", json!("123")),
        ("city", "null", json!("null")),
        ("city", "[1]", json!("[1]")),
        ("days", "3", json!(3)),
        ("days", "3 days", json!("3 days")),
        ("days", "null", json!(null)),
        ("days", "None", json!(null)),
        ("hourly", "True", json!(true)),
        ("hourly", "false", json!(false)),
        ("hourly", "yes", json!("yes")),
        ("units", r#"["a", "b"]"#, json!(["a", "b"])),
        ("units", "a, b", json!("a, b")),
        ("options", r#"{"a": 1}"#, json!({"a": 1})),
        ("note", "true", json!("true")),
        ("note", "null", json!(null)),
        ("other", "5", json!("5")),
        ("other", "[5]", json!([5])),
    ] {
        let xml = format!("<function=get_weather>\n<parameter={key}>\n{text}\n</parameter>\n</function>");
        assert_eq!(one(&xml).1, json!({key: wanted}), "{xml}");
        let pairs =
            format!("<tool_call>get_weather\n<arg_key>{key}</arg_key>\n<arg_value>{text}</arg_value>\n</tool_call>");
        assert_eq!(one(&pairs).1, json!({key: wanted}), "{pairs}");
        let invoke = format!("<invoke name=\"get_weather\"><parameter name=\"{key}\">{text}</parameter></invoke>");
        assert_eq!(one(&invoke).1, json!({key: wanted}), "{invoke}");
    }
}

#[test]
fn values_of_parameters_can_contain_markup() {
    let html = "<p>if a < b && c > d</p>\n  </parameter> is a tag, </function> too, and \"this\"\n";
    let text = format!(
        "<function=get_weather>\n<parameter=city>\n{html}\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>"
    );
    assert_eq!(one(&text).1, json!({"city": html, "days": 2}));
    let json = r#"<tool_call>{"name": "any", "arguments": {"text": "</tool_call> and <tool_call>"}}</tool_call>"#;
    assert_eq!(one(json).1, json!({"text": "</tool_call> and <tool_call>"}));
}

#[test]
fn broken_json_is_handed_on_as_it_is() {
    for (text, arguments) in [
        ("<tool_call>{'name': 'any', 'arguments': {'a': 1,}}</tool_call>", "{'a': 1,}"),
        ("<tool_call>{\"name\": \"any\", \"arguments\": \"{\\\"a\\\": 1}\"}</tool_call>", "{\"a\": 1}"),
        ("<function=any>{a: 1/6}</function>", "{a: 1/6}"),
        ("<|tool_call_begin|>functions.any:0<|tool_call_argument_begin|>{a: 1}<|tool_call_end|>", "{a: 1}"),
        ("<tool_call>{\"name\": \"any\", \"arguments\": null}</tool_call>", "null"),
        ("<tool_call>{\"name\": \"any\"}</tool_call>", "{}"),
        ("[TOOL_CALLS]any{\"a\": 1}", "{\"a\": 1}"),
    ] {
        assert_eq!(calls(text), [("any".to_owned(), arguments.to_owned())], "{text}");
    }
}

#[test]
fn several_calls_are_found_in_order() {
    let names = |text: &str| calls(text).into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ");
    for text in [
        "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n{\"name\": \"any\", \"arguments\": {}}\n</tool_call>",
        "<tool_call>[{\"name\": \"now\", \"arguments\": {}}, {\"name\": \"any\", \"arguments\": {}}]</tool_call>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>any<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "<minimax:tool_call>\n<invoke name=\"now\">\n</invoke>\n<invoke name=\"any\">\n</invoke>\n</minimax:tool_call>",
        "[TOOL_CALLS]now[ARGS]{}[TOOL_CALLS]any[ARGS]{}",
        "<|python_tag|>{\"name\": \"now\", \"parameters\": {}}; {\"name\": \"any\", \"parameters\": {}}<|eom_id|>",
        "{\"name\": \"now\", \"parameters\": {}};{\"name\": \"any\", \"parameters\": {}}",
        "[{\"name\": \"now\", \"parameters\": {}}, {\"name\": \"any\", \"parameters\": {}}]",
        "[now(), any(a='b')]",
        "```json\n{\"name\": \"now\", \"parameters\": {}}\n{\"name\": \"any\", \"parameters\": {}}\n```",
        "<tool_call>now</tool_call>\n<tool_call>any\n</tool_call>",
        "<tool_calls>\n{\"name\": \"now\", \"arguments\": {}}\n{\"name\": \"any\", \"arguments\": {}}\n</tool_calls>",
        "\n        [TOOL_CALLS]\n        [{\"name\": \"now\", \"arguments\": {}}, {\"name\": \"any\", \"arguments\": {}}]",
        "Yes. functools[{\"name\": \"now\", \"arguments\": {}}, {\"name\": \"any\", \"arguments\": {}}]",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|><|start|>assistant to=functions.any<|channel|>commentary json<|message|>{}<|call|>",
    ] {
        assert_eq!(names(text), "now any", "{text}");
    }
}

#[test]
fn python_values_become_json() {
    let found = one("[any(a='it\\'s', b=[1, 2.5], c={'k': True}, d=None, e=-3, f=\"x=1, y)\")]");
    assert_eq!(found.1, json!({"a": "it's", "b": [1, 2.5], "c": {"k": true}, "d": null, "e": -3, "f": "x=1, y)"}));
    for text in ["[any('a')]", "[any(a=b)]", "[any(a=1/2)]", "[any(a=1)", "[any(a=f(1))]", "[1, 2]", "[any]"] {
        assert!(calls(text).is_empty(), "{text}");
    }
}

#[test]
fn a_quote_token_is_a_quotation_mark() {
    let text = "<|tool_call>call:any{a:<|\"|>{\"x\"} \\ <tool_call|><|\"|>,b:[<|\"|>1<|\"|>,2],c:{d:true}}<tool_call|>";
    assert_eq!(one(text).1, json!({"a": "{\"x\"} \\ <tool_call|>", "b": ["1", 2], "c": {"d": true}}));
}

#[test]
fn the_span_is_the_markup() {
    let text = "Look. <tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>";
    assert_eq!(text[read(text).calls[0].span.clone()], text[6..]);
}

/// The page is generated. `UPDATE_GOLDEN=1` updates it.
#[test]
fn the_page_lists_the_formats() {
    let mut page = "# Call formats\n\nThis page lists the formats in which models write tool calls as text. The crate `tool-formats` reads these formats. \
        Every example calls the tool `get_weather` with the city `Paris` and 3 days.\n\nA conversation runs tool calls in text if its model is \
        wrapped in the type `tool_chat::model::TextCallModel`.\n\nThis page is generated from `crates/tool-formats/src/format.rs`.\n"
        .to_owned();
    for format in CallFormat::ALL {
        let note =
            if CallFormat::AUTO.contains(format) { "" } else { "\n\n`CallFormat::AUTO` does not contain this format." };
        let _ = write!(
            page,
            "\n## {}\n\n{}. [Source]({}){note}\n\n````text\n{}\n````\n",
            format.name(),
            format.models(),
            format.source(),
            format.example()
        );
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    // The packaged crate has no pages.
    let Ok(known) = std::fs::read_to_string(path) else { return };
    assert_eq!(known, page, "UPDATE_GOLDEN=1 updates the page");
}
