//! Values of sensitive fields appear in no output, however they are spelled.
//!
//! The tests send many inputs with a secret, each in many spellings, and search everything that a host may show or keep: the text for the
//! model in each form, repairs, warnings, debug output, traces, recordings and transcripts. The called tool repeats its arguments, also in
//! other forms.

#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::{Value, json};
use tool_chat::conversation::Conversation;
use tool_chat::model::{RecordingModel, Redaction, ScriptedModel};
use tool_runtime::RepairPolicy;
use tool_runtime::event::{EventKind, ToolEvent};
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{ToolError, ToolInput, Toolbox, event::Observer, tool};

const SECRET: &str = "hunter2-x";
/// Parts of the secret and of the number that no output may contain.
const CORES: [&str; 2] = ["hunter2", "12345678"];
const HIDDEN: &str = "The tool failed; its details are not shown.";

#[derive(Clone, Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Login {
    /// Name of the user.
    #[serde(alias = "name")]
    user: String,
    /// Password of the user.
    #[tool(sensitive)]
    #[serde(alias = "pass")]
    password: String,
}

#[derive(Clone, Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind")]
enum Internal {
    Password {
        /// The password.
        #[tool(sensitive)]
        password: String,
    },
    Login(Login),
    Nobody,
}

#[derive(Clone, Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind", content = "of")]
enum Adjacent {
    Password {
        /// The password.
        #[tool(sensitive)]
        password: String,
    },
    Nobody,
}

#[derive(Clone, Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(rename_all = "snake_case")]
enum External {
    Login {
        /// Name of the user.
        user: String,
        /// The password.
        #[tool(sensitive)]
        password: String,
    },
    Nobody,
}

#[derive(Clone, Debug, Deserialize, ToolInput)]
#[serde(untagged)]
enum Untagged {
    Login(Login),
    Words(Vec<String>),
    Number(u8),
}

#[derive(Clone, Debug, Deserialize, ToolInput)]
struct Flat {
    #[serde(flatten)]
    login: Login,
}

#[derive(Clone, Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Page<T> {
    /// The inner item.
    item: T,
}

/// Connects, and repeats everything that it got.
#[tool(undocumented)]
fn connect(
    internal: Option<Internal>,
    adjacent: Option<Adjacent>,
    external: Option<External>,
    untagged: Option<Untagged>,
    login: Option<Box<Login>>,
    list: Option<Vec<Login>>,
    by_name: Option<BTreeMap<String, Login>>,
    pair: Option<(Login, u8)>,
    page: Option<Page<Login>>,
    pages: Option<Vec<Page<Internal>>>,
    flat: Option<Flat>,
    #[tool(sensitive)] pin: Option<f64>,
    #[tool(sensitive)] tokens: Option<Vec<String>>,
    path: Option<String>,
    fails: bool,
) -> Result<Value, ToolError> {
    let all = format!(
        "{internal:?} {adjacent:?} {external:?} {untagged:?} {login:?} {list:?} {by_name:?} {pair:?} {page:?} {pages:?} {flat:?} {pin:?} \
         {tokens:?} {path:?}"
    );
    let words = all.replace(['"', '\\'], "").trim().to_owned();
    if fails {
        return Err(ToolError::retry(words.clone()).field(&format!("path[\"{words}\"]")).caused_by(words));
    }
    Ok(json!({"success": false, "error": words}))
}

#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl File {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the debug output of every event to a file.
struct Debugged(File);

impl Observer for Debugged {
    fn event(&self, event: &ToolEvent<'_>) {
        let _ = write!(self.0.clone(), "{event:?}");
    }
}

fn toolbox(form: FeedbackForm, policy: RepairPolicy, events: &File) -> Toolbox {
    let builder = Toolbox::builder().tool(ConnectTool).feedback(form).repair(policy).no_throttle();
    builder.observer(Debugged(events.clone())).build().expect("the toolbox is valid")
}

/// Returns all output about a call that may be shown, except results.
fn shown(toolboxes: &[Toolbox], events: &File, arguments: &str) -> Vec<String> {
    let mut all = Vec::new();
    for toolbox in toolboxes {
        let session = toolbox.session();
        for _ in 0..2 {
            let outcome = pollster::block_on(session.call("call_1", "connect", arguments));
            let notes: Vec<String> = outcome.repairs().iter().map(ToString::to_string).collect();
            all.push(format!("{outcome:?} {notes:?} {:?}", outcome.warnings()));
            if let Err(failure) = outcome.as_result() {
                let hint = failure.retry_hint();
                all.push(format!("{} {failure:?} {:?} {hint:?}", outcome.to_text_with_notes(), failure.issues()));
            }
        }
    }
    all.push(events.text());
    events.0.lock().unwrap().clear();
    all
}

fn recorded(arguments: &str) -> [String; 2] {
    let file = File::default();
    let toolbox = Toolbox::builder().tool(ConnectTool).no_throttle().build().expect("the toolbox is valid");
    let model = ScriptedModel::new().call("connect", arguments).text("Done.");
    let recorder = RecordingModel::new(model, file.clone(), Redaction::new().add_toolbox(&toolbox));
    let mut conversation = Conversation::new(toolbox.session(), recorder).force_corrections(false);
    let _ = pollster::block_on(conversation.ask("Go."));
    // Results are the responsibility of the tool, also in a recording.
    let calls = file.text().lines().filter(|line| !line.contains(r#"\"success\":false"#)).collect::<String>();
    [calls, format!("{:?}", conversation.transcript())]
}

/// Returns values for all sensitive fields, valid and invalid, with the secret in them.
fn values() -> Vec<(&'static str, Value)> {
    let s = SECRET;
    let login = json!({"user": "ada", "password": s});
    vec![
        ("internal", json!({"kind": "Password", "password": s})),
        ("internal", json!(["Password", s])),
        ("internal", json!(["Password", {"password": s}])),
        ("internal", json!(["Login", "ada", s])),
        ("internal", json!({"kind": s, "password": s})),
        ("internal", json!({"kind": "Pasword", "password": s})),
        ("internal", json!({"kind": 0, "password": s})),
        ("internal", json!({"Password": {"password": s}})),
        ("adjacent", json!({"kind": "Password", "of": {"password": s}})),
        ("adjacent", json!(["Password", {"password": s}])),
        ("adjacent", json!(["Password", [s]])),
        ("adjacent", json!({"kind": "Password", "of": [s]})),
        ("adjacent", json!({"of": [s], "kind": "Password"})),
        ("adjacent", json!({"kind": s, "of": {"password": s}})),
        ("external", json!({"login": {"user": "ada", "password": s}})),
        ("external", json!({"login": ["ada", s]})),
        ("external", json!({"login": s})),
        ("external", json!({s: {"user": "ada", "password": "x"}})),
        ("external", json!(s)),
        ("external", json!(["login", ["ada", s]])),
        ("untagged", login.clone()),
        ("untagged", json!(["ada", s])),
        ("untagged", json!({"user": "ada", "pasword": s})),
        ("untagged", json!(s)),
        ("login", login.clone()),
        ("login", json!({"name": "ada", "pass": s})),
        ("login", json!({"user": "ada", "pass": s, "password": s})),
        ("login", json!(["ada", s])),
        ("login", json!({"user": "ada", "password": [s]})),
        ("login", json!({"user": "ada", "password": 12_345_678})),
        ("login", json!({"user": "ada", "password": 12_345_678.0})),
        ("login", json!({"user": "ada", "password": {"value": s}})),
        ("login", json!({"user": "ada", "password": format!("  {s}\n")})),
        ("login", json!({"user": "ada", s: "x"})),
        ("login", json!({"user": "ada", "password": "x", s: true})),
        ("login", json!({"user": "ada", "secret": s})),
        ("login", json!({"login": {"user": "ada", "password": s}})),
        ("login", json!(s)),
        ("list", json!([login])),
        ("list", json!([["ada", s], login])),
        ("list", login.clone()),
        ("by_name", json!({"a": login})),
        ("by_name", json!({"a": ["ada", s]})),
        ("by_name", login.clone()),
        ("pair", json!([login, 5])),
        ("pair", json!([["ada", s], 5])),
        ("pair", json!([login])),
        ("page", json!({"item": login})),
        ("page", json!([login])),
        ("page", json!({"item": ["ada", s]})),
        ("page", json!([["ada", s]])),
        ("pages", json!([{"item": {"kind": "Password", "password": s}}])),
        ("pages", json!([{"item": ["Password", s]}])),
        ("flat", login.clone()),
        ("flat", json!({"name": "ada", "pass": s})),
        ("flat", json!(["ada", s])),
        ("pin", json!(12_345_678)),
        ("pin", json!(12_345_678.0)),
        ("pin", json!("12345678.0")),
        ("pin", json!([12_345_678])),
        ("pin", json!(s)),
        ("tokens", json!([s])),
        ("tokens", json!(s)),
        ("tokens", json!([[s], 5])),
        ("tokens", json!({s: s})),
        ("path", json!([s])),
        ("path", json!({"password": s})),
        ("password", json!(s)),
        (SECRET, json!(true)),
        (SECRET, json!({"password": s})),
    ]
}

/// Returns arguments with the value as it is, as a text, in a list, and cut off or wrongly quoted.
fn spellings(field: &str, value: &Value) -> Vec<String> {
    let call = |value: Value, fails: bool| json!({field: value, "fails": fails, "path": "src/src/a"}).to_string();
    let text = call(value.clone(), true);
    vec![
        call(value.clone(), false),
        call(json!(value.to_string()), true),
        call(json!([value]), true),
        call(json!({field: value}), true),
        json!({"arguments": {field: value, "fails": true}}).to_string(),
        json!({"arguments": text}).to_string(),
        json!(text).to_string(),
        json!([value]).to_string(),
        text[..text.len() - 1].to_owned(),
        text[..text.len() / 2].to_owned(),
        text.replace('"', "'"),
        format!("{text}\nThat was {SECRET}."),
        json!({field: value, "fails": "perhaps"}).to_string(),
        json!({field: value, "fails": true, "unknown": value}).to_string(),
        text,
    ]
}

#[test]
fn a_secret_reaches_no_output_however_it_is_spelled() {
    let events = File::default();
    let forms = [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown];
    let policies = [RepairPolicy::Strict, RepairPolicy::Assisted];
    let toolboxes = forms.iter().flat_map(|&form| policies.map(|policy| toolbox(form, policy, &events)));
    let toolboxes: Vec<_> = toolboxes.collect();
    for (field, value) in values() {
        for arguments in spellings(field, &value) {
            for told in shown(&toolboxes, &events, &arguments) {
                for core in CORES {
                    assert!(!told.contains(core), "{arguments} gives\n{told}");
                }
            }
        }
    }
}

#[test]
fn a_secret_is_in_no_recording_however_it_is_spelled() {
    for (field, value) in values() {
        for arguments in spellings(field, &value) {
            for kept in recorded(&arguments) {
                for core in CORES {
                    assert!(!kept.contains(core), "{arguments} is recorded as\n{kept}");
                }
            }
        }
    }
}

fn call(arguments: &Value) -> tool_runtime::session::Outcome {
    let session = toolbox(FeedbackForm::Json, RepairPolicy::Strict, &File::default()).session();
    pollster::block_on(session.call("call_1", "connect", arguments.to_string()))
}

/// serde decodes structs and enums from arrays too. In an array only the position would mark the secret, so arrays are rejected here.
#[test]
fn an_array_is_not_read_as_an_object_in_an_input_with_secrets() {
    for (field, value) in [
        ("internal", json!(["Password", SECRET])),
        ("adjacent", json!(["Password", {"password": SECRET}])),
        ("adjacent", json!({"kind": "Password", "of": [SECRET]})),
        ("external", json!({"login": ["ada", SECRET]})),
        ("login", json!(["ada", SECRET])),
        ("list", json!([["ada", SECRET]])),
        ("by_name", json!({"a": ["ada", SECRET]})),
        ("pair", json!([["ada", SECRET], 1])),
        ("page", json!({"item": ["ada", SECRET]})),
    ] {
        let outcome = call(&json!({field: value, "fails": false}));
        let failure = outcome.as_result().expect_err("it is an array").to_value();
        let error = &failure["errors"][0];
        assert_eq!(failure["error_type"], "validation_error", "{value}");
        assert_eq!((&error["error_code"], &error["attempted_value"]), (&"INVALID_TYPE".into(), &"<redacted>".into()));
        assert!(error["expected"].as_str().is_some_and(|words| words.contains("object")), "{error}");
    }
    // Expected arrays are still decoded, and so are values that only look like one.
    for (field, value) in [
        ("list", json!([{"user": "[a]", "password": "[b]"}])),
        ("pair", json!([{"user": "a", "password": "b"}, 1])),
        ("tokens", json!(["a", "b"])),
        ("login", json!({"user": "[a]", "password": "["})),
    ] {
        assert!(call(&json!({field: value, "fails": false})).is_ok(), "{value}");
    }
}

#[test]
fn the_message_of_a_tool_is_hidden_only_if_a_secret_was_sent() {
    let told = |arguments: Value| call(&arguments).to_text().into_owned();
    for sent in
        [json!({"pin": 5.5, "fails": true}), json!({"internal": {"kind": "Password", "password": "x"}, "fails": true})]
    {
        let told = told(sent);
        assert!(told.contains(HIDDEN) && told.contains(r#""recovery":"correct_call""#), "{told}");
    }
    for none in [
        json!({"fails": true, "path": "a"}),
        json!({"fails": true, "path": "a", "pin": null, "internal": {"kind": "Nobody"}}),
        json!({"fails": true, "path": "a", "external": "nobody", "untagged": 5, "tokens": null}),
    ] {
        let told = told(none);
        assert!(told.contains("Some(a)") && !told.contains(HIDDEN), "{told}");
    }
}

#[test]
fn warnings_quote_nothing_if_a_secret_was_sent() {
    let warned = |arguments: Value| call(&arguments).warnings().iter().map(ToString::to_string).collect::<Vec<_>>();
    let with = warned(json!({"path": "src/src/a", "pin": 5.5, "fails": false}));
    assert_eq!(with, ["Tool reported failure.", "Path contains duplicate segments."]);
    let without = warned(json!({"path": "src/src/a", "fails": false}));
    assert!(without[0].starts_with("Tool reported failure: None"), "{without:?}");
    assert_eq!(without[1], "Path contains duplicate segments: src/src/a");
}

/// The observer receives details that the model does not.
#[test]
fn the_observer_receives_the_whole_message() {
    struct Details(File);

    impl Observer for Details {
        fn event(&self, event: &ToolEvent<'_>) {
            match event.kind {
                EventKind::Rejected { failure, .. } => drop(write!(self.0.clone(), "{:?}", failure.observer_details())),
                EventKind::Warned { warning, .. } => drop(write!(self.0.clone(), "{warning}")),
                _ => {}
            }
        }
    }

    let file = File::default();
    let builder = Toolbox::builder().tool(ConnectTool).observer(Details(file.clone()));
    let session = builder.build().expect("the toolbox is valid").session();
    for fails in [true, false] {
        let arguments = json!({"pin": 12_345_678, "fails": fails, "path": "src/src/a"}).to_string();
        let _ = pollster::block_on(session.call("call_1", "connect", arguments));
    }
    let read = file.text();
    assert!(read.contains("Some(12345678.0)") && read.contains("segments: src/src/a"), "{read}");
}

/// With a public sentence, the author of the tool guarantees that it contains no secret.
#[test]
fn a_public_message_is_shown_unchanged() {
    /// Signs somebody in.
    #[tool(undocumented, errors = "hidden")]
    fn sign_in(
        user: String,
        #[tool(sensitive)] password: String,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Err(match &*user {
            "ada" => ToolError::public("The account is locked.").into(),
            "bob" => ToolError::unavailable("Come back later.").field("user").into_public().into(),
            "eve" => ToolError::retry("Another one.").field("password").into(),
            "dan" => ToolError::retry("Another one.").field(&password).into(),
            _ => password.into(),
        })
    }

    let session = Toolbox::builder().tool(SignInTool).no_throttle().build().expect("the toolbox is valid").session();
    let told = |user: &str| {
        let arguments = json!({"user": user, "password": SECRET}).to_string();
        let outcome = pollster::block_on(session.call("call_1", "sign_in", arguments));
        outcome.failure().map(tool_runtime::Failure::to_value).unwrap_or_default()
    };
    assert_eq!(told("ada")["error_message"], "The account is locked.");
    assert_eq!(
        (&told("bob")["error_type"], &told("bob")["error_message"]),
        (&"unavailable".into(), &"Come back later.".into())
    );
    let eve = told("eve");
    assert_eq!((&eve["recovery"], &eve["errors"][0]["property"]), (&"correct_call".into(), &"password".into()));
    assert_eq!((&eve["error_message"], &eve["errors"][0]["attempted_value"]), (&HIDDEN.into(), &"<redacted>".into()));
    for user in ["dan", "mallory"] {
        let told = told(user).to_string();
        assert!(told.contains(HIDDEN) && !told.contains("hunter2"), "{told}");
    }
}

/// The message for the model is the same for each of these errors.
#[test]
fn different_hidden_errors_count_as_different() {
    /// Signs somebody in.
    #[tool(undocumented)]
    fn sign_in(user: String, #[tool(sensitive)] password: String) -> Result<(), ToolError> {
        Err(ToolError::new(format!("{user} is not {password}")))
    }

    let toolbox = Toolbox::builder().tool(SignInTool).build().expect("the toolbox is valid");
    let told = |users: [&str; 4]| {
        let session = toolbox.session();
        users.map(|user| {
            let arguments = json!({"user": user, "password": SECRET}).to_string();
            let outcome = pollster::block_on(session.call("call_1", "sign_in", arguments));
            outcome.failure().map(|failure| failure.error_type().to_owned()).unwrap_or_default()
        })
    };
    assert_eq!(told(["a", "b", "c", "d"]), ["tool_error"; 4]);
    assert_eq!(told(["a", "a", "a", "a"])[3], "throttled");
}

#[test]
fn the_last_event_of_a_call_shows_no_details() {
    let failure = tool_runtime::Failure::internal("connect", format!("panicked: {SECRET}"));
    let end = format!("{:?}", tool_runtime::throttle::CallEnd::from_failure(&failure));
    assert!(end.starts_with("Failed") && !end.contains("hunter2"), "{end}");
    let end = format!("{:?}", tool_runtime::throttle::CallEnd::Succeeded { result: SECRET, repairs: 0 });
    assert!(!end.contains("hunter2"), "{end}");
}
