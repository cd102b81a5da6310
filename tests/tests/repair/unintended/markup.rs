//! The markup of a parameter inside the text of another one.

use serde_json::{Value, json};
use tool_runtime::RepairPolicy;

use super::{call, session};

fn store(required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": {"content": {"type": "string"}, "metadata": {"type": "object"}, "mode": {"type": "string"}},
        "required": required,
    })
}

const SWALLOWED: [&str; 16] = [
    "x</content>\n<ns:parameter name=\"metadata\">{}",
    "x</content>\n<parameter\n  name=\"metadata\">{}",
    "x</content>\n<parameter = metadata>{}",
    "x\n<｜DSML｜parameter name=\"metadata\" string=\"true\">{}",
    "```\nan open fence\n<parameter name=\"metadata\">{}",
    "x</content>\n< parameter class=\"name\" name=\"metadata\">{}",
    "x</content>\n<parameter type=\"json\" name=\"metadata\">{}",
    "x</content>\n<parameter name = 'metadata'>{}",
    "x</content>\n<parameter name=metadata string=\"true\">{}",
    "```\n<parameter name=\"mode\">\n```\nx\n<parameter name=\"metadata\">{}",
    "Long.</content>\n<parameter name=\"metadata\">{\"tags\":\"a,b\"}</parameter>",
    "Long.</content>\n<parameter name=\"metadata\">{\"tags\":\"a,b\"}",
    "Long\n<parameter name=\"metadata\">[\"npm test\"]",
    "/ok</parameter>\n<parameter=metadata>\nforce",
    "page</arg_value><arg_key>metadata</arg_key><arg_value>5",
    "<parameter name=\"other\">1</parameter><parameter name=\"metadata\">2",
];

#[test]
fn the_call_runs_unchanged_with_a_warning() {
    let session = session("store", &store(&["content"]), RepairPolicy::Lossless);
    for text in SWALLOWED {
        let outcome = call(&session, "store", &json!({"content": text}).to_string());
        assert_eq!(outcome.value(), Some(json!({"content": text})), "{text}");
        assert_eq!(outcome.warnings(), ["metadata was not sent, but is inside content, as markup."], "{text}");
    }
}

#[test]
fn the_hint_says_where_a_required_parameter_stands() {
    let session = session("store", &store(&["content", "metadata"]), RepairPolicy::Lossless);
    for text in SWALLOWED {
        let answer = call(&session, "store", &json!({"content": text}).to_string()).to_text().into_owned();
        let answer: Value = serde_json::from_str(&answer).expect("a rejection is JSON");
        assert_eq!(answer["errors"][0]["error_message"], "metadata is required; it is inside content, as markup");
        let guidance = "with metadata as an argument of its own, and content without its markup.";
        assert!(answer["retry_guidance"].as_str().is_some_and(|words| words.contains(guidance)), "{answer}");
        assert_eq!(answer["retry_hint"]["constraints"][0]["inside"], "content");
        assert!(
            answer["retry_hint"].get("example_input").is_none()
                && answer["retry_hint"].get("clarifying_question").is_none()
        );
    }
}

#[test]
fn texts_at_any_depth_are_searched() {
    let schema = json!({
        "type": "object",
        "properties": {"files": {"type": "array"}, "note": {"type": "object"}, "metadata": {"type": "object"}},
    });
    let session = session("store", &schema, RepairPolicy::Lossless);
    for (sent, field) in [
        (json!({"files": [{"content": "a"}, {"content": SWALLOWED[0]}]}), "files"),
        (json!({"note": {"deep": {"text": SWALLOWED[0]}}}), "note"),
    ] {
        let outcome = call(&session, "store", &sent.to_string());
        assert_eq!(outcome.value(), Some(sent));
        let warning = format!("metadata was not sent, but is inside {field}, as markup.");
        assert_eq!(outcome.warnings(), [warning.as_str()]);
    }
}

#[test]
fn text_about_markup_has_no_warning() {
    let session = session("store", &store(&["content"]), RepairPolicy::Lossless);
    for sent in [
        json!({"content": "See you.</content>\n</invoke>"}),
        json!({"content": "A block ends with </parameter> here."}),
        json!({"content": "<parameter name=\"path\">x</parameter>"}),
        json!({"content": "<parameter name=\"metadata\">x</parameter>", "metadata": {}}),
        json!({"content": "a < b, <arg_key> and <parameter"}),
        json!({"content": "Write:\n```xml\n<parameter name=\"metadata\">x</parameter>\n```\nand so on."}),
    ] {
        let outcome = call(&session, "store", &sent.to_string());
        assert!(outcome.is_ok() && outcome.warnings().is_empty(), "{sent}: {:?}", outcome.warnings());
    }
}
