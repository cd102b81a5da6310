//! Conditions on the state for tools and names: definitions and checks use the same evaluation of the state.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::tool::{Payload, ToolSpec};
use tool_runtime::toolbox::RegistrationError;
use tool_runtime::{Container, Dialect, Session, Toolbox, TypedTool, plugin_container, tool};
use tool_schema::shape::{Ref, Shape};

use super::tools::{call, named, rejection, sync, visible, without_states};

/// State that the tools of these tests depend on.
#[derive(Default)]
struct Desk {
    is_open: bool,
    files: Vec<String>,
}

type Shared = Mutex<Desk>;

fn with<T>(desk: &Shared, look: impl FnOnce(&mut Desk) -> T) -> T {
    look(&mut desk.lock().expect("the lock is not poisoned"))
}

fn is_open(desk: &Arc<Shared>) -> bool {
    with(desk, |desk| desk.is_open)
}

fn files(desk: &Arc<Shared>) -> Vec<String> {
    with(desk, |desk| desk.files.clone())
}

/// Closes the desk.
#[tool(available_if = is_open)]
fn close(#[tool(state)] desk: &Arc<Shared>) {
    with(desk, |desk| desk.is_open = false);
}

/// Reads a file.
#[tool]
fn read(
    /// Which one.
    #[tool(enum_from = files, length(max = 8))]
    file: String,
) -> String {
    file
}

/// Prints files.
#[tool]
fn print(
    /// Which ones.
    #[tool(enum_from = files)]
    files: Vec<String>,
    /// On which paper.
    #[tool(enum_from = files, default = "a4")]
    cover: String,
    /// The last page.
    #[tool(enum_from = files)]
    end: Option<String>,
) -> usize {
    files.len() + cover.len() + end.map_or(0, |end| end.len())
}

fn open(names: &[&str]) -> Arc<Shared> {
    Arc::new(Mutex::new(Desk { is_open: true, files: names.iter().map(|name| (*name).to_owned()).collect() }))
}

fn session(desk: &Arc<Shared>) -> Session {
    let builder =
        Toolbox::builder().no_throttle().tool(CloseTool).tool(ReadTool).tool(PrintTool).state(Arc::clone(desk));
    builder.build().expect("the registration is valid").session()
}

fn schema(session: &Session, name: &str) -> Option<Value> {
    let all: Value = session.definitions_in(Dialect::ANTHROPIC).to_value();
    let found = all.as_array().into_iter().flatten().find(|one| one["name"] == name);
    found.map(|one| one["input_schema"].clone())
}

#[test]
fn a_tool_is_visible_while_its_condition_holds() {
    let desk = open(&["a"]);
    let session = session(&desk);
    assert_eq!(visible(&session), ["close", "read", "print"]);
    let revision = session.revision();
    with(&desk, |desk| desk.is_open = false);
    assert_ne!(session.revision(), revision);
    assert_eq!(visible(&session), ["read", "print"]);
    let rejected = rejection(&call(&session, "close", "{}"));
    assert_eq!((&rejected["error_type"], &rejected["recovery"]), (&json!("unavailable"), &json!("replan")));
    with(&desk, |desk| desk.is_open = true);
    assert_eq!(visible(&session), ["close", "read", "print"]);
    assert!(call(&session, "close", "{}").is_ok());
}

#[test]
fn the_schema_and_the_check_allow_the_same_enum_values() {
    let session = session(&open(&["a", "b"]));
    assert_eq!(schema(&session, "read").expect("read is visible")["properties"]["file"]["enum"], json!(["a", "b"]));
    assert_eq!(call(&session, "read", r#"{"file": "b"}"#).to_text(), "b");
    let rejected = rejection(&call(&session, "read", r#"{"file": "c"}"#));
    assert_eq!(
        (&rejected["error_type"], &rejected["errors"][0]["error_code"]),
        (&json!("validation_error"), &json!("INVALID_ENUM_VALUE"))
    );
    assert_eq!(rejected["retry_hint"]["constraints"][0]["allowed_values"], json!(["a", "b"]));
}

#[test]
fn enum_from_works_on_lists_and_optional_strings() {
    let session = session(&open(&["a", "b"]));
    let properties = schema(&session, "print").expect("print is visible")["properties"].clone();
    assert_eq!(properties["files"]["items"]["enum"], json!(["a", "b"]));
    assert_eq!(
        (&properties["cover"]["enum"], properties["cover"].get("default")),
        (&json!(["a", "b"]), None),
        "the default is none of them"
    );
    assert!(properties["end"].to_string().contains(r#""enum":["a","b""#), "{properties}");
    assert_eq!(call(&session, "print", r#"{"files": ["a", "b"]}"#).to_text(), "4");
    let rejected = rejection(&call(&session, "print", r#"{"files": ["a", "c"], "end": "d", "cover": "a4"}"#));
    let properties: Vec<_> =
        rejected["errors"].as_array().into_iter().flatten().map(|one| one["property"].clone()).collect();
    assert_eq!(properties, [json!("files[1]"), json!("cover"), json!("end")]);
}

#[test]
fn all_faults_are_reported_together() {
    let session = session(&open(&["a"]));
    let rejected = rejection(&call(&session, "print", r#"{"files": ["x"], "colour": 1, "cover": 5}"#));
    assert_eq!(rejected["errors"].as_array().map(Vec::len), Some(3), "{rejected}");
}

#[test]
fn the_enum_from_the_state_omits_repeated_and_invalid_values() {
    let session = session(&open(&["a", "a", "too long by far"]));
    assert_eq!(schema(&session, "read").expect("read is visible")["properties"]["file"]["enum"], json!(["a"]));
}

#[test]
fn a_tool_is_hidden_if_a_required_parameter_has_no_allowed_value() {
    let desk = open(&[]);
    let session = session(&desk);
    assert_eq!(visible(&session), ["close"], "there is nothing to read or print");
    assert_eq!(rejection(&call(&session, "read", r#"{"file": "a"}"#))["error_type"], "unavailable");
    with(&desk, |desk| desk.files.push("a".to_owned()));
    assert_eq!(visible(&session), ["close", "read", "print"]);
}

#[test]
fn the_definitions_that_the_model_has_seen_apply_until_it_gets_new_ones() {
    let desk = open(&["a"]);
    let session = session(&desk);
    let _ = session.definitions();
    with(&desk, |desk| *desk = Desk { is_open: true, files: vec!["b".to_owned()] });
    assert!(call(&session, "read", r#"{"file": "a"}"#).is_ok(), "the model has the old definitions");
    assert_eq!(rejection(&call(&session, "read", r#"{"file": "b"}"#))["errors"][0]["error_code"], "INVALID_ENUM_VALUE");
    let _ = session.definitions();
    assert_eq!(rejection(&call(&session, "read", r#"{"file": "a"}"#))["errors"][0]["error_code"], "INVALID_ENUM_VALUE");
    assert!(call(&session, "read", r#"{"file": "b"}"#).is_ok());
}

#[test]
fn a_new_revision_announces_new_definitions() {
    let desk = open(&["a"]);
    let session = session(&desk);
    let (before, shown) = (session.revision(), session.definitions());
    with(&desk, |desk| desk.files = vec!["b".to_owned()]);
    let announced = session.revision();
    assert_ne!(announced, before);
    assert!(call(&session, "read", r#"{"file": "a"}"#).is_ok(), "the model still has the old definitions");
    assert_ne!(session.definitions(), shown);
    assert_eq!(session.revision(), announced, "the list is the announced one");
    assert_eq!(rejection(&call(&session, "read", r#"{"file": "a"}"#))["errors"][0]["error_code"], "INVALID_ENUM_VALUE");
}

proptest! {
    /// A host that renders the definitions for each new revision never shows an outdated list.
    #[test]
    fn a_host_that_follows_the_revision_shows_current_definitions(states in prop::collection::vec((any::<bool>(), prop::collection::vec(prop::sample::select(vec!["a", "b"]), 0..3), any::<bool>()), 0..20)) {
        let desk = open(&["a"]);
        let session = session(&desk);
        let (mut revision, mut shown) = (session.revision(), session.definitions());
        for (is_open, names, peeks) in states {
            with(&desk, |desk| *desk = Desk { is_open, files: names.into_iter().map(str::to_owned).collect() });
            if peeks {
                // Another part of the host reads the revision and does nothing with it.
                let _ = session.revision();
                continue;
            }
            if session.revision() != revision {
                (revision, shown) = (session.revision(), session.definitions());
            }
            prop_assert_eq!(&shown, &session.definitions());
            prop_assert_eq!(session.revision(), revision, "nothing has changed since");
        }
    }
}

#[test]
fn a_state_change_without_effect_does_not_render_definitions_again() {
    let desk = open(&["a"]);
    let session = session(&desk);
    let first = session.definitions();
    with(&desk, |desk| *desk = Desk { is_open: true, files: vec!["a".to_owned()] });
    assert!(Arc::ptr_eq(&first, &session.definitions()));
}

struct Office;

/// An office.
#[plugin_container(instructions_from = greeting, system_prompt_from = rules)]
impl Office {
    /// Closes the desk.
    #[tool(available_if = is_open)]
    fn lock(&self) -> &'static str {
        "locked"
    }

    /// Files something.
    #[tool]
    fn file(
        &self,
        /// The target folder.
        #[tool(enum_from = files)]
        into: String,
    ) -> String {
        into
    }
}

fn greeting(desk: &Arc<Shared>) -> String {
    format!("There are {} files.", files(desk).len())
}

fn rules(desk: &Arc<Shared>) -> String {
    format!("Never lose one of {} files.", files(desk).len())
}

fn office(desk: &Arc<Shared>) -> Session {
    let builder = Toolbox::builder()
        .container(Office)
        .state(Arc::clone(desk))
        .expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun));
    builder.build().expect("the registration is valid").session()
}

#[test]
fn members_have_conditions_too() {
    let desk = open(&["a"]);
    with(&desk, |desk| desk.is_open = false);
    let session = office(&desk);
    assert_eq!(session.tools()[0].description(), "An office. Contains 1 function: file");
    let expansion = call(&session, "Office", "");
    assert_eq!(expansion.value().map(|value| value["functions"].clone()), Some(json!(["file"])));
    assert_eq!(visible(&session), ["Office", "file"]);
    with(&desk, |desk| desk.is_open = true);
    assert_eq!(visible(&session), ["Office", "lock", "file"]);
    assert_eq!(call(&session, "lock", "{}").to_text(), "locked");
}

#[test]
fn a_hidden_member_cannot_be_called_under_any_policy() {
    let desk = open(&["a"]);
    with(&desk, |desk| desk.is_open = false);
    for (name, arguments) in [("lock", "{}"), ("Office.lock", "{}"), ("Office", r#"{"function": "lock"}"#)] {
        assert_eq!(rejection(&call(&office(&desk), name, arguments))["error_type"], "unavailable", "{name}");
    }
    assert!(rejection(&call(&office(&desk), "lokc", "{}")).get("did_you_mean").is_none());
}

#[test]
fn an_expansion_evaluates_the_state() {
    let desk = open(&["a"]);
    let session = office(&desk);
    with(&desk, |desk| desk.files = vec!["b".to_owned()]);
    assert!(call(&session, "file", r#"{"into": "b"}"#).is_ok(), "the model has not seen it before");
}

#[test]
fn the_texts_of_a_container_can_come_from_attributes() {
    let desk = open(&["a", "b"]);
    let session = office(&desk);
    assert!(call(&session, "Office", "").to_text().contains("There are 2 files."));
    assert_eq!(session.instructions(), "## Office\n\nNever lose one of 2 files.");
}

#[test]
fn calls_are_checked_against_fixed_definitions_after_a_state_change() {
    let desk = open(&["a"]);
    let builder = Toolbox::builder()
        .tool(ReadTool)
        .container(Office)
        .state(Arc::clone(&desk))
        .expansion(ExpansionSettings::new().fixed_definitions());
    let session = builder.build().expect("the registration is valid").session();
    let first = session.definitions();
    with(&desk, |desk| desk.files = vec!["b".to_owned()]);
    let expansion = call(&session, "Office", "").to_text().into_owned();
    assert!(expansion.contains(r#""enum":["b"]"#), "{expansion}");
    assert_eq!(session.definitions(), first);
    assert!(call(&session, "read", r#"{"file": "a"}"#).is_ok());
    assert!(call(&session, "call_tool", r#"{"tool": "file", "arguments": {"into": "b"}}"#).is_ok());
    assert_eq!(rejection(&call(&session, "file", r#"{"into": "a"}"#))["errors"][0]["error_code"], "INVALID_ENUM_VALUE");
}

#[test]
fn a_handwritten_tool_has_its_condition_in_the_spec() {
    let mut hand = sync("ban", |_| Ok(Payload::Done));
    hand.spec = ToolSpec::new("ban", "Bans.", Ref::Static(Shape::ANY)).available_if(|is_admin: &bool| *is_admin);
    let mut read = sync("read", |_| Ok(Payload::Done));
    read.spec = ToolSpec::new("read", "Reads.", ReadTool::SPEC.input.clone()).enum_from("file", |_: &bool| ["x", "y"]);
    let toolbox = Toolbox::builder()
        .tool(hand)
        .tool(read)
        .require_session_state::<bool>()
        .build()
        .expect("the state is declared");
    let of = |is_admin: bool| toolbox.session_with(is_admin).expect("the state has the declared type");
    assert_eq!(visible(&of(true)), ["ban", "read"]);
    assert_eq!(visible(&of(false)), ["read"]);
    assert_eq!(
        rejection(&call(&of(true), "read", r#"{"file": "z"}"#))["errors"][0]["error_code"],
        "INVALID_ENUM_VALUE"
    );
    assert_eq!(visible(&without_states(&toolbox)), Vec::<String>::new(), "the session has no state");
}

#[test]
fn conditions_require_their_state_and_their_parameter() {
    let error = Toolbox::builder().tool(CloseTool).build().expect_err("nobody brings the desk");
    assert!(!error.errors().is_empty());
    assert!(error.errors().iter().all(|problem| matches!(problem, RegistrationError::MissingState { .. })), "{error}");
    let spec = || ToolSpec::new("read", "Reads.", ReadTool::SPEC.input.clone());
    for (spec, parameter) in [
        (spec().enum_from("path", |_: &u8| ["x"]), "path"),
        (ToolSpec::new("read", "", Ref::Static(Shape::ANY)).enum_from("file", |_: &u8| ["x"]), "file"),
    ] {
        let mut read = sync("read", |_| Ok(Payload::Done));
        read.spec = spec;
        let error = Toolbox::builder().tool(read).state(1_u8).build().expect_err("there is no such text");
        assert_eq!(
            error.errors(),
            [RegistrationError::EnumFromWithoutStrings { tool: "read".into(), parameter: parameter.into() }]
        );
    }
}

#[test]
fn a_condition_that_panics_hides_the_tool() {
    let mut hand = sync("ban", |_| Ok(Payload::Done));
    hand.spec =
        ToolSpec::new("ban", "Bans.", Ref::Static(Shape::ANY)).available_if(|_: &u8| panic!("the condition panics"));
    let session = Toolbox::builder()
        .tool(hand)
        .tool(named("first"))
        .state(1_u8)
        .build()
        .expect("the registration is valid")
        .session();
    assert_eq!(visible(&session), ["first"]);
}

#[test]
fn a_host_can_read_the_narrowed_schema() {
    let session = session(&open(&["a"]));
    let tools = session.tools();
    let tool_runtime::session::AdvertisedItem::Tool { input, .. } = &tools[1] else { panic!("read is a tool") };
    assert!(tool_schema::schema::schema_text(&input.shape()).contains(r#""enum":["a"]"#));
    let _ = Container::new("unused", "");
}

#[derive(Clone, Debug)]
enum Step {
    Files(Vec<&'static str>),
    Open(bool),
    Look,
    Peek,
    Read(&'static str),
    Close,
}

fn step() -> impl Strategy<Value = Step> {
    let name = || prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        prop::collection::vec(name(), 0..3).prop_map(Step::Files),
        any::<bool>().prop_map(Step::Open),
        Just(Step::Look),
        Just(Step::Peek),
        name().prop_map(Step::Read),
        Just(Step::Close),
    ]
}

proptest! {
    #[test]
    fn a_call_runs_if_and_only_if_the_last_seen_schema_accepts_it(steps in prop::collection::vec(step(), 0..30)) {
        let desk = open(&["a"]);
        let session = session(&desk);
        let (mut read, mut close) = (schema(&session, "read"), schema(&session, "close"));
        for step in steps {
            match step {
                Step::Files(names) => with(&desk, |desk| desk.files = names.into_iter().map(str::to_owned).collect()),
                Step::Open(is_open) => with(&desk, |desk| desk.is_open = is_open),
                // The host reads the definitions without sending them to the model.
                Step::Peek => {
                    let told = (session.revision(), session.containers().len(), session.instructions());
                    let told = format!("{told:?} {session:?}");
                    prop_assert!(told.contains("revision"));
                }
                Step::Look => (read, close) = (schema(&session, "read"), schema(&session, "close")),
                Step::Read(file) => {
                    let arguments = json!({ "file": file });
                    let accepted = read.as_ref().is_some_and(|schema| jsonschema::is_valid(schema, &arguments));
                    prop_assert_eq!(call(&session, "read", &arguments.to_string()).is_ok(), accepted);
                }
                Step::Close => prop_assert_eq!(call(&session, "close", "{}").is_ok(), close.is_some()),
            }
        }
    }
}
