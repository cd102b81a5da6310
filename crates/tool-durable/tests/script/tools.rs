//! The tools of the conversation. Each run of a tool adds a line to a file, which is the world outside of the log.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::throttle::SessionLimits;
use tool_runtime::{CallContext, Container, ToolError, Toolbox, tool};

/// The file that represents the world.
pub(crate) struct World(pub(crate) PathBuf);

/// A run of a tool.
pub(crate) struct Ran {
    pub(crate) call_id: String,
    pub(crate) key: String,
    pub(crate) is_repeatable: bool,
}

impl Ran {
    pub(crate) fn parse(line: &str) -> Self {
        let parts: Vec<&str> = line.split(' ').collect();
        let [_, call_id, key, is_repeatable] = parts[..] else { panic!("a torn line: {line}") };
        Self { call_id: call_id.to_owned(), key: key.to_owned(), is_repeatable: is_repeatable == "true" }
    }
}

pub(crate) fn run(cx: &CallContext, tool: &str, is_repeatable: bool) {
    let world = cx.state::<World>().expect("the toolbox has a world");
    let line = format!("{tool} {} {} {is_repeatable}\n", cx.call_id(), cx.idempotency_key());
    let mut file = OpenOptions::new().append(true).create(true).open(&world.0).expect("the file can be written");
    file.write_all(line.as_bytes()).expect("the file can be written");
}

/// Looks a value up.
#[tool(read_only)]
fn look(
    #[tool(context)] cx: &CallContext,
    /// The value.
    value: u32,
) -> String {
    run(cx, "look", true);
    format!("found {value}")
}

/// Looks for news.
#[tool(read_only)]
fn poll(
    #[tool(context)] cx: &CallContext,
    /// The value.
    value: u32,
) -> String {
    run(cx, "poll", true);
    format!("no news of {value}")
}

/// Stores a value.
#[tool(idempotent)]
fn put(
    #[tool(context)] cx: &CallContext,
    /// The value.
    value: u32,
) -> String {
    run(cx, "put", true);
    format!("stored {value}")
}

/// Pays an amount.
#[tool]
fn pay(
    #[tool(context)] cx: &CallContext,
    /// The amount.
    value: u32,
) -> String {
    run(cx, "pay", false);
    format!("paid {value}")
}

/// Takes its time.
#[tool(blocking)]
fn slow(
    #[tool(context)] cx: &CallContext,
    /// The value.
    value: u32,
) -> String {
    run(cx, "slow", false);
    std::thread::sleep(Duration::from_millis(2));
    format!("slowly {value}")
}

/// Runs alone.
#[tool(sequential)]
fn alone(
    #[tool(context)] cx: &CallContext,
    /// The value.
    value: u32,
) -> String {
    run(cx, "alone", false);
    format!("alone {value}")
}

/// Fails for multiples of three.
#[tool]
fn flaky(
    #[tool(context)] cx: &CallContext,
    /// The value.
    value: u32,
) -> Result<String, ToolError> {
    run(cx, "flaky", false);
    if value.is_multiple_of(3) { Err(ToolError::new(format!("No luck with {value}."))) } else { Ok("luck".to_owned()) }
}

/// Deploys a version, which a human has to approve.
#[tool]
async fn deploy(
    #[tool(context)] cx: &CallContext,
    /// The version.
    value: u32,
) -> String {
    run(cx, "deploy", false);
    format!("deployed {value}")
}

/// Reports in parts.
#[tool(idempotent)]
async fn report(
    #[tool(context)] cx: &CallContext,
    /// The value.
    value: u32,
) -> String {
    run(cx, "report", true);
    for part in 1..=3_u32 {
        cx.progress(part.into(), 3.0, "");
    }
    format!("reported {value}")
}

/// Reads a file.
#[tool(read_only)]
fn read_file(
    #[tool(context)] cx: &CallContext,
    /// The number of the file.
    value: u32,
) -> String {
    run(cx, "read_file", true);
    format!("file {value}")
}

fn rules(call: &ProposedCall<'_>) -> Verdict {
    match (call.name(), call.argument("value").and_then(|value| value.as_u64())) {
        ("deploy", _) => Verdict::Defer,
        ("pay", Some(500..)) => Verdict::deny("That is too much."),
        _ => Verdict::Run,
    }
}

pub(crate) fn toolbox(world: PathBuf) -> Toolbox {
    let mut limits = SessionLimits::default();
    // Whether these rules reject a call depends on the speed of the machine.
    (limits.same_tool_rate, limits.overall_rate) = (None, None);
    Toolbox::builder()
        .throttle(limits)
        .tool(LookTool)
        .tool(PollTool)
        .tool(PutTool)
        .tool(PayTool)
        .tool(SlowTool)
        .tool(AloneTool)
        .tool(FlakyTool)
        .tool(DeployTool)
        .tool(ReportTool)
        .container(Container::new("Files", "Reading of files.").tool(ReadFileTool))
        .state(World(world))
        .blocking_spawner(|work| drop(std::thread::spawn(work)))
        .before_call(rules)
        .build()
        .expect("the registration is valid")
}
