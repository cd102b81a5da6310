//! Ambiguous values: they are rejected for every kind of tool, and the hint shows the expected value.

use std::collections::BTreeMap;

use serde::Deserialize;
use tests::private::repair::coerce;
use tool_dynamic::DynamicTool;
use tool_runtime::RepairPolicy;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CallContext, Outcome, ToolInput, Toolbox, tool};
use tool_schema::json::Json;

use crate::repair::coerce::lists::LISTS;
use crate::repair::coerce::{left, read};

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(rename_all = "snake_case")]
pub(super) enum Topic {
    Rust,
    Date,
    Active,
    #[serde(rename = "5")]
    Five,
    #[serde(rename = "level_1")]
    Level,
    #[serde(rename = "15")]
    Fifteen,
    DegreesCelsius,
    #[serde(rename = "R&B")]
    Blues,
    #[serde(rename = "rock, pop & roll")]
    Rock,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[tool(undocumented)]
pub(super) enum Step {
    Rename { to: String },
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(untagged)]
#[tool(undocumented)]
pub(super) enum ListOrCount {
    List(Vec<String>),
    Count(u8),
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
pub(super) struct Order {
    id: u32,
}

/// Returns a text as a JSON string.
pub(super) fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[test]
fn a_sign_or_a_part_of_a_path_is_not_a_misspelling() {
    for sent in [
        "-date",
        "- 5",
        "-5",
        "+5",
        "../rust",
        "/rust",
        "./rust",
        "rust/",
        "!active",
        "not active",
        "~active",
        "#rust",
        "@rust",
        "rust!",
        "rust?",
        "$rust",
        "5%",
        "5.",
        ".5",
        "5.0",
        "1-5",
        "1 5",
        "1_5",
        "level -1",
        "level - 1",
        "level--1",
        "_date",
        "date_",
        "date-",
        "ru.st",
        "ru/st",
        "ru:st",
        "degrees.celsius",
        "degrees/celsius",
        "degrees:celsius",
        "degrees--celsius",
        "degrees_-celsius",
        "(rust)",
        "rust, date",
        "\u{200b}rust",
        "= 5",
        "> 5",
        "",
    ] {
        left(Topic::SHAPE, &text(sent));
        left(<BTreeMap<String, Topic>>::SHAPE, &format!("{{\"a\": {}}}", text(sent)));
    }
    for sent in ["-rename", "../rename", "!rename", "re.name", "rename?"] {
        left(Step::SHAPE, &format!("{{\"kind\": {}, \"to\": \"x\"}}", text(sent)));
    }
    for (sent, meant) in [
        ("RUST", "rust"),
        (" Rust\n", "rust"),
        ("Degrees-Celsius", "degrees_celsius"),
        ("degrees  celsius", "degrees_celsius"),
        ("DegreesCelsius", "degrees_celsius"),
        ("Level 1", "level_1"),
        ("level1", "level_1"),
    ] {
        read(Topic::SHAPE, &text(sent), &text(meant), &[("$", "enum_spelling")]);
    }
}

#[test]
fn a_number_in_quotes_keeps_every_digit() {
    for sent in [
        "12345678901234567890.123456789",
        "0.1000000000000000055511151231257827",
        "3.14159265358979323846",
        "1e-400",
        "1E400",
        "-1e400",
        "9007199254740993",
        "1234567890123456789012345",
        "1.00000000000000000000001",
        "4.9e-325",
    ] {
        left(f64::SHAPE, &text(sent));
        left(f32::SHAPE, &text(sent));
        left(<Vec<f64>>::SHAPE, &text(sent));
        left(<Vec<f64>>::SHAPE, &text(&format!("[1, {sent}]")));
        left(<BTreeMap<String, f64>>::SHAPE, &text(&format!("{{\"a\": {sent}}}")));
        // An integer of 64 bits stays exact if any value is accepted.
        if sent != "9007199254740993" {
            left(<Vec<serde_json::Value>>::SHAPE, &text(&format!("[1, [{sent}]]")));
        }
    }
    for sent in ["16777217", "0.123456789", "1e39", "1e-46", "3.4028236e38"] {
        left(f32::SHAPE, &text(sent));
        left(<Vec<f32>>::SHAPE, &text(&format!("[{sent}]")));
    }
    for sent in [
        "1e3",
        "1000.0",
        "0.10",
        "-0",
        "-0.0",
        "0.1",
        "5e-324",
        "1.7976931348623157e308",
        "9007199254740992",
        "1e22",
        "0.30",
    ] {
        read(f64::SHAPE, &text(sent), sent, &[("$", "text")]);
    }
    for sent in ["0.1", "1.5e3", "16777216", "3.4028235e38"] {
        read(f32::SHAPE, &text(sent), sent, &[("$", "text")]);
    }
    for sent in ["123456789012345678901234567890", "-170141183460469231731687303715884105728"] {
        read(i128::SHAPE, &text(sent), sent, &[("$", "text")]);
    }
    read(u64::SHAPE, r#""18446744073709551615""#, "18446744073709551615", &[("$", "text")]);
    for sent in ["1_000", "1,000", "0x10", "٣", "5.5", "1e-1", "5.0000000000000000000001"] {
        left(u64::SHAPE, &text(sent));
    }
    // A value that was sent as a number remains a number.
    let sent = Json::parse("12345678901234567890.123456789").expect("a number is JSON");
    assert!(coerce(f64::SHAPE, sent, RepairPolicy::Lossless).issues.is_empty());
}

/// Visits cities.
#[tool]
fn visit(
    /// The cities.
    cities: Option<Vec<String>>,
    /// The topic.
    topic: Option<Topic>,
    /// The budget.
    budget: Option<f64>,
) -> String {
    let _ = topic;
    format!("{cities:?} {budget:?}")
}

fn toolbox() -> Toolbox {
    let schema = serde_json::json!({"type": "object", "properties": {
        "cities": {"type": "array", "items": {"type": "string"}},
        "topic": {"enum": ["rust", "date", "5"]},
        "budget": {"type": "number"},
        "count": {"type": "integer"},
    }});
    let handler = |arguments: serde_json::Map<String, serde_json::Value>, _: &CallContext| {
        Ok::<_, String>(serde_json::Value::Object(arguments))
    };
    let schema = schema.to_string();
    let dynamic = DynamicTool::builder("visit_later", "Visits cities.", schema.as_str()).sync_handler(handler);
    Toolbox::builder()
        .feedback(FeedbackForm::Json)
        .tool(VisitTool)
        .tool(dynamic.expect("the schema is one"))
        .build()
        .expect("no clashes")
}

fn call(name: &str, arguments: &str) -> Outcome {
    pollster::block_on(toolbox().session().call("call_1", name, arguments))
}

#[test]
fn a_rejection_shows_the_expected_value() {
    for name in ["visit", "visit_later"] {
        let rejected = |arguments: &str, expected: &[&str]| {
            let outcome = call(name, arguments);
            let told = outcome.to_text();
            assert!(!outcome.is_ok(), "{arguments}: {told}");
            for words in expected {
                assert!(told.contains(words), "{arguments}: {told}");
            }
        };
        // An empty text and the words for nothing mean an absent optional list.
        for sent in LISTS.iter().filter(|sent| !matches!(sent.trim(), "" | "null" | "None")) {
            let arguments = serde_json::json!({"cities": sent}).to_string();
            rejected(&arguments, &["cities must be an array", r#""field":"cities""#, r#""expected":"array of "#]);
        }
        rejected(r#"{"topic": "-date"}"#, &["topic must be one of", "rust", "date"]);
        rejected(r#"{"budget": "12345678901234567890.123456789"}"#, &["budget must be a number", r#""type":"number""#]);
        for text in [
            "{\"cities\": [\"Paris\", // ... and 97 more\n]}",
            "{\"cities\": []}\nbudget: 6",
            r#"{"topic": "\x64ate"}"#,
        ] {
            rejected(text, &[r#""error_type":"invalid_json""#, "with one complete JSON object as its arguments"]);
        }
    }
    let outcome = call("visit_later", r#"{"count": "1234567890123456789012345"}"#);
    assert!(!outcome.is_ok(), "{}", outcome.to_text());
    assert!(call("visit_later", r#"{"count": "18446744073709551615"}"#).is_ok());
    assert!(call("visit", r#"{"cities": "['Paris', 'Rome']"}"#).to_text().contains(r#"["Paris", "Rome"]"#));
}
