//! Corrections and counts: parameters that are left out or renamed, the number of hidden issues, and text that looks like Markdown.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_schema::check::check;
use tool_schema::feedback::{annotated_arguments, markdown};
use tool_schema::json::Json;
use tool_schema::repair::{RepairedText, repair_text};
use tool_schema::shape::Shape;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)] // The decoded values are not read.
struct Paint {
    #[serde(alias = "shade")]
    colour: String,
    layers: Option<u8>,
}

fn told(shape: &Shape, text: &str) -> [String; 2] {
    let json = Json::parse(text).expect("it is JSON");
    let issues = check(shape, &json);
    [annotated_arguments(shape, &json, &issues), markdown("paint", shape, &json, &issues)]
}

fn corrected(markdown: &str) -> String {
    let block = markdown.split_once("```json\n").and_then(|(_, rest)| rest.split_once("\n```\n"));
    Json::parse(block.expect("there is a block").0).expect("the block is JSON").to_text()
}

#[test]
fn superfluous_keys_are_not_among_the_corrected_parameters() {
    for (sent, wanted) in [
        (r#"{"colour": "red", "wet": true}"#, r#"{"colour":"red"}"#),
        (r#"{"wet": [1, {"a": 2}], "colour": "red", "layers": 2}"#, r#"{"colour":"red","layers":2}"#),
        (r#"{"Colour": "red", "wet": 1}"#, r#"{"colour":"red"}"#),
        (
            r#"{"wet": 1, "colour": "red", "layers": 300, "dry": 2}"#,
            r#"{"colour":"red","layers":"<integer from 0 to 255>"}"#,
        ),
    ] {
        let [marked, prose] = told(Paint::SHAPE, sent);
        assert_eq!(corrected(&prose), wanted, "{sent}:\n{prose}");
        assert!(marked.contains("❌"), "{marked}");
    }
}

/// Returns the corrected call in the default form.
fn call(shape: &Shape, text: &str) -> Option<String> {
    let json = Json::parse(text).expect("it is JSON");
    let told = tests::private::feedback::parts::corrected_call("paint", shape, &json, &check(shape, &json), 4_096)?;
    let (lead, call) = told.split_once('\n').expect("the call is on a line of its own");
    assert_eq!(lead.contains('<'), Json::parse(call).is_err(), "{told}");
    // A copied placeholder is not repaired to a text either.
    let arguments = call.split_once(r#""arguments": "#).and_then(|(_, rest)| rest.strip_suffix('}'));
    let is_read = matches!(
        repair_text(arguments.expect("there are arguments")),
        RepairedText::Clean(_) | RepairedText::Repaired { .. }
    );
    assert_eq!(lead.contains('<'), !is_read, "{told}");
    Some(call.to_owned())
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)] // The decoded values are not read.
struct Note {
    title: String,
    label: Option<String>,
}

#[test]
fn a_misspelt_key_does_not_stay_in_the_corrected_call_although_it_is_ignored() {
    for (sent, wanted) in [
        (r#"{"titel": "Milk", "label": "a"}"#, r#"{"label": "a", "title": <string>}"#),
        // Certainly the same key, with its value.
        (r#"{"titles": "Milk", "label": "a"}"#, r#"{"title": "Milk", "label": "a"}"#),
        // A key that resembles no absent required field is ignored, as the type says.
        (r#"{"colour": "red"}"#, r#"{"colour": "red", "title": <string>}"#),
        (r#"{"labell": "red"}"#, r#"{"labell": "red", "title": <string>}"#),
    ] {
        let wanted = format!(r#"{{"name": "paint", "arguments": {wanted}}}"#);
        assert_eq!(call(Note::SHAPE, sent).as_deref(), Some(wanted.as_str()), "{sent}");
    }
    let messages = |sent| -> Vec<String> {
        check(Note::SHAPE, &Json::parse(sent).expect("it is JSON")).iter().map(tool_schema::Issue::message).collect()
    };
    let misspelt = ["title is required", "titel is not a known field (known: title, label)"];
    assert_eq!(messages(r#"{"titel": "Milk"}"#), misspelt);
    assert_eq!(messages(r#"{"labell": "red"}"#), ["title is required"]);
    assert!(messages(r#"{"title": "Milk", "titel": "Milk"}"#).is_empty());
}

/// A model that repeats the line as it is must not run another call than it meant.
#[test]
fn a_corrected_call_that_can_be_sent_as_it_is_has_lost_nothing() {
    for (sent, wanted) in [
        (r#"{"layers": 2}"#, Some(r#"{"layers": 2, "colour": <string>}"#)),
        (r#"{"colour": "red", "layers": 300}"#, Some(r#"{"colour": "red", "layers": <integer from 0 to 255>}"#)),
        (r#"{"Colour": "red", "layers": 2}"#, Some(r#"{"colour": "red", "layers": 2}"#)),
        (r#"{"colour": "red", "layers": "2"}"#, Some(r#"{"colour": "red", "layers": 2}"#)),
        // The value of a field that is left out would be lost.
        (r#"{"colour": "red", "wet": true}"#, None),
        (r#"{"colour": "red", "colour": "blue"}"#, None),
        (r#"{"colour": "red", "shade": "blue"}"#, None),
    ] {
        let wanted = wanted.map(|arguments| format!(r#"{{"name": "paint", "arguments": {arguments}}}"#));
        assert_eq!(call(Paint::SHAPE, sent), wanted, "{sent}");
    }
}

#[test]
fn a_repeated_key_is_reported_as_repeated() {
    for (more, remark, fix) in [
        (r#""colour": "blue""#, "given only once", "send `colour` only once"),
        (r#""shade": "blue""#, "must not be given beside colour, which means the same", "leave `shade` out"),
    ] {
        let [marked, prose] = told(Paint::SHAPE, &format!(r#"{{"colour": "red", {more}}}"#));
        assert_eq!(marked, format!("{{\n  \"colour\": \"red\",\n  {more} // ❌ {remark}\n}}"));
        assert!(prose.contains(&format!("**Fix**: {fix}\n")), "{prose}");
        assert_eq!(corrected(&prose), r#"{"colour":"red"}"#);
    }
    for more in [r#""colour": 1, "colour": "blue", "colour": {}"#, r#""shade": 1, "shade": 2, "shade": 3"#] {
        let [marked, prose] = told(Paint::SHAPE, &format!(r#"{{"colour": "red", {more}}}"#));
        assert_eq!(corrected(&prose), r#"{"colour":"red"}"#, "{prose}");
        assert_eq!(marked.matches("❌").count(), 3, "{marked}");
    }
}

#[test]
fn faults_that_are_not_listed_are_counted() {
    let with = |faults: usize| {
        let members: Vec<_> = (0..faults).map(|key| format!(r#""{key}": 300"#)).collect();
        told(<BTreeMap<String, u8>>::SHAPE, &format!("{{{}}}", members.join(",")))[1].clone()
    };
    assert!(!with(5).contains("more issue"), "{}", with(5));
    assert!(with(6).contains("\n\n… and 1 more issue.\n"), "{}", with(6));
    assert!(with(7).contains("\n\n… and 2 more issues.\n"), "{}", with(7));
    for (faults, title) in [(1, "1 issue in its arguments"), (2, "2 issues in its arguments")] {
        assert!(with(faults).starts_with(&format!("**paint was not run.** {title}:\n")), "{}", with(faults));
    }
}

/// A wrong count would say "1 more issues", or count issues that are shown.
#[test]
fn faults_that_are_not_marked_are_counted() {
    let (mut one, mut several) = (0, 0);
    for faults in 80..160 {
        let members: Vec<_> = (0..faults).map(|key| format!(r#""{key}": 300"#)).collect();
        let [marked, _] = told(<BTreeMap<String, u8>>::SHAPE, &format!("{{{}}}", members.join(",")));
        let shown = marked.lines().filter(|line| line.contains(" // ❌ integer")).count();
        let closing = match faults - shown {
            0 => "\n}".to_owned(),
            1 => "\n// … and 1 more issue".to_owned(),
            more => format!("\n// … and {more} more issues"),
        };
        assert!(marked.ends_with(&closing), "{faults}, {shown} shown: {marked}");
        (one, several) = (one + usize::from(faults - shown == 1), several + usize::from(faults - shown > 1));
    }
    assert!(one + several > 10, "{one} texts without one fault, {several} without several");
}

#[test]
fn text_with_backticks_is_quoted_with_more_backticks() {
    #[derive(Deserialize, ToolInput)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)] // The decoded values are not read.
    enum Unit {
        Metre,
    }
    let [_, prose] = told(Unit::SHAPE, r#""a ``` b""#);
    assert!(prose.contains("**Received**: ````\"a ``` b\"````\n"), "{prose}");
}
