//! Extraction of typed values from answers; a text that was cut off is never a value.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use tool_schema::issue::Constraint;
use tool_schema::{ToolInput, extract};

#[derive(Debug, Deserialize, PartialEq, ToolInput)]
#[serde(deny_unknown_fields)]
struct Note {
    /// The text.
    text: String,
    /// Urgency from 0 to 3.
    #[serde(default)]
    #[tool(range(max = 3), default = 0)]
    urgency: u8,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
struct Login {
    /// The password.
    #[tool(sensitive)]
    password: String,
    /// The name.
    name: String,
}

fn note(text: &str) -> Note {
    Note { text: text.to_owned(), urgency: 0 }
}

#[test]
fn valid_json_is_not_changed() {
    let found = extract::<Note>(r#" {"text": "5", "urgency": 2} "#).expect("it is valid");
    assert_eq!((found.value, found.repairs.len()), (Note { text: "5".to_owned(), urgency: 2 }, 0));
}

#[test]
fn prose_fences_and_spelling_are_repaired() {
    for answer in [
        "Sure!\n```json\n{\"text\": \"milk\"}\n```\nAnything else?",
        "Here it is: {\"text\": \"milk\"}",
        "{'text': 'milk',}",
        r#"{"text": "milk", "urgency": "0"}"#,
    ] {
        let found = extract::<Note>(answer).expect(answer);
        assert_eq!(found.value, note("milk"), "{answer}");
        assert!(!found.repairs.is_empty(), "{answer}");
    }
}

#[test]
fn an_answer_may_have_any_json_type() {
    assert_eq!(extract::<Vec<u8>>("The levels are ```[1, 2]```").expect("a list").value, [1, 2]);
    assert_eq!(extract::<u8>("7").expect("a number").value, 7);
    let stock = extract::<BTreeMap<String, u8>>(r#"{"apples": 3}"#).expect("a map").value;
    assert_eq!(stock["apples"], 3);
    assert!(extract::<Vec<u8>>(r#"{"levels": [1]}"#).is_err());
}

#[test]
fn every_issue_is_reported_at_once() {
    let error = extract::<Note>(r#"{"Text": "milk", "urgency": 9}"#).expect_err("three issues");
    let paths: Vec<String> = error.issues().iter().map(|issue| issue.path.to_string()).collect();
    assert_eq!(paths, ["text", "urgency", "Text"]);
    assert!(error.annotated_answer().contains("\"urgency\": 9"), "{}", error.annotated_answer());
    assert!(error.hint("note").to_json().contains(r#""rename_to":"text""#));
    let boxed: Box<dyn std::error::Error> = error.into();
    assert!(boxed.to_string().starts_with("3 issues: text is required"));
}

#[test]
fn an_answer_without_exactly_one_value_is_rejected() {
    for answer in ["", " \n", "I cannot do that.", r#"{"text": "a"} or {"text": "b"}"#] {
        let error = extract::<Note>(answer).expect_err(answer);
        assert_eq!(error.issues().len(), 1, "{answer}");
        assert!(!error.issues()[0].message().is_empty());
    }
    // The type accepts an empty object, but an empty text is not an answer.
    assert!(extract::<BTreeMap<String, u8>>("").is_err());
}

#[test]
fn a_secret_is_not_repeated() {
    for answer in [
        r#"{"password": "hunter2", "name": 3}"#,
        r#"{"pasword": "hunter2"}"#,
        r#"{"password": "hunter2", "name": "#,
        "The password is hunter2.",
    ] {
        let error = extract::<Login>(answer).expect_err(answer);
        let told = format!("{error} {error:?} {} {}", error.annotated_answer(), error.hint("login").to_json());
        let repairs: String = error.repairs().iter().map(ToString::to_string).collect();
        assert!(!told.contains("hunter2") && !repairs.contains("hunter2"), "{told}{repairs}");
    }
}

proptest! {
    #[test]
    fn a_text_that_was_cut_off_is_never_a_value(text in "\\PC{0,20}", urgency in 0_u8..4, quoted in any::<bool>(), at in 0_usize..400) {
        let json = serde_json::json!({ "text": text, "urgency": if quoted { urgency.to_string().into() } else { serde_json::Value::from(urgency) } });
        let whole = format!("Here it is:\n```json\n{json}\n```");
        let value = extract::<Note>(&whole);
        prop_assert_eq!(value.map(|found| found.value).ok(), Some(Note { text, urgency }));
        // The text is cut somewhere between the opening and the closing brace of the value.
        let (start, end) = (whole.find('{').unwrap_or(0) + 1, whole.rfind('}').unwrap_or(0));
        let mut cut = start + at % (end - start);
        while !whole.is_char_boundary(cut) {
            cut -= 1;
        }
        let found = extract::<Note>(&whole[..cut]);
        prop_assert!(found.is_err(), "{:?} became {:?}", &whole[..cut], found);
        let is_cut = |issue: &tool_schema::Issue| matches!(issue.constraint, Constraint::Incomplete | Constraint::Syntax { .. });
        prop_assert!(found.is_err_and(|error| error.issues().iter().all(is_cut)));
    }
}
