//! Parameters that the host supplies: the model neither sees nor sends them, and nothing that it reads contains their values.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::container::ExpansionPolicy;
use tool_runtime::event::{Decision, Observer, ToolEvent};
use tool_runtime::hook::{BeforeCall, HostArguments, ProposedCall, Verdict};
use tool_runtime::session::CompletionError;
use tool_runtime::tool::{Invocation, Payload, Tool, ToolSpec};
use tool_runtime::tool_schema::repair::RepairPolicy;
use tool_runtime::tool_schema::shape::{Ref, Shape};
use tool_runtime::toolbox::{Form, Problem, ToolboxBuilder};
use tool_runtime::{
    Arguments, CallContext, Container, Failure, Format, Rejection, Session, ToolError, ToolInput, Toolbox,
    plugin_container, tool,
};

use super::tools::{call, drive, refusal, sync};

/// A file of the user's.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Upload {
    /// Name of the file.
    #[tool(length(min = 1, max = 20))]
    title: String,
    /// Its size.
    #[tool(range(max = 100))]
    size: u32,
}

fn is_free(folder: &String) -> Result<(), Rejection> {
    if folder == "taken" { Err("must be free".into()) } else { Ok(()) }
}

/// Stores a file of the user's.
#[tool]
fn store(
    /// Name of the folder.
    #[tool(custom = is_free)]
    folder: String,
    /// The file.
    #[tool(host)]
    upload: Upload,
    /// Stores it again.
    #[tool(default = false)]
    overwrite: bool,
    #[tool(host, default = "nobody", length(min = 2))] owner: String,
    #[tool(host)] note: Option<String>,
) -> String {
    format!("{folder}/{} {} {overwrite} {owner} {note:?}", upload.title, upload.size)
}

fn upload() -> HostArguments {
    HostArguments::new().with("upload", json!({"title": "cat.png", "size": 3}))
}

fn supplying(supplied: HostArguments) -> impl BeforeCall {
    move |_: &ProposedCall<'_>| Verdict::RunWith(supplied.clone())
}

fn built(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is sound").session()
}

fn storing(supplied: HostArguments) -> Session {
    built(Toolbox::builder().no_throttle().tool(StoreTool).before_call(supplying(supplied)))
}

const STORE: &str = r#"{"folder": "a"}"#;

#[test]
fn a_hook_supplies_host_parameters() {
    let session = storing(upload());
    let definitions = session.definitions(Format::OpenAi).to_string();
    assert!(definitions.contains("folder") && !definitions.contains("upload") && !definitions.contains("owner"));
    let outcome = call(&session, "store", STORE);
    assert_eq!((outcome.to_text(), outcome.arguments()), ("a/cat.png 3 false nobody None".into(), None));
    let all = upload().with("owner", "Ann").with("note", "mine");
    assert_eq!(call(&storing(all), "store", STORE).to_text(), r#"a/cat.png 3 false Ann Some("mine")"#);
}

#[test]
fn without_a_value_the_call_fails_with_its_own_error_type() {
    for session in [built(Toolbox::builder().tool(StoreTool)), storing(HostArguments::new())] {
        let refused = refusal(&call(&session, "store", STORE));
        let expected = json!({
            "error_type": "host_input",
            "tool": "store",
            "error_message": "store was not run: the application did not supply what it needs.",
            "retry_guidance": "Do not repeat this call. Use another tool, or answer with what you have.",
            "recovery": "replan",
        });
        assert_eq!(refused, expected);
    }
}

#[test]
fn values_are_validated_like_arguments() {
    for (supplied, details) in [
        (HostArguments::new(), "upload is required"),
        (HostArguments::new().with("upload", "cat.png"), "upload must be an object"),
        (
            HostArguments::new().with("upload", json!({"title": "", "size": 900})),
            "upload.title must have at least 1 character; upload.size must be at most 100",
        ),
        (upload().with("owner", "X"), "owner must have at least 2 characters"),
        (upload().with("uplaod", 5), "uplaod is not a known field (known: upload, owner, note)"),
        (upload().with("folder", "b"), "folder is not a known field (known: upload, owner, note)"),
        (upload().with("overwrite", true), "overwrite is not a known field (known: upload, owner, note)"),
    ] {
        let outcome = call(&storing(supplied), "store", STORE);
        let failure = outcome.failure().expect("it is refused");
        assert_eq!((failure.error_type(), failure.details(), failure.issues().len()), ("host_input", Some(details), 0));
        assert!(!outcome.to_text().contains("upload"), "{}", outcome.to_text());
    }
}

#[test]
fn a_host_parameter_sent_by_the_model_is_an_unknown_key_and_no_hook_is_called() {
    let asked = Arc::new(AtomicUsize::new(0));
    for policy in [RepairPolicy::Strict, RepairPolicy::Lossless, RepairPolicy::Assisted] {
        for arguments in [
            r#"{"folder": "a", "upload": {"title": "x", "size": 1}}"#,
            r#"{"folder": "a", "owner": "Eve"}"#,
            r#"{"folder": "a", "note": null}"#,
            r#"{"folder": "a", "owner": "Eve", "owner": "Eve"}"#,
            r"{'folder': 'a', 'owner': 'Eve',}",
            r#""{\"folder\": \"a\", \"owner\": \"Eve\"}""#,
            r#"{"arguments": {"folder": "a", "owner": "Eve"}}"#,
            r#"{"folder": "a", "Owner": "Eve"}"#,
        ] {
            let count = Arc::clone(&asked);
            let hook = move |_: &ProposedCall<'_>| {
                count.fetch_add(1, Ordering::SeqCst);
                Verdict::RunWith(upload())
            };
            let builder = Toolbox::builder().no_throttle().repair(policy).tool(StoreTool).before_call(hook);
            let outcome = call(&built(builder), "store", arguments);
            assert!(!outcome.is_ok(), "{arguments}: {}", outcome.to_text());
            assert!(["validation_error", "invalid_json"].contains(&outcome.failure().map_or("", Failure::error_type)));
        }
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    let refused = refusal(&call(&storing(upload()), "store", r#"{"folder": "a", "owner": "Eve"}"#));
    assert_eq!(refused["errors"][0]["error_code"], "UNKNOWN_FIELD");
    assert_eq!(refused["errors"][0]["error_message"], "owner is not a known field (known: folder, overwrite)");
}

#[test]
fn hooks_see_the_arguments_of_the_model_and_values_from_earlier_hooks() {
    let names = |call: &ProposedCall<'_>| -> Vec<String> {
        call.missing().iter().map(|parameter| parameter.name.to_string()).collect()
    };
    let first = move |call: &ProposedCall<'_>| {
        assert_eq!((names(call), call.supplied().is_empty()), (vec!["upload".to_owned()], true));
        let host = call.spec().host.as_ref().expect("it has host parameters");
        assert_eq!(
            host.fields().iter().map(|field| field.name.to_string()).collect::<Vec<_>>(),
            ["upload", "owner", "note"]
        );
        Verdict::RunWith(upload().with("owner", "Ann"))
    };
    let second = move |call: &ProposedCall<'_>| {
        assert!(names(call).is_empty());
        assert_eq!((call.supplied().get("owner"), call.argument("owner")), (Some(&json!("Ann")), None));
        assert_eq!(call.to_text(), STORE);
        Verdict::RunWith(HostArguments::new().with("owner", "Bob"))
    };
    let builder = Toolbox::builder().tool(StoreTool).before_call(first).before_call(second);
    assert_eq!(call(&built(builder), "store", STORE).to_text(), "a/cat.png 3 false Bob None");
    let denied = Toolbox::builder().tool(StoreTool).before_call(supplying(upload()));
    let denied = denied.before_call(|_: &ProposedCall<'_>| Verdict::deny("Not now."));
    assert_eq!(refusal(&call(&built(denied), "store", STORE))["error_type"], "denied");
}

/// Says something.
#[tool]
fn say(
    /// A name.
    text: String,
    #[tool(host, default_fn = nobody)] speaker: String,
    #[tool(host)] tone: Option<String>,
) -> String {
    format!("{speaker} {tone:?}: {text}")
}

fn nobody() -> String {
    "nobody".to_owned()
}

/// Says nothing.
#[tool]
fn hush() {}

#[test]
fn optional_host_parameters_need_no_hook() {
    let session = built(Toolbox::builder().tool(SayTool));
    assert_eq!(call(&session, "say", r#"{"text": "hi"}"#).to_text(), "nobody None: hi");
    let outcome = call(&session, "say", "{'text': 'hi',}");
    assert_eq!(outcome.to_text(), "nobody None: hi", "arguments are repaired as always");
    assert_eq!(refusal(&call(&session, "say", "{}"))["errors"][0]["error_code"], "REQUIRED_FIELD");
    let session = built(Toolbox::builder().tool(HushTool).before_call(supplying(upload())));
    assert!(call(&session, "hush", "{}").is_ok(), "a tool without host parameters ignores the values");
}

#[test]
fn a_deferred_call_runs_with_the_values_of_a_person() {
    let hook = |call: &ProposedCall<'_>| {
        if call.missing().is_empty() { Verdict::Run } else { Verdict::Defer }
    };
    let first = supplying(HostArguments::new().with("owner", "Ann"));
    let session = built(Toolbox::builder().tool(StoreTool).before_call(first).before_call(hook));
    assert!(call(&session, "store", STORE).is_deferred());
    let waiting = session.deferred();
    assert_eq!((waiting[0].missing()[0].name.as_str(), &*waiting[0].to_text()), ("upload", STORE));

    let error = pollster::block_on(session.resume("call_1")).expect_err("the file is missing");
    assert_eq!(error.to_string(), "`store` cannot run the call `call_1`: upload is required");
    let wrong = HostArguments::new().with("upload", json!({"title": "cat.png", "size": 101}));
    let error = pollster::block_on(session.resume_with("call_1", wrong)).expect_err("the file is too large");
    let CompletionError::HostArguments { issues, .. } = error else { panic!("{error}") };
    assert_eq!(
        (issues[0].0.to_string().as_str(), issues[0].1.as_str()),
        ("upload.size", "upload.size must be at most 100")
    );

    let outcome = pollster::block_on(session.resume_with("call_1", upload())).expect("it still waits");
    assert_eq!(outcome.to_text(), "a/cat.png 3 false Ann None");
    assert!(pollster::block_on(session.resume_with("call_1", upload())).is_err(), "once");
    assert!(call(&session, "store", STORE).is_deferred());
    assert_eq!(session.complete("call_1", "done by hand").expect("it waits").to_text(), "done by hand");
}

/// Fails with its own words.
#[tool]
fn fail(
    /// Anything.
    text: String,
    #[tool(host)] path: String,
    #[tool(host, sensitive)] token: Option<String>,
) -> Result<String, ToolError> {
    Err(ToolError::new(format!("{path} {text} {token:?} cannot be used.")))
}

#[test]
fn a_sensitive_host_value_hides_the_messages_of_the_tool() {
    let supplied = HostArguments::new().with("path", "p").with("token", "s3cr3t");
    let session = built(Toolbox::builder().tool(FailTool).before_call(supplying(supplied.clone())));
    let outcome = call(&session, "fail", r#"{"text": "x"}"#);
    assert!(!outcome.to_text().contains("s3cr3t"), "{}", outcome.to_text());
    assert!(!format!("{supplied:?} {:?}", Verdict::RunWith(supplied.clone())).contains("s3cr3t"));
}

/// A word that its own code refuses.
struct Word;

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == "bad" { Err(serde::de::Error::custom("bad word")) } else { Ok(Self) }
    }
}

impl schemars::JsonSchema for Word {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Word".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// Prints a word.
#[tool]
fn print(
    /// A word.
    #[tool(schemars)]
    word: Word,
    /// Copies.
    #[tool(default = 1)]
    copies: u8,
    #[tool(host, schemars)] stamp: Word,
) -> u8 {
    let (_, _) = (word, stamp);
    copies
}

#[test]
fn no_text_for_the_model_contains_a_host_value_or_its_name() {
    for form in [Form::Json, Form::MarkedUp, Form::Markdown] {
        for (stamp, arguments, error_type) in [
            ("unseen", r#"{"word": "bad"}"#, "validation_error"),
            ("unseen", r#"{"word": "good", "copies": 900}"#, "validation_error"),
            ("unseen", r#"{"wrd": "good", "copies": true}"#, "validation_error"),
            ("unseen", r#"{"word": 5"#, "invalid_json"),
            ("bad", r#"{"word": "good"}"#, "host_input"),
            ("bad", r#"{"word": "bad"}"#, "validation_error"),
        ] {
            let hook = supplying(HostArguments::new().with("stamp", stamp));
            let builder = Toolbox::builder().no_throttle().feedback(form).tool(PrintTool).before_call(hook);
            let session = built(builder);
            for _ in 0..2 {
                let outcome = call(&session, "print", arguments);
                assert_eq!(outcome.failure().map(Failure::error_type), Some(error_type), "{arguments}");
                let text = outcome.to_text();
                assert!(!text.contains("unseen") && !text.contains("stamp"), "{text}");
            }
        }
    }
}

#[test]
fn events_and_outcomes_show_the_arguments_of_the_model() {
    let seen = Arc::new(Received::default());
    let builder = Toolbox::builder().tool(StoreTool).before_call(supplying(upload())).observer(Arc::clone(&seen));
    assert!(call(&built(builder), "store", STORE).is_ok());
    assert_eq!(*seen.0.lock().expect("nobody panics under the lock"), [STORE]);
}

#[derive(Default)]
struct Received(Mutex<Vec<String>>);

impl Observer for Received {
    fn event(&self, event: &ToolEvent<'_>) {
        if let Decision::Received { arguments, .. } = event.decision {
            self.0.lock().expect("nobody panics under the lock").push(arguments.to_text().into_owned());
        }
    }
}

#[test]
fn batches_and_hidden_members_get_their_host_values() {
    let disk = Container::new("Disk", "All about a disk.").tool(StoreTool);
    let builder = Toolbox::builder().container(disk).expansion_policy(ExpansionPolicy::ExpandAndRun);
    let session = built(builder.fixed_definitions().before_call(supplying(upload())));
    let expansion = call(&session, "Disk", "").to_text().into_owned();
    assert!(expansion.contains("folder") && !expansion.contains("upload"), "{expansion}");
    let inner = r#"{"tool": "store", "arguments": {"folder": "b"}}"#;
    assert_eq!(call(&session, "call_tool", inner).to_text(), "b/cat.png 3 false nobody None");
    let inner = r#"{"tool": "store", "arguments": {"folder": "b", "owner": "Eve"}}"#;
    assert_eq!(refusal(&call(&session, "call_tool", inner))["errors"][0]["error_code"], "UNKNOWN_FIELD");

    let calls = [
        ("1", "store", STORE),
        ("2", "store", r#"{"folder": "b", "note": "x"}"#),
        ("3", "store", r#"{"folder": "c"}"#),
    ];
    let batch = pollster::block_on(storing(upload()).call_batch(calls));
    let texts: Vec<_> = batch.outcomes().iter().map(|outcome| outcome.to_text().into_owned()).collect();
    assert_eq!(
        (texts[0].as_str(), texts[2].as_str()),
        ("a/cat.png 3 false nobody None", "c/cat.png 3 false nobody None")
    );
    assert!(texts[1].contains("UNKNOWN_FIELD"), "{}", texts[1]);
}

static ATTEMPTS: AtomicUsize = AtomicUsize::new(0);

/// Works the third time.
#[tool(idempotent, retry(attempts = 3))]
fn load(
    /// A name.
    name: String,
    #[tool(host)] token: String,
) -> Result<String, ToolError> {
    match ATTEMPTS.fetch_add(1, Ordering::SeqCst) {
        2 => Ok(format!("{name} {token}")),
        _ => Err(ToolError::unavailable("Busy.")),
    }
}

/// Runs on another thread.
#[tool(blocking)]
fn slow(
    /// A name.
    name: String,
    #[tool(host)] token: String,
) -> String {
    format!("{name} {token}")
}

/// Waits.
#[tool]
async fn wait(
    /// A name.
    name: String,
    #[tool(host)] token: String,
) -> String {
    format!("{name} {token}")
}

#[test]
fn host_values_reach_every_attempt_and_every_thread() {
    let clock = SimulatedClock::new();
    let token = || supplying(HostArguments::new().with("token", "t"));
    let builder = Toolbox::builder().tool(LoadTool).tool(WaitTool).clock(clock.clone()).before_call(token());
    let session = built(builder);
    let outcome = drive(&clock, session.call("call_1", "load", r#"{"name": "a"}"#));
    assert_eq!((outcome.to_text(), ATTEMPTS.load(Ordering::SeqCst)), ("a t".into(), 3));
    assert_eq!(call(&session, "wait", r#"{"name": "a"}"#).to_text(), "a t");
    let spawner = |work: Box<dyn FnOnce() + Send>| drop(std::thread::spawn(work));
    let session = built(Toolbox::builder().tool(SlowTool).spawner(spawner).before_call(token()));
    assert_eq!(call(&session, "slow", r#"{"name": "a"}"#).to_text(), "a t");
}

struct Office {
    city: &'static str,
}

struct Hours {
    is_open: bool,
}

const fn is_open(hours: &Hours) -> bool {
    hours.is_open
}

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
        #[tool(available_if = is_open)]
        safe: Option<bool>,
        #[tool(host)] clerk: String,
    ) -> String {
        format!("{} {name} {safe:?} {clerk}", self.city)
    }
}

#[test]
fn members_have_host_parameters_beside_conditional_ones() {
    for is_open in [false, true] {
        let builder =
            Toolbox::builder().container(Office { city: "Rome" }).expansion_policy(ExpansionPolicy::ExpandAndRun);
        let builder =
            builder.state(Hours { is_open }).before_call(supplying(HostArguments::new().with("clerk", "Ann")));
        let session = built(builder);
        assert_eq!(call(&session, "file", r#"{"name": "a"}"#).to_text(), "Rome a None Ann");
        assert_eq!(call(&session, "file", r#"{"name": "a", "safe": true}"#).is_ok(), is_open);
        assert_eq!(
            refusal(&call(&session, "file", r#"{"name": "a", "clerk": "Eve"}"#))["errors"][0]["error_code"],
            "UNKNOWN_FIELD"
        );
    }
}

/// The host's part of a tool that is written by hand.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Key {
    /// The key.
    key: String,
}

/// The model's part.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Door {
    /// The door.
    door: String,
}

struct Hand(ToolSpec);

impl Tool for Hand {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> Invocation<'a> {
        Invocation::Ready(Ok(Payload::Text(arguments.to_text().into_owned())))
    }
}

#[test]
fn a_handwritten_tool_gets_all_values_in_one_object() {
    let spec = ToolSpec::new("open", "Opens a door.", Ref::Static(Door::SHAPE)).host(Ref::Static(Key::SHAPE));
    let key = supplying(HostArguments::new().with("key", "k"));
    let session = built(Toolbox::builder().tool(Hand(spec)).before_call(key));
    assert_eq!(call(&session, "open", r#"{"door": "d"}"#).to_text(), r#"{"door":"d","key":"k"}"#);
    assert_eq!(
        refusal(&call(&session, "open", r#"{"door": "d", "key": "x"}"#))["errors"][0]["error_code"],
        "UNKNOWN_FIELD"
    );
}

#[test]
fn inputs_that_would_expose_host_parameters_are_build_errors() {
    let open = |host: Ref| ToolSpec::new("open", "Opens a door.", Ref::Static(Shape::ANY)).host(host);
    let mixed = ToolSpec::new("open", "Opens a door.", Ref::Static(Door::SHAPE)).host(Ref::Static(Door::SHAPE));
    for (spec, words) in [(open(Ref::Static(Key::SHAPE)), "objects"), (mixed, "the same key")] {
        let mut tool = sync("open", |_| Ok(Payload::Done));
        tool.spec = spec;
        let error = Toolbox::builder().tool(tool).build().expect_err("the model could send the values");
        let [problem @ Problem::HostParameters { .. }] = error.problems() else { panic!("{error}") };
        assert!(problem.to_string().contains(words), "{problem}");
    }
}

#[test]
fn a_unit_test_decodes_arguments_and_host_values() {
    let all = r#"{"folder": "a", "upload": {"title": "x", "size": 1}}"#;
    let args = StoreTool::decode(all).expect("the values are acceptable");
    assert!(
        matches!(StoreTool::run(args, &CallContext::test()), Ok(Payload::Text(text)) if text == "a/x 1 false nobody None")
    );
    assert!(StoreTool::decode(STORE).is_err());
    assert!(StoreTool.check(&STORE.into()).is_ok(), "a check is about the arguments of the model");
    assert!(StoreTool.check(&all.into()).is_err());
}

fn arguments() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["folder", "overwrite", "upload", "owner", "note", "Owner", "colour"]);
    let value = prop::sample::select(vec![
        json!("Eve"),
        json!(true),
        json!(null),
        json!({"title": "evil", "size": 1}),
        json!(3),
    ]);
    prop::collection::vec((name, value), 0..4).prop_map(|members| {
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    })
}

proptest! {
    #[test]
    fn no_arguments_of_the_model_reach_a_host_parameter(
        arguments in arguments(),
        policy in prop::sample::select(vec![RepairPolicy::Strict, RepairPolicy::Lossless, RepairPolicy::Assisted]),
        has_value in any::<bool>(),
        is_deferred in any::<bool>(),
    ) {
        let supplied = if has_value { upload().with("owner", "Ann") } else { HostArguments::new() };
        let of_hook = supplied.clone();
        let hook = move |_: &ProposedCall<'_>| {
            if is_deferred { Verdict::Defer } else { Verdict::RunWith(of_hook.clone()) }
        };
        let session = built(Toolbox::builder().no_throttle().repair(policy).tool(StoreTool).before_call(hook));
        let schema: Value = session.definitions(Format::Anthropic).to_value()[0]["input_schema"].clone();
        let mut outcome = call(&session, "store", &arguments.to_string());
        let is_accepted = jsonschema::is_valid(&schema, &arguments);
        let is_refused = !matches!(outcome.failure().map(Failure::error_type), None | Some("host_input" | "deferred"));
        prop_assert!(!is_accepted || !is_refused, "{}", outcome.to_text());
        prop_assert!(policy != RepairPolicy::Strict || is_accepted != is_refused, "{}", outcome.to_text());
        if outcome.is_deferred() {
            match pollster::block_on(session.resume_with("call_1", supplied)) {
                Ok(resumed) => outcome = resumed,
                Err(error) => {
                    prop_assert!(!has_value, "{error}");
                    return Ok(());
                }
            }
        }
        prop_assert!(has_value || !outcome.is_ok());
        if outcome.is_ok() {
            prop_assert!(outcome.to_text().contains("/cat.png 3 ") && outcome.to_text().ends_with(" Ann None"), "{}", outcome.to_text());
        }
    }
}

mod before_the_change {
    use tool_runtime::tool;

    /// Stores a file under the name of its owner.
    #[tool(name = "keep")]
    pub(super) fn keep(
        /// Name of the folder.
        folder: String,
        /// Name of the owner.
        owner: Option<String>,
    ) -> String {
        format!("{folder} {owner:?}")
    }
}

/// Stores a file under the name of its owner.
#[tool(name = "keep")]
fn keep(
    /// Name of the folder.
    folder: String,
    #[tool(host)] owner: Option<String>,
) -> String {
    format!("{folder} {owner:?}")
}

#[test]
fn a_deferred_call_of_a_changed_tool_is_checked_again() {
    let hook = |_: &ProposedCall<'_>| Verdict::Defer;
    let session = built(Toolbox::builder().tool(before_the_change::KeepTool).before_call(hook));
    for (arguments, is_ok) in [(r#"{"folder": "a", "owner": "Eve"}"#, false), (r#"{"folder": "a"}"#, true)] {
        assert!(call(&session, "keep", arguments).is_deferred());
        let toolbox = Toolbox::builder().tool(KeepTool).before_call(hook).build().expect("the registration is sound");
        assert!(session.replace_toolbox(&toolbox).is_ok());
        let outcome = pollster::block_on(session.resume("call_1")).expect("it waits");
        assert_eq!(outcome.is_ok(), is_ok, "{}", outcome.to_text());
        let toolbox = Toolbox::builder().tool(before_the_change::KeepTool).before_call(hook).build();
        assert!(session.replace_toolbox(&toolbox.expect("the registration is sound")).is_ok());
    }
}
