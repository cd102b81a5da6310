//! Answers that are hostile, or very long: they end with an error of bounded size, and never with a value.

use std::collections::BTreeMap;

use serde_json::Value;
use tool_chat::conversation::{Conversation, TurnEnd, TurnLimits};
use tool_chat::model::{Response, ScriptedModel, ToolCall};
use tool_runtime::Dialect;
use tool_runtime::tool_schema::extract;

use super::answered;
use super::types::{Answer, DIALECTS, Each, Flat, Secret, Tree, as_sent, each, form, no_tools};

struct Hostile;

impl Each for Hostile {
    fn of<T: Answer>(&mut self, name: &str, _: &T) {
        let deep = |open: &str, close: &str| format!("{}{}", open.repeat(20_000), close.repeat(20_000));
        let texts = [
            deep("[", "]"),
            deep("{\"value\":", "}"),
            deep("{\"name\":\"a\",\"children\":[", "]}"),
            format!(r#"{{"value": {}}}"#, deep("[", "]")),
            "[".repeat(1 << 16),
            "{\"a\":".repeat(1 << 14),
            "\"".repeat(1 << 16),
            "```".repeat(1 << 14),
            "<think>".repeat(1 << 14),
            "</think>{".repeat(1 << 14),
            "{}".repeat(1 << 15),
            format!(r#"{{"name": "{}"}}"#, "a".repeat(1 << 16)),
            format!(r#"{{"value": [{}1]}}"#, "1,".repeat(1 << 15)),
            format!("{{{}}}", (0..4_000).map(|key| format!("\"k{key}\":1")).collect::<Vec<_>>().join(",")),
            "\u{202e}\u{feff}\u{0}\u{1b}[31m".repeat(2_000),
            "\\u".repeat(1 << 15),
            "\u{1F600}".repeat(1 << 14),
        ];
        for dialect in [Dialect::OPENAI, Dialect::GEMINI, Dialect::BEDROCK] {
            let Some(form) = form::<T>(dialect, name) else { continue };
            for text in &texts {
                let Err(error) = form.read(text) else { panic!("{dialect}: {name}: a value from {text:.40}") };
                assert!(!error.issues().is_empty() && error.feedback().len() < 8_192, "{dialect}: {name}: {text:.40}");
                assert!(error.to_string().len() < 2_048, "{dialect}: {name}: {text:.40}");
            }
        }
    }
}

#[test]
fn hostile_answers_are_rejected_with_bounded_texts() {
    each(&mut Hostile);
}

#[test]
fn a_megabyte_of_nonsense_is_rejected() {
    for dialect in [Dialect::OPENAI, Dialect::BEDROCK] {
        let Some(form) = form::<Flat>(dialect, "") else { continue };
        for text in [
            "[".repeat(1 << 20),
            "{}".repeat(1 << 19),
            "\\u".repeat(1 << 19),
            format!("{{\"name\": \"{}", "a".repeat(1 << 20)),
        ] {
            let error = answered(&form, dialect, &text).err();
            assert!(error.is_some_and(|error| !error.issues().is_empty()), "{dialect}: {text:.20}");
        }
    }
}

#[test]
fn a_long_answer_is_read() {
    let text = "x".repeat(1 << 20);
    let flat = Flat { name: text, count: 1, note: None, done: true };
    for dialect in DIALECTS {
        let Some(form) = form::<Flat>(dialect, "") else { continue };
        let json = as_sent(&form, &serde_json::to_value(&flat).unwrap_or_default()).to_string();
        assert!(answered(&form, dialect, &json).is_ok_and(|value| value == flat), "{dialect}");
    }
}

#[test]
fn nesting_is_bounded_on_a_small_stack() {
    let read = || {
        let mut deepest = 0;
        for levels in [10, 60, 125, 200, 1_000, 100_000] {
            let text = format!("{}{}", r#"{"name":"a","children":["#.repeat(levels), "]}".repeat(levels));
            if extract::<Tree>(&text).is_ok() {
                deepest = levels;
            }
        }
        deepest
    };
    let deepest =
        std::thread::Builder::new().stack_size(2 << 20).spawn(read).ok().and_then(|thread| thread.join().ok());
    assert!(deepest.is_some_and(|levels| (10..=1_000).contains(&levels)), "{deepest:?}");
}

#[test]
fn after_the_last_correction_there_is_no_value_and_no_request() {
    let mut limits = TurnLimits::default();
    limits.corrections = 2;
    let good = r#"{"value": {"a": 1}}"#;
    let model = ScriptedModel::new().in_dialect(Dialect::GEMINI);
    let model = model.text("No.").text("[1]").text("{}").text(good);
    let mut conversation = Conversation::new(no_tools(), model.clone()).limits(limits);
    let error = pollster::block_on(conversation.answer::<BTreeMap<String, u8>>("Go.")).expect_err("three rejections");
    assert!(matches!(error.end(), TurnEnd::Rejected { attempts: 3, .. }), "{error}");
    assert_eq!(model.remaining(), 1);
    // The end stays: the next prompt begins anew.
    let again = pollster::block_on(conversation.resume_answer::<BTreeMap<String, u8>>());
    assert!(again.is_err() || again.is_ok_and(|end| end.is_err()));
    assert_eq!(model.remaining(), 1);
    let value = pollster::block_on(conversation.answer::<BTreeMap<String, u8>>("Again."));
    assert_eq!(value.ok(), Some(BTreeMap::from([("a".to_owned(), 1)])));
}

#[test]
fn several_answers_in_one_response_are_no_value() {
    let call = |id: &str, level: u8| {
        ToolCall::new(id, "final_answer", format!(r#"{{"token": "t-1234567", "level": {level}}}"#))
    };
    let two = Response::from_calls([call("1", 1), call("2", 2)]);
    let model = ScriptedModel::new().with_answer_forms(false).answer(two).answer(Response::from_calls([call("3", 3)]));
    let mut conversation = Conversation::new(no_tools(), model.clone());
    let value = pollster::block_on(conversation.answer::<Secret>("Go."));
    assert_eq!(value.map(|secret| secret.level).ok(), Some(3));
    let told = model.requests()[1].messages.last().map_or(String::new(), |message| message.text().to_owned());
    assert!(told.contains("invalid_json") && !told.contains("t-1234567"), "{told}");
}

#[test]
fn secrets_of_an_answer_are_in_no_error_and_no_event() {
    let texts = [
        r#"{"token": "t-1234567", "level": 9}"#,
        r#"{"token": ["t-1234567"], "level": 1}"#,
        r#"{"token": "t-1234567", "level": "#,
        "The token is t-1234567.",
        r#"<tool_call>{"token": "t-1234567", "level": 1}</tool_call>"#,
    ];
    for text in texts {
        for dialect in [Dialect::OPENAI, Dialect::BEDROCK] {
            let Some(form) = form::<Secret>(dialect, "") else { continue };
            let error = answered(&form, dialect, text).err();
            let Some(error) = error else { panic!("{dialect}: a value from {text}") };
            let shown = format!("{error} {error:?} {:?}", error.issues());
            assert!(!shown.contains("t-1234567"), "{dialect}: {text}: {shown}");
        }
    }
    let value: Value = serde_json::json!({"token": "t-1234567"});
    assert!(extract::<Secret>(&value.to_string()).is_err_and(|error| !error.feedback().contains("t-1234567")));
}
