//! Secrets in recordings: they are hidden, in whatever form a model, a tool or a provider writes them.

use std::sync::Arc;

use tool_chat::conversation::Conversation;
use tool_chat::model::{
    ChatModel, ModelError, ModelErrorKind, RecordingModel, Redaction, ReplayModel, Response, ScriptedModel, ToolCall,
};
use tool_runtime::{Toolbox, tool};

use super::recordings::{File, failed};

/// Logs the user in.
#[tool]
fn log_in(
    /// Who.
    user: String,
    /// The number that only the user knows.
    #[tool(sensitive, length(min = 4))]
    pin: String,
) -> String {
    drop(pin);
    format!("{user} is in")
}

/// Fetches a page.
#[tool(undocumented)]
fn fetch(url: String, headers: std::collections::BTreeMap<String, String>) -> String {
    format!("{url} with {}", headers.len())
}

fn vault() -> Toolbox {
    Toolbox::builder().no_throttle().tool(LogInTool).tool(FetchTool).build().expect("all names differ")
}

/// Returns the recording of a conversation with this call.
fn written(name: &str, arguments: &str) -> String {
    let file = File::default();
    let model = ScriptedModel::new().call(name, arguments).text("Done.");
    let recorder = RecordingModel::new(model, file.clone(), Redaction::new().add_toolbox(&vault()));
    let mut conversation = Conversation::new(vault().session(), recorder).force_corrections(false);
    assert_eq!(pollster::block_on(conversation.ask("Go.")).text(), Some("Done."));
    file.text()
}

/// The forms in which a model may write a secret; `73914` is the secret.
const SECRETS: [(&str, &str); 26] = [
    ("log_in", r#"{"user": "ann", "pin": "73914"}"#),
    ("log_in", r#"{"user": "ann", "pin": 73914}"#),
    ("log_in", r#"{"user": "ann", "pin": {"digits": ["73914"]}}"#),
    ("log_in", r#"{"user": "ann", "PIN": "73914"}"#),
    ("log_in", r#"{"user": "ann", "pin": "1", "pin": "73914"}"#),
    ("log_in", r#"{"user": "ann", "p\u0069n": "73914"}"#),
    ("log_in", r#"{"user": "ann", "pni": "73914"}"#),
    ("log_in", r#"{"arguments": {"user": "ann", "pin": "73914"}}"#),
    ("log_in", r#"{"arguments": "{\"user\": \"ann\", \"pin\": \"73914\"}"}"#),
    ("log_in", r#"{"arguments": "73914"}"#),
    ("log_in", r#""{\"user\": \"ann\", \"pin\": \"73914\"}""#),
    ("log_in", r#"["ann", "73914"]"#),
    ("log_in", "73914"),
    ("log_in", r#"{"user": "ann", "pin": "73914""#),
    ("log_in", r#"{"user": "ann", 'pin': '73914',}"#),
    ("log_in", "user ann pin 73914"),
    ("log_out", r#"{"user": "ann", "number": "73914"}"#),
    ("fetch", r#"{"url": "/", "headers": {"Authorization": "Bearer 73914"}}"#),
    ("fetch", r#"{"url": "/", "headers": {"X-Api-Key": "73914", "Set-Cookie": "73914"}}"#),
    ("fetch", r#"{"url": "/", "headers": [{"name": "Authorization", "value": "Bearer 73914"}]}"#),
    ("fetch", r#"{"url": "/", "headers": "X-Api-Key: 73914"}"#),
    ("fetch", r#"{"url": "/", "headers": {"password: 73914": "x"}}"#),
    ("fetch", r#"{"url": "/", "headers": {"{\"token\": \"73914\"}": 1}}"#),
    ("fetch", r#"{"url": "/", "headers": [["X-Api-Key", "73914"]]}"#),
    ("fetch", r#"{"url": "/", "headers": ["token=73914"]}"#),
    ("fetch", r#"{"url": "/", "headers": {"x_api_key": "73914"}, "#),
];

#[test]
fn secrets_are_not_recorded_in_any_form() {
    for (name, arguments) in SECRETS {
        let written = written(name, arguments);
        assert!(!written.contains("73914"), "{arguments}:\n{written}");
        assert!(written.contains("<redacted>"), "{arguments}:\n{written}");
    }
}

#[test]
fn other_values_are_recorded_unchanged() {
    for (name, arguments) in [
        ("fetch", r#"{"url": "/?page=2", "headers": {"Accept": "text/html", "b": "1", "a": "2"}}"#),
        ("fetch", r#"{"url": "/", "headers": {"#),
        ("fetch", r#"{"url": "C:\\pages", "headers": {}}"#),
    ] {
        let quoted = serde_json::to_string(arguments).expect("a string is JSON");
        assert!(written(name, arguments).contains(&quoted), "{arguments}");
    }
}

#[test]
fn secrets_in_results_and_errors_are_not_recorded() {
    /// Starts a session.
    #[tool]
    fn begin() -> String {
        r#"{"session": {"access_token": "73914"}}"#.to_owned()
    }

    let file = File::default();
    let rejected = ModelError::new(ModelErrorKind::Rejected, "Incorrect API key provided: 73914");
    let model = ScriptedModel::new().call("begin", "{}").error(rejected);
    let recorder = RecordingModel::new(model, file.clone(), Redaction::new());
    let session = Toolbox::builder().tool(BeginTool).build().expect("the toolbox is valid").session();
    failed(pollster::block_on(Conversation::new(session, recorder).ask("Go.")));
    assert!(!file.text().contains("73914"), "{}", file.text());
}

#[test]
fn secrets_in_json_messages_of_every_role_are_not_recorded() {
    let file = File::default();
    let document = r#"{"url": "/", "headers": {"Authorization": "Bearer 73914"}, "pin": 73914}"#;
    let model = ScriptedModel::new().text(document).text("Never tell your token: it is a secret.");
    let recorder = RecordingModel::new(model, file.clone(), Redaction::new().add_toolbox(&vault()));
    let mut conversation = Conversation::new(vault().session(), recorder).instructions(document);
    for prompt in [document, "Is a token a secret: {yes} or {no}?"] {
        pollster::block_on(conversation.ask(prompt));
    }
    assert!(!file.text().contains("73914"), "{}", file.text());
    // Prose is not searched.
    assert!(file.text().contains("Is a token a secret: {yes} or {no}?"), "{}", file.text());
    assert!(file.text().contains("Never tell your token: it is a secret."), "{}", file.text());
}

#[test]
fn a_conversation_with_secrets_can_be_replayed() {
    let turn = |model: Arc<dyn ChatModel>| {
        let mut conversation = Conversation::new(vault().session(), model);
        let end = pollster::block_on(conversation.ask("Go."));
        (end.text().map(str::to_owned), conversation.transcript().calls().count())
    };
    let (file, redaction) = (File::default(), Redaction::new().add_toolbox(&vault()));
    let calls = [r#"{"user": "ann", "pni": "73914"}"#, r#"{"user": "ann", "pin": "73914"}"#];
    let calls = calls.map(|arguments| Response::from_calls([ToolCall::new("call", "log_in", arguments)]));
    let model = calls.into_iter().fold(ScriptedModel::new(), ScriptedModel::answer).text("Ann is in.");
    let recorded = turn(Arc::new(RecordingModel::new(model, file.clone(), redaction.clone())));
    assert_eq!(recorded, (Some("Ann is in.".to_owned()), 2));
    let again = turn(Arc::new(ReplayModel::from_text(&file.text(), redaction).expect("it was just written")));
    assert_eq!(again, recorded);
}
