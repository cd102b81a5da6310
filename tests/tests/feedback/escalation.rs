//! Escalation after a repeated issue: a message that fits the situation, the schema of the value, and a valid example, each shown once.

use serde_json::{Value, json};
use tests::fixtures::GetWeatherTool;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{Session, Toolbox, tool};

/// Finds a word.
#[tool]
fn search(
    /// The word.
    #[tool(sensitive, length(min = 5))]
    word: String,
) -> String {
    word
}

fn session(form: FeedbackForm) -> Session {
    let toolbox = Toolbox::builder().no_throttle().tool(GetWeatherTool).tool(SearchTool).feedback(form).build();
    toolbox.expect("all names differ").session()
}

fn call(session: &Session, tool: &str, arguments: &str) -> String {
    pollster::block_on(session.call("call_1", tool, arguments)).to_text().into_owned()
}

fn escalation(session: &Session, tool: &str, arguments: &str) -> Value {
    let told: Value = serde_json::from_str(&call(session, tool, arguments)).expect("the wire is JSON");
    told["escalation"].clone()
}

const MANY: &str = r#"{"location": "Paris, France", "days": 30}"#;

#[test]
fn the_second_rejection_of_a_value_shows_its_schema_and_a_valid_example() {
    let session = session(FeedbackForm::Json);
    assert_eq!(escalation(&session, "get_weather", MANY), Value::Null);
    let second = escalation(&session, "get_weather", r#"{"location": "Oslo", "days": 15}"#);
    assert_eq!(
        second,
        json!({
            "property": "days",
            "message": "days was rejected before and is rejected again. Send a value that fits the schema, or answer with what you have.",
            "schema": {"type": ["integer", "null"], "minimum": 1, "maximum": 14},
            "example": 1,
        })
    );
}

#[test]
fn the_escalation_comes_after_the_documented_keys() {
    let session = session(FeedbackForm::Json);
    let (first, second) = (call(&session, "get_weather", MANY), call(&session, "get_weather", MANY));
    let begun = first.strip_suffix('}').expect("it is an object");
    assert!(second.starts_with(&format!("{begun},\"escalation\":{{")), "{second}");
}

#[test]
fn the_escalation_is_shown_once() {
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        let session = session(form);
        let told: Vec<_> = (0..20).map(|_| call(&session, "get_weather", MANY)).collect();
        assert_ne!(told[0], told[1]);
        assert!(told[2..].iter().all(|later| *later == told[0]), "{told:?}");
        let again = "days was rejected before and is rejected again. Do not send the same value a third time: send one that fits the schema";
        assert!(told[1].contains(again), "{}", told[1]);
    }
}

#[test]
fn the_escalation_says_whether_the_value_is_missing_or_rejected_again() {
    for (first, second, expected) in [
        ("{}", r#"{"days": 3}"#, "location is still missing. Send it with a value that fits the schema, "),
        (
            r#"{"location": 3.5}"#,
            r#"{"location": ""}"#,
            "location was rejected before and is rejected again. Send a value that fits the schema, ",
        ),
        (
            r#"{"location": ""}"#,
            r#"{"days": 3}"#,
            "location was rejected before and is missing now. Send it with a value that fits the schema, ",
        ),
        (
            r#"{"days": 3}"#,
            r#"{"location": ""}"#,
            "location was rejected before and is rejected again. Send a value that fits the schema, ",
        ),
        (
            r#"{"location": ""}"#,
            r#"{"location": ""}"#,
            "location was rejected before and is rejected again. Do not send the same value a third time: send one that fits the schema, ",
        ),
        ("{", "{'a'}", "The arguments are still not valid JSON. Send one complete JSON object, "),
        (
            r#"{"location": "Oslo", "colour": "red"}"#,
            r#"{"location": "Oslo", "colour": 1}"#,
            "colour is still not a known field. Leave it out, ",
        ),
    ] {
        let session = session(FeedbackForm::Json);
        assert_eq!(escalation(&session, "get_weather", first), Value::Null);
        let told = escalation(&session, "get_weather", second);
        assert_eq!(told["message"], format!("{expected}or answer with what you have."), "{first} {second}");
        assert_eq!(escalation(&session, "get_weather", second), Value::Null, "{second}");
    }
}

#[test]
fn another_path_another_tool_and_a_success_reset_the_escalation() {
    let session = session(FeedbackForm::Json);
    assert_eq!(escalation(&session, "get_weather", MANY), Value::Null);
    assert_eq!(escalation(&session, "get_weather", r#"{"location": ""}"#), Value::Null);
    assert_eq!(escalation(&session, "search", "{}"), Value::Null);
    assert_eq!(call(&session, "get_weather", r#"{"location": "Oslo"}"#), "Oslo: sun for 1 days");
    assert_eq!(escalation(&session, "get_weather", MANY), Value::Null);
    assert_ne!(escalation(&session, "get_weather", MANY), Value::Null);
    assert_ne!(escalation(&session, "search", "{}"), Value::Null, "the success belongs to another tool");
    let other = self::session(FeedbackForm::Json);
    assert_eq!(escalation(&other, "get_weather", MANY), Value::Null, "another session starts without escalation");
}

#[test]
fn a_repaired_call_resets_the_escalation_too() {
    let session = session(FeedbackForm::Json);
    assert_eq!(escalation(&session, "get_weather", MANY), Value::Null);
    assert_eq!(call(&session, "get_weather", r#"{"location": "Oslo", "days": "2"}"#), "Oslo: sun for 2 days");
    assert_eq!(escalation(&session, "get_weather", MANY), Value::Null);
}

#[test]
fn after_repeated_invalid_json_the_schema_of_the_arguments_is_shown() {
    let session = session(FeedbackForm::Json);
    assert_eq!(escalation(&session, "get_weather", "{"), Value::Null);
    let second = escalation(&session, "get_weather", "{'a'}");
    assert_eq!((&second["property"], &second["example"]), (&json!("$"), &json!({"location": "Paris, France"})));
    assert_eq!(second["schema"]["required"], json!(["location"]));
}

#[test]
fn after_a_repeated_unknown_field_the_schema_of_the_object_is_shown() {
    let session = session(FeedbackForm::Json);
    let arguments = r#"{"location": "Oslo", "colour": "red"}"#;
    assert_eq!(escalation(&session, "get_weather", arguments), Value::Null);
    let second = escalation(&session, "get_weather", arguments);
    assert_eq!((&second["property"], &second["example"]), (&json!("colour"), &json!({"location": "Paris, France"})));
}

#[test]
fn a_secret_is_not_repeated() {
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        let session = session(form);
        for _ in 0..3 {
            let told = call(&session, "search", r#"{"word": "pssw"}"#);
            assert!(!told.contains("pssw"), "{told}");
        }
    }
}

#[test]
fn an_unknown_tool_is_reported_as_json_in_every_feedback_form() {
    for form in [FeedbackForm::Sentences, FeedbackForm::Markdown] {
        let session = session(form);
        for _ in 0..2 {
            let told: Value = serde_json::from_str(&call(&session, "get_wether_of", "{}")).expect("the wire is JSON");
            assert_eq!((&told["error_type"], &told["escalation"]), (&json!("unknown_tool"), &Value::Null));
        }
    }
}

#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[allow(dead_code)]
enum Long {
    #[serde(rename = "a \"name\" that takes all of the sixty-four letters a name may have")]
    A,
    #[serde(rename = "another \"name\" that takes all of the sixty-four letters a name may")]
    B,
    #[serde(rename = "the third \"name\" that takes all of the sixty-four letters it may have")]
    C,
    #[serde(rename = "the fourth \"name\" that takes all of the sixty-four letters it may hav")]
    D,
    #[serde(rename = "the fifth \"name\" that takes all of the sixty-four letters it may have")]
    E,
}

/// Takes everything that is long.
#[tool]
fn long(
    /// By name and name.
    all: std::collections::BTreeMap<String, std::collections::BTreeMap<String, Long>>,
) {
    drop(all);
}

#[test]
fn the_longest_rejections_fit_the_byte_limit_with_an_escalation() {
    let key = |index: usize| format!("{index} {}", "ä\"\\".repeat(40));
    let values: serde_json::Map<_, _> = (0..9).map(|index| (key(index), Value::String("\"ä\\".repeat(300)))).collect();
    let arguments = json!({"all": {key(0): values.clone(), key(1): values}}).to_string();
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        let session = Toolbox::builder()
            .no_throttle()
            .tool(LongTool)
            .feedback(form)
            .build()
            .expect("one tool has no clashes")
            .session();
        for attempt in 0..3 {
            let told = call(&session, "long", &arguments);
            assert!(told.len() <= 4_096, "{form:?}: {} bytes", told.len());
            let is_told = told.contains("was rejected before and is rejected again.");
            assert_eq!(is_told, attempt > 0, "{form:?}: {told}");
        }
    }
}
