//! Parameters that the state hides or describes: the definition, the check and the tool use the same evaluation of the state.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::container::ExpansionPolicy;

use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::Advertised;
use tool_runtime::tool::{Payload, ToolSpec};
use tool_runtime::tool_schema::check::check;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::repair::{Progress, RepairPolicy};
use tool_runtime::tool_schema::shape::{Ref, Shape};
use tool_runtime::toolbox::{Form, Problem, ToolboxBuilder};
use tool_runtime::{CallContext, Container, Format, Session, ToolInput, Toolbox, TypedTool, plugin_container, tool};

use super::tools::{Log, call, refusal, sync, visible};

/// State that the tools of these tests depend on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Disk {
    is_admin: bool,
    has_bins: bool,
    bins: Vec<&'static str>,
    files: usize,
}

type Shared = Arc<Mutex<Disk>>;

fn now(disk: &Shared) -> Disk {
    disk.lock().expect("the lock is not poisoned").clone()
}

fn set(disk: &Shared, to: Disk) {
    *disk.lock().expect("the lock is not poisoned") = to;
}

fn is_admin(disk: &Shared) -> bool {
    now(disk).is_admin
}

fn has_bins(disk: &Shared) -> bool {
    now(disk).has_bins
}

fn bins(disk: &Shared) -> Vec<&'static str> {
    now(disk).bins
}

fn summary(disk: &Shared) -> String {
    format!("Deletes one of {} files.", now(disk).files)
}

fn choice(disk: &Shared) -> String {
    format!("One of {} files.", now(disk).files)
}

/// Deletes a file.
#[tool(description_from = summary)]
fn delete(
    /// Which file.
    #[tool(length(min = 1), description_from = choice)]
    path: String,
    /// Deletes protected files too.
    #[tool(available_if = is_admin, alias = "unprotect", example = true)]
    overpower: Option<bool>,
    /// The target of the file.
    #[tool(available_if = has_bins, enum_from = bins, default = "nowhere")]
    shredder: String,
    /// Copies to keep.
    #[tool(default_fn = one)]
    copies: u8,
) -> String {
    format!("{path} {overpower:?} {shredder} {copies}")
}

const fn one() -> u8 {
    1
}

fn disk(is_admin: bool, has_bins: bool) -> Shared {
    Arc::new(Mutex::new(Disk { is_admin, has_bins, bins: vec!["red", "blue"], files: 7 }))
}

fn built(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is valid").session()
}

fn session(disk: &Shared) -> Session {
    built(Toolbox::builder().no_throttle().tool(DeleteTool).state(Arc::clone(disk)))
}

fn definition(session: &Session) -> Value {
    session.definitions(Format::Anthropic).to_value()[0].clone()
}

fn parameters(session: &Session) -> Vec<String> {
    let definition = definition(session);
    let properties = definition["input_schema"]["properties"].as_object().cloned().unwrap_or_default();
    let mut names: Vec<_> = properties.into_iter().map(|(name, _)| name).collect();
    names.sort();
    names
}

#[test]
fn a_parameter_is_visible_while_its_condition_holds() {
    let disk = disk(false, false);
    let session = session(&disk);
    assert_eq!(parameters(&session), ["copies", "path"]);
    assert_eq!(call(&session, "delete", r#"{"path": "a"}"#).to_text(), "a None nowhere 1");
    let revision = session.revision();
    set(&disk, Disk { is_admin: true, ..now(&disk) });
    assert_ne!(session.revision(), revision);
    assert_eq!(parameters(&session), ["copies", "overpower", "path"]);
    assert_eq!(call(&session, "delete", r#"{"path": "a", "overpower": true}"#).to_text(), "a Some(true) nowhere 1");
}

#[test]
fn a_hidden_parameter_is_an_unknown_key() {
    let session = session(&disk(false, false));
    for name in ["overpower", "unprotect", "colour"] {
        let refused = refusal(&call(&session, "delete", &json!({"path": "a", name: true}).to_string()));
        let error = json!({
            "property": name,
            "attempted_value": true,
            "error_message": format!("{name} is not a known field (known: path, copies)"),
            "error_code": "UNKNOWN_FIELD",
            "constraint": "additionalProperties",
            "expected": "nothing",
        });
        assert_eq!(refused["errors"], json!([error]));
        assert_eq!(refused["retry_hint"]["constraints"], json!([{"field": name, "remove": true}]), "{refused}");
    }
}

#[test]
fn the_state_describes_tools_and_parameters() {
    let disk = disk(false, false);
    let session = session(&disk);
    let definition = definition(&session);
    assert_eq!(definition["description"], "Deletes one of 7 files.");
    assert_eq!(definition["input_schema"]["properties"]["path"]["description"], "One of 7 files.");
    assert_eq!(session.tools()[0].description(), "Deletes one of 7 files.");
    set(&disk, Disk { files: 8, ..now(&disk) });
    assert!(
        call(&session, "delete", "{}").to_text().contains("(One of 7 files)"),
        "the description that the model has seen"
    );
    assert_eq!(session.tools()[0].description(), "Deletes one of 8 files.");
    assert!(call(&session, "delete", "{}").to_text().contains("(One of 8 files)"));
}

#[test]
fn a_long_description_is_truncated() {
    let spec = || ToolSpec::new("say", "Says it.", Ref::Static(Shape::ANY));
    for (length, shown) in [(1_024, 1_024), (1_025, 1_024), (5_000, 1_024)] {
        let mut say = sync("say", |_| Ok(Payload::Done));
        say.spec = spec().description_from(move |_: &u8| "ä".repeat(length));
        let session = built(Toolbox::builder().tool(say).state(1_u8));
        let description = session.tools()[0].description().into_owned();
        assert_eq!((description.chars().count(), description.ends_with('…')), (shown, length > 1_024));
    }
}

#[test]
fn without_a_session_or_the_state_every_parameter_is_visible() {
    let schema = DeleteTool::SPEC.schema();
    assert!(schema.contains("overpower") && schema.contains("shredder") && schema.contains("Which file."));
    assert_eq!(DeleteTool::SPEC.description, "Deletes a file.");
    let spec = ToolSpec::new("delete", "Deletes a file.", Ref::Static(Options::SHAPE))
        .parameter_available_if("overpower", |is_admin: &bool| *is_admin)
        .parameter_description_from("path", |is_admin: &bool| format!("For {is_admin}."))
        .description_from(|is_admin: &bool| format!("Deletes for {is_admin}."));
    let mut delete = sync("delete", |_| Ok(Payload::Done));
    delete.spec = spec;
    let toolbox = Toolbox::builder().tool(delete).session_state::<bool>().build().expect("the state is declared");
    let bare = toolbox.session();
    assert_eq!(parameters(&bare), ["overpower", "path"]);
    assert_eq!(bare.tools()[0].description(), "Deletes a file.");
    let guest = toolbox.session_with(false).expect("the state has the declared type");
    assert_eq!(parameters(&guest), ["path"]);
    assert_eq!(definition(&guest)["input_schema"]["properties"]["path"]["description"], "For false.");
    assert!(
        !call(&guest, "delete", r#"{"path": "a", "overpower": true}"#).is_ok(),
        "handwritten tools are checked too"
    );
}

/// Arguments of a handwritten tool.
#[derive(serde::Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Options {
    /// Which file.
    path: String,
    /// Deletes protected files too.
    overpower: Option<bool>,
}

/// Arguments of a handwritten tool that ignores other keys.
#[derive(serde::Deserialize, ToolInput)]
struct OpenOptions {
    /// Deletes protected files too.
    overpower: Option<bool>,
}

#[test]
fn a_condition_that_panics_hides_the_parameter() {
    let mut delete = sync("delete", |_| Ok(Payload::Done));
    delete.spec = ToolSpec::new("delete", "Deletes a file.", Ref::Static(Options::SHAPE))
        .parameter_available_if("overpower", |_: &u8| panic!("the host has a fault"))
        .parameter_description_from("path", |_: &u8| panic!("the host has another"));
    let session = built(Toolbox::builder().tool(delete).state(1_u8));
    assert_eq!(parameters(&session), ["path"]);
    assert_eq!(definition(&session)["input_schema"]["properties"]["path"]["description"], "Which file.");
}

#[test]
fn invalid_conditions_and_descriptions_are_problems_of_the_registration() {
    let error = Toolbox::builder().tool(DeleteTool).build().expect_err("nobody brings the disk");
    assert!(!error.problems().is_empty());
    assert!(error.problems().iter().all(|problem| matches!(problem, Problem::MissingState { .. })), "{error}");
    let of = |shape: &'static Shape| ToolSpec::new("delete", "Deletes a file.", Ref::Static(shape));
    for (spec, parameter, words) in [
        (of(Options::SHAPE).parameter_available_if("path", |_: &u8| true), "path", "which is required"),
        (of(Options::SHAPE).parameter_available_if("paht", |_: &u8| true), "paht", "which is not a parameter"),
        (of(OpenOptions::SHAPE).parameter_available_if("overpower", |_: &u8| true), "overpower", "ignores unknown"),
        (of(Shape::ANY).parameter_description_from("path", |_: &u8| String::new()), "path", "which is not a parameter"),
    ] {
        let mut delete = sync("delete", |_| Ok(Payload::Done));
        delete.spec = spec;
        let error = Toolbox::builder().tool(delete).state(1_u8).build().expect_err("it is out of reach");
        let [problem @ Problem::OutOfReach { parameter: found, .. }] = error.problems() else { panic!("{error}") };
        assert!(found == parameter && problem.to_string().contains(words), "{problem}");
    }
}

#[test]
fn the_schema_that_the_model_has_seen_applies_until_it_gets_a_new_one() {
    let disk = disk(true, false);
    let session = session(&disk);
    assert_eq!(parameters(&session), ["copies", "overpower", "path"]);
    set(&disk, Disk { is_admin: false, ..now(&disk) });
    let arguments = r#"{"path": "a", "overpower": true}"#;
    assert!(call(&session, "delete", arguments).is_ok(), "the model has the old schema");
    let _ = session.definitions(Format::OpenAi);
    assert_eq!(refusal(&call(&session, "delete", arguments))["errors"][0]["error_code"], "UNKNOWN_FIELD");
}

#[test]
fn repairs_ignore_a_hidden_parameter() {
    for policy in [RepairPolicy::Lossless, RepairPolicy::Assisted] {
        let repairing = |is_admin| {
            built(Toolbox::builder().no_throttle().repair(policy).tool(DeleteTool).state(disk(is_admin, false)))
        };
        // Another spelling of the name, a value of another type, and broken JSON.
        for (arguments, runs) in [
            (r#"{"path": "a", "overPower": true}"#, false),
            (r#"{"path": "a", "overpower": "true"}"#, true),
            (r#"{"path": "a", "unprotect": "true"}"#, true),
            (r#"{"path": "a", 'overpower': true,}"#, true),
            (r#"{"path": "a", "overpower": true"#, false),
        ] {
            let shown = call(&repairing(true), "delete", arguments);
            let hidden = call(&repairing(false), "delete", arguments);
            assert_eq!((shown.is_ok(), hidden.is_ok()), (runs, false), "{arguments}: {}", shown.to_text());
            let is_sent = arguments.contains("overpower");
            assert!(is_sent || !hidden.to_text().contains("overpower"), "{}", hidden.to_text());
        }
    }
}

/// Returns all texts for the model in a session whose calls contain no hidden name.
fn texts(builder: impl Fn() -> ToolboxBuilder, disk: &Shared) -> Vec<String> {
    let mut texts = Vec::new();
    for form in [Form::Json, Form::MarkedUp, Form::Markdown] {
        let session = built(builder().no_throttle().feedback(form).state(Arc::clone(disk)));
        for format in [Format::OpenAi, Format::OpenAiResponses, Format::Anthropic, Format::Gemini, Format::Mcp] {
            texts.push(session.definitions(format).to_string());
        }
        for arguments in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"path": 5}"#,
            r#"{"path": ""}"#,
            r#"{"pth": "a", "overpwer": true}"#,
            r#"{"path": "a", "overpowr": true}"#,
            r#"{"path": "a", "unprotcet": true}"#,
            r#"{"path": "a", "shreddr": "rde"}"#,
            r#"{"path": "a", "shredde": "blu", "copies": 900}"#,
            r#"{"path": "a", "copies": "many"}"#,
        ] {
            // The second refusal of an argument contains its schema and an example.
            for name in ["delete", "delete", "Delete", "Disks__delete"] {
                texts.push(call(&session, name, arguments).to_text().into_owned());
            }
            let inner = format!(r#"{{"tool": "delete", "arguments": {arguments}}}"#);
            texts.push(call(&session, "call_tool", &inner).to_text().into_owned());
            let inner = format!(r#"{{"function": "delete", "arguments": {arguments}}}"#);
            texts.push(call(&session, "Disks", &inner).to_text().into_owned());
        }
        if let Ok(mut stream) = session.stream("delete") {
            let expected = if is_admin(disk) { Progress::Open } else { Progress::Refused };
            assert_eq!(stream.push(r#"{"path": "a", "overpower": tru"#), expected);
        }
    }
    texts
}

#[test]
fn no_text_for_the_model_contains_a_hidden_name() {
    let guest = disk(false, false);
    let listed = texts(|| Toolbox::builder().tool(DeleteTool), &guest);
    let inside = texts(
        || {
            let disks = Container::new("Disks", "All about disks.").tool(DeleteTool);
            Toolbox::builder().container(disks).expansion_policy(ExpansionPolicy::ExpandAndRun)
        },
        &guest,
    );
    let fixed = texts(
        || {
            let disks = Container::new("Disks", "All about disks.").tool(DeleteTool);
            Toolbox::builder().container(disks).expansion_policy(ExpansionPolicy::ExpandAndRun).fixed_definitions()
        },
        &guest,
    );
    let all: Vec<_> = [listed, inside, fixed].concat();
    assert!(all.len() > 500);
    for text in &all {
        for hidden in ["overpower", "unprotect", "shredder", "red", "blue", "protected"] {
            let quoted = |quote| text.split(quote).any(|word| word == hidden);
            assert!(!quoted('"') && !quoted(' ') && !quoted('`'), "{hidden}: {text}");
        }
    }
    let seen = texts(|| Toolbox::builder().tool(DeleteTool), &disk(true, true)).concat();
    assert!(seen.contains("overpower") && seen.contains("shredder"), "the same calls name visible parameters");
}

#[test]
fn hooks_batches_and_deferred_calls_see_the_same_parameters() {
    let hook = |call: &ProposedCall<'_>| {
        assert_eq!(call.argument("overpower"), None);
        if call.argument("path") == Some(json!("later")) { Verdict::Defer } else { Verdict::Run }
    };
    let disk = disk(false, false);
    let session = built(Toolbox::builder().tool(DeleteTool).before_call(hook).state(Arc::clone(&disk)));
    assert_eq!(
        refusal(&call(&session, "delete", r#"{"path": "a", "overpower": true}"#))["errors"][0]["error_code"],
        "UNKNOWN_FIELD"
    );
    let calls = [("1", "delete", r#"{"path": "a", "unprotect": true}"#), ("2", "delete", r#"{"path": "b"}"#)];
    let outcomes = pollster::block_on(session.call_batch(calls));
    let results: Vec<_> = outcomes.outcomes().iter().map(tool_runtime::Outcome::is_ok).collect();
    assert_eq!(results, [false, true]);
    assert!(call(&session, "delete", r#"{"path": "later"}"#).is_deferred());
    assert_eq!(pollster::block_on(session.resume("call_1")).expect("the call waits").to_text(), "later None nowhere 1");
}

#[test]
fn a_deferred_call_is_checked_against_the_last_seen_schema() {
    let disk = disk(true, false);
    let hook = |_: &ProposedCall<'_>| Verdict::Defer;
    let session = built(Toolbox::builder().tool(DeleteTool).before_call(hook).state(Arc::clone(&disk)));
    assert!(call(&session, "delete", r#"{"path": "a", "overpower": true}"#).is_deferred());
    set(&disk, Disk { is_admin: false, ..now(&disk) });
    let _ = session.definitions(Format::OpenAi);
    let outcome = pollster::block_on(session.resume("call_1")).expect("the call waits");
    assert_eq!(refusal(&outcome)["errors"][0]["error_code"], "UNKNOWN_FIELD");
}

/// Passes over what it does not know.
#[tool(allow_unknown)]
fn open(
    /// The target.
    #[tool(enum_from = bins)]
    shredder: Option<String>,
) -> String {
    format!("{shredder:?}")
}

#[test]
fn a_tool_that_allows_unknown_fields_is_hidden_without_allowed_values() {
    let disk = disk(true, true);
    let session = built(Toolbox::builder().tool(OpenTool).state(Arc::clone(&disk)));
    assert_eq!(visible(&session), ["open"]);
    set(&disk, Disk { bins: Vec::new(), ..now(&disk) });
    assert_eq!(visible(&session), Vec::<String>::new());
    assert_eq!(refusal(&call(&session, "open", r#"{"shredder": "red"}"#))["error_type"], "unavailable");
}

struct Office;

/// An office.
#[plugin_container]
impl Office {
    /// Files something.
    #[tool]
    fn file(
        &self,
        /// A name.
        name: String,
        /// Files it in the safe.
        #[tool(available_if = is_admin)]
        safe: Option<bool>,
    ) -> String {
        format!("{name} {safe:?}")
    }
}

#[test]
fn members_have_conditional_parameters_too() {
    let disk = disk(false, false);
    let session = built(Toolbox::builder().container(Office).state(Arc::clone(&disk)));
    let _ = call(&session, "Office", "");
    assert_eq!(
        refusal(&call(&session, "file", r#"{"name": "a", "safe": true}"#))["errors"][0]["error_code"],
        "UNKNOWN_FIELD"
    );
    set(&disk, Disk { is_admin: true, ..now(&disk) });
    let Some(Advertised::Tool { input, .. }) = session.tools().into_iter().nth(1) else { panic!("it is expanded") };
    assert!(
        check(&input.shape(), &Json::parse(r#"{"name": "a", "safe": true}"#).expect("the text is JSON")).is_empty()
    );
    assert_eq!(call(&session, "file", r#"{"name": "a", "safe": true}"#).to_text(), "a Some(true)");
}

fn state() -> impl Strategy<Value = Disk> {
    let bins = prop::collection::vec(prop::sample::select(vec!["red", "blue", "green"]), 0..3);
    (any::<bool>(), any::<bool>(), bins, 0..3_usize).prop_map(|(is_admin, has_bins, bins, files)| Disk {
        is_admin,
        has_bins,
        bins,
        files,
    })
}

fn arguments() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["path", "overpower", "unprotect", "shredder", "copies", "colour"]);
    let value = prop::sample::select(vec![json!("a"), json!("red"), json!(""), json!(true), json!(null), json!(3)]);
    let rest = prop::collection::vec((name, value), 0..4);
    (prop::bool::weighted(0.8), rest).prop_map(|(has_path, rest)| {
        let path = has_path.then(|| ("path".to_owned(), json!("a")));
        rest.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(path).collect::<Map<_, _>>().into()
    })
}

proptest! {
    #[test]
    fn schema_check_and_tool_agree_in_every_state(
        states in prop::collection::vec((state(), any::<bool>(), prop::collection::vec(arguments(), 1..6)), 1..6),
        is_asked in any::<bool>(),
    ) {
        let shared = disk(false, false);
        let builder = Toolbox::builder().no_throttle().repair(RepairPolicy::Strict).tool(DeleteTool).state(Arc::clone(&shared));
        let builder = if is_asked { builder.before_call(|_: &ProposedCall<'_>| Verdict::Run) } else { builder };
        let session = built(builder);
        let look = || {
            let tools = session.tools().into_iter();
            let mut inputs = tools.filter_map(|tool| if let Advertised::Tool { input, .. } = tool { Some(input) } else { None });
            (inputs.next().expect("the tool exists"), definition(&session), now(&shared))
        };
        let mut seen = look();
        for (state, looks, calls) in states {
            set(&shared, state);
            if looks {
                seen = look();
            }
            let (input, definition, state) = &seen;
            for arguments in calls {
                let text = arguments.to_string();
                let by_schema = jsonschema::is_valid(&definition["input_schema"], &arguments);
                let by_check = check(&input.shape(), &Json::parse(&text).expect("the text is JSON")).is_empty();
                let outcome = call(&session, "delete", &text);
                let has_alias = state.is_admin && arguments.get("unprotect").is_some();
                prop_assert_eq!(by_check, outcome.is_ok(), "{} {:?}", text, state);
                if !has_alias {
                    prop_assert_eq!(by_schema, by_check, "{} {:?}", text, state);
                }
                if outcome.is_ok() {
                    let args = DeleteTool::decode(&*text).expect("the tool decodes the arguments too");
                    let expected = format!("{} {:?} {} {}", args.path, args.overpower, args.shredder, args.copies);
                    prop_assert_eq!(outcome.to_text(), expected);
                    prop_assert!(state.is_admin || !outcome.to_text().contains("Some("));
                    prop_assert!(state.has_bins || outcome.to_text().contains(" nowhere "));
                }
            }
        }
    }
}

#[test]
fn calling_the_function_directly_needs_no_state() {
    let arguments = DeleteTool::decode(r#"{"path": "a", "overpower": true}"#)
        .expect("without a session every parameter is visible");
    let answer = DeleteTool::run(arguments, &CallContext::test());
    assert!(matches!(answer, Ok(Payload::Text(text)) if text == "a Some(true) nowhere 1"));
}

#[test]
fn events_of_a_refusal_name_only_sent_fields() {
    let log = Arc::new(Log::default());
    let builder = Toolbox::builder().tool(DeleteTool).state(disk(false, false)).observer(Arc::clone(&log));
    let session = built(builder);
    assert!(!call(&session, "delete", r#"{"pth": "a"}"#).is_ok());
    let events = log.take().concat();
    assert!(events.contains("delete") && !events.contains("overpower"), "{events}");
}
