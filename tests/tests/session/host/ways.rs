//! Every kind of tool and call gets the values of the host.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::hook::HostArguments;
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::tool_schema::shape::{Ref, Shape};
use tool_runtime::toolbox::RegistrationError;
use tool_runtime::{Arguments, CallContext, Container, ToolError, ToolInput, Toolbox, plugin_container, tool};

use super::super::tools::{call, drive, rejection, sync};
use super::{STORE, StoreTool, built, storing, supplying, upload};

#[test]
fn batches_and_hidden_members_get_their_host_values() {
    let disk = Container::new("Disk", "All about a disk.").tool(StoreTool);
    let expansion =
        ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun).fixed_definitions();
    let session = built(Toolbox::builder().container(disk).expansion(expansion).before_call(supplying(upload())));
    let expansion = call(&session, "Disk", "").to_text().into_owned();
    assert!(expansion.contains("folder") && !expansion.contains("upload"), "{expansion}");
    let inner = r#"{"tool": "store", "arguments": {"folder": "b"}}"#;
    assert_eq!(call(&session, "call_tool", inner).to_text(), "b/cat.png 3 false nobody None");
    let inner = r#"{"tool": "store", "arguments": {"folder": "b", "owner": "Eve"}}"#;
    assert_eq!(rejection(&call(&session, "call_tool", inner))["errors"][0]["error_code"], "UNKNOWN_FIELD");

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
    assert!(texts[1].contains("note (\"x\") is not a known field"), "{}", texts[1]);
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
    let session = built(Toolbox::builder().tool(SlowTool).blocking_spawner(spawner).before_call(token()));
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
        let builder = Toolbox::builder()
            .container(Office { city: "Rome" })
            .expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun));
        let builder =
            builder.state(Hours { is_open }).before_call(supplying(HostArguments::new().with("clerk", "Ann")));
        let session = built(builder);
        assert_eq!(call(&session, "file", r#"{"name": "a"}"#).to_text(), "Rome a None Ann");
        assert_eq!(call(&session, "file", r#"{"name": "a", "safe": true}"#).is_ok(), is_open);
        assert_eq!(
            rejection(&call(&session, "file", r#"{"name": "a", "clerk": "Eve"}"#))["errors"][0]["error_code"],
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

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(Ok(Payload::Text(arguments.to_text().into_owned())))
    }
}

#[test]
fn a_handwritten_tool_gets_all_values_in_one_object() {
    let spec =
        ToolSpec::new("open", "Opens a door.", Ref::Static(Door::SHAPE)).host_parameters(Ref::Static(Key::SHAPE));
    let key = supplying(HostArguments::new().with("key", "k"));
    let session = built(Toolbox::builder().tool(Hand(spec)).before_call(key));
    assert_eq!(call(&session, "open", r#"{"door": "d"}"#).to_text(), r#"{"door":"d","key":"k"}"#);
    assert_eq!(
        rejection(&call(&session, "open", r#"{"door": "d", "key": "x"}"#))["errors"][0]["error_code"],
        "UNKNOWN_FIELD"
    );
}

#[test]
fn inputs_that_would_expose_host_parameters_are_build_errors() {
    let open = |host: Ref| ToolSpec::new("open", "Opens a door.", Ref::Static(Shape::ANY)).host_parameters(host);
    let mixed =
        ToolSpec::new("open", "Opens a door.", Ref::Static(Door::SHAPE)).host_parameters(Ref::Static(Door::SHAPE));
    for (spec, words) in [(open(Ref::Static(Key::SHAPE)), "objects"), (mixed, "the same key")] {
        let mut tool = sync("open", |_| Ok(Payload::Done));
        tool.spec = spec;
        let error = Toolbox::builder().tool(tool).build().expect_err("the model could send the values");
        let [problem @ RegistrationError::HostParameters { .. }] = error.errors() else { panic!("{error}") };
        assert!(problem.to_string().contains(words), "{problem}");
    }
}

#[test]
fn a_unit_test_decodes_arguments_and_host_values() {
    let all = r#"{"folder": "a", "upload": {"title": "x", "size": 1}}"#;
    let args = StoreTool::decode(all).expect("the values are acceptable");
    assert!(
        matches!(StoreTool::run(args, &CallContext::for_test()), Ok(Payload::Text(text)) if text == "a/x 1 false nobody None")
    );
    assert!(StoreTool::decode(STORE).is_err());
    assert!(StoreTool.check(&STORE.into()).is_ok(), "a check is about the arguments of the model");
    assert!(StoreTool.check(&all.into()).is_err());
}
