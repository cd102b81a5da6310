//! Rejections under a dialect speak of the keys and forms that the model was shown, and of no secret.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use tool_dynamic::{DynamicTool, UnknownFields};
use tool_runtime::session::Session;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{Outcome, ToolError, ToolInput, Toolbox, tool};

use crate::dialects::dialect;

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Part {
    #[tool(length(min = 2))]
    name: String,
    #[serde(default)]
    weight: u8,
}

/// Orders parts.
#[tool]
fn order(
    /// The parts by their number.
    #[tool(length(min = 1, max = 2))]
    parts: BTreeMap<String, Part>,
    /// Maximum number of days.
    #[tool(default = 3, range(max = 10))]
    days: u8,
    /// Further notes, by language.
    notes: Option<BTreeMap<String, String>>,
) -> Result<String, ToolError> {
    if days == 9 {
        return Err(ToolError::new("Not in nine days.").field("parts.a.weight"));
    }
    Ok(format!("{} {days} {}", parts.len(), notes.map_or(0, |notes| notes.len())))
}

fn session(name: &str, form: FeedbackForm) -> Session {
    let builder = Toolbox::builder().for_provider(dialect(name)).feedback(form).no_throttle().tool(OrderTool);
    let session = builder.build().expect("one tool").session();
    assert!(session.definitions()[0].inverse().is_some());
    session
}

fn rejected(session: &Session, sent: &Value) -> Outcome {
    let outcome = pollster::block_on(session.call("call_1", "order", sent.to_string()));
    assert!(!outcome.is_ok(), "{sent}");
    outcome
}

fn wire(sent: &Value) -> Value {
    serde_json::from_str(&rejected(&session("openai-strict", FeedbackForm::Json), sent).to_text()).expect("wire JSON")
}

fn part(name: &str) -> Value {
    json!({"name": name, "weight": null})
}

#[test]
fn issues_have_the_paths_of_the_entries_that_were_sent() {
    let sent = json!({"parts": [{"key": "a", "value": part("ab")}, {"key": "b", "value": part("x")}], "days": 30, "notes": null});
    let wire = wire(&sent);
    let named: Vec<_> =
        wire["errors"].as_array().expect("errors").iter().map(|error| error["property"].clone()).collect();
    assert_eq!(named, ["parts[1].value.name", "days"]);
    assert_eq!(wire["retry_hint"]["constraints"][0]["field"], "parts[1].value.name");
}

#[test]
fn a_map_is_called_an_array_of_entries() {
    let wrong = wire(&json!({"parts": 5.5, "days": null, "notes": null}));
    let error = &wrong["errors"][0];
    assert_eq!((&error["property"], &error["constraint"]), (&json!("parts"), &json!("type")));
    assert!(error["expected"].as_str().is_some_and(|words| words.contains("array")), "{error}");
    let hint = &wrong["retry_hint"]["constraints"][0];
    assert_eq!(hint["type"], "array");
    // The example is one that the model may send.
    let missing = wire(&json!({"days": null}));
    assert_eq!(missing["retry_hint"]["missing_fields"], json!(["parts"]), "{missing}");
    let example = &missing["retry_hint"]["example_input"]["parts"];
    if !example.is_null() {
        assert!(example[0]["key"].is_string() && example[0]["value"]["name"].is_string(), "{example}");
    }
}

#[test]
fn limits_on_the_keys_of_a_map_become_limits_on_its_entries() {
    for sent in [
        json!([]),
        json!([{"key": "a", "value": part("ab")}, {"key": "b", "value": part("ab")}, {"key": "c", "value": part("ab")}]),
    ] {
        let wire = wire(&json!({"parts": sent, "days": null, "notes": null}));
        let error = &wire["errors"][0];
        assert!(error["constraint"].as_str().is_some_and(|keyword| keyword.ends_with("Items")), "{error}");
        assert_eq!(error["attempted_value"], sent);
        let hint = &wire["retry_hint"]["constraints"][0];
        assert_eq!(
            (&hint["min_items"], &hint["max_items"], &hint["type"]),
            (&json!(1), &json!(2), &json!("array")),
            "{hint}"
        );
    }
}

#[test]
fn corrected_parameters_have_the_form_that_a_model_sends() {
    let sent = json!({"parts": [{"key": "b", "value": {"name": "x", "weight": 7}}], "days": null, "notes": [{"key": "de", "value": "ja"}]});
    let text = rejected(&session("openai-strict", FeedbackForm::Markdown), &sent).to_text().into_owned();
    assert!(text.contains("parts[0].value.name") && text.contains(r#""key": "b""#), "{text}");
}

#[test]
fn the_field_named_by_a_tool_error_has_the_path_that_the_model_sent() {
    let sent = json!({"parts": [{"key": "a", "value": part("ab")}], "days": 9, "notes": null});
    let wire = wire(&sent);
    assert!(wire.to_string().contains("parts[0].value.weight"), "{wire}");
}

#[test]
fn a_repeatedly_rejected_argument_is_shown_with_its_advertised_schema() {
    let session = session("openai-strict", FeedbackForm::Json);
    let sent = json!({"parts": [], "days": null, "notes": null});
    let _ = rejected(&session, &sent);
    let again: Value = serde_json::from_str(&rejected(&session, &sent).to_text()).expect("wire JSON");
    assert_eq!(
        (&again["escalation"]["property"], &again["escalation"]["schema"]["type"]),
        (&json!("parts"), &json!("array")),
        "{again}"
    );
}

#[test]
fn renamed_keys_have_their_advertised_names() {
    let schema = json!({
        "type": "object",
        "properties": {"$top": {"type": "integer", "maximum": 5}, "filter[id]": {"type": "string"}},
        "required": ["$top", "filter[id]"],
    });
    let tool = DynamicTool::builder("list", "Lists.", schema).unknown_fields(UnknownFields::Reject);
    let tool =
        tool.sync_handler(|arguments, _| Ok::<_, ToolError>(Value::Object(arguments).to_string())).expect("a schema");
    let session = Toolbox::builder().for_provider(dialect("anthropic")).tool(tool).build().expect("one tool").session();
    drop(session.definitions());
    let call = |sent: Value| pollster::block_on(session.call("call_1", "list", sent.to_string()));
    let ran = call(json!({"_top": 3, "filter_id_": "a"}));
    assert_eq!(serde_json::from_str::<Value>(&ran.to_text()).ok(), Some(json!({"$top": 3, "filter[id]": "a"})));
    // The tool's own keys have one meaning too.
    assert!(call(json!({"$top": 3, "filter[id]": "a"})).is_ok());
    let text = call(json!({"_top": 7, "filter": "a"})).to_text().into_owned();
    assert!(text.contains("_top") && text.contains("filter_id_"), "{text}");
    assert!(!text.contains("$top") && !text.contains("filter[id]"), "{text}");
}

/// A tag names the branch of an object with issues. Without a tag, a key is renamed if all branches agree.
#[test]
fn keys_in_the_branches_of_unions_have_their_advertised_names() {
    let branch = |properties: Value| {
        let required: Vec<_> = properties.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let number = json!({"type": "integer"});
    let tagged = json!({"anyOf": [
        branch(json!({"kind": {"const": "one"}, "$top": number})), branch(json!({"kind": {"const": "two"}, "_top": number})),
    ]});
    let untagged =
        json!({"anyOf": [branch(json!({"$top": number, "a": number})), branch(json!({"$top": number, "b": number}))]});
    for (choice, sent) in [(tagged, json!({"kind": "one", "_top": "x"})), (untagged, json!({"_top": "x", "c": 1}))] {
        let schema = branch(json!({"choice": choice}));
        let tool = DynamicTool::builder("list", "Lists.", schema);
        let tool = tool.sync_handler(|_, _| Ok::<_, ToolError>("")).expect("a schema");
        let session =
            Toolbox::builder().for_provider(dialect("anthropic")).tool(tool).build().expect("one tool").session();
        drop(session.definitions());
        let outcome = pollster::block_on(session.call("call_1", "list", json!({"choice": sent}).to_string()));
        let text = outcome.to_text();
        assert!(!outcome.is_ok() && text.contains("_top") && !text.contains("$top"), "{text}");
        assert!(!text.contains("_top is not a known") && !text.contains("_top is required"), "{text}");
    }
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Account {
    user: String,
    #[tool(sensitive)]
    password: String,
}

/// Signs in.
#[tool]
fn sign_in(
    /// The accounts by their server.
    accounts: BTreeMap<String, Account>,
    /// How often.
    #[tool(default = 1)]
    times: u8,
) -> String {
    format!(
        "{} {times} {}",
        accounts.len(),
        accounts.values().map(|account| account.user.len() + account.password.len()).sum::<usize>()
    )
}

#[test]
fn no_form_shows_a_secret() {
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        let builder =
            Toolbox::builder().for_provider(dialect("openai-strict")).feedback(form).no_throttle().tool(SignInTool);
        let session = builder.build().expect("one tool").session();
        drop(session.definitions());
        for sent in [
            json!({"accounts": [{"key": "a", "value": {"user": 1, "password": "hunter2"}}], "times": 1000}),
            json!({"accounts": [{"key": "a", "value": {"user": "u", "password": ["hunter2"]}}], "times": "many"}),
            json!({"accounts": [{"key": "a", "value": {"user": "u", "password": "hunter2"}, "more": 1}], "times": null}),
            json!({"accounts": {"a": {"user": 1, "password": "hunter2"}}, "times": []}),
        ] {
            let outcome = pollster::block_on(session.call("call_1", "sign_in", sent.to_string()));
            assert!(!outcome.is_ok() && !outcome.to_text().contains("hunter2"), "{form:?}: {}", outcome.to_text());
        }
    }
}
