//! The child process that serves the handlers. It contains the tools, and a model that follows the plan of a test.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use restate_sdk::http_server::HttpServer;
use tool_chat::conversation::TurnLimits;
use tool_chat::model::{ChatModel, Message, Request, Response, ResponseFuture, ScriptedModel, ToolCall};
use tool_durable::restate::Conversations;
use tool_durable::{ConversationSetup, ListenerEvent};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::throttle::SessionLimits;
use tool_runtime::{CallContext, Container, ToolError, Toolbox, tool};

use super::clocks::{JumpTool, JumpingClock};
use super::outage::{self, Patient};
use crate::script::Script;
use crate::script::tools::{self, World, run};

/// A running worker. It is killed when this value is dropped.
pub(crate) struct Worker {
    child: Mutex<Child>,
    port: u16,
    world: PathBuf,
}

impl Worker {
    pub(crate) fn start(port: u16, world: &Path) -> Self {
        Self { child: Mutex::new(launch(port, world)), port, world: world.to_owned() }
    }

    /// Kills the worker and starts another one.
    pub(crate) fn restart(&self) {
        self.kill();
        *self.child() = launch(self.port, &self.world);
    }

    pub(crate) fn kill(&self) {
        let mut child = self.child();
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Waits until the worker ends by itself.
    pub(crate) fn wait(&self) {
        let _ = self.child().wait();
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

fn launch(port: u16, world: &Path) -> Child {
    let child = Command::new(std::env::current_exe().expect("the test is a file"))
        .args(["restate::worker::serves_conversations", "--exact", "--ignored", "--nocapture"])
        .env("TOOL_DURABLE_PORT", port.to_string())
        .env("TOOL_DURABLE_WORLD", world)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    child.expect("the test can start itself")
}

/// Pays.
#[tool]
fn pay(#[tool(context)] cx: &CallContext) -> &'static str {
    run(cx, "pay", false);
    "paid"
}

/// Looks.
#[tool(read_only)]
fn look(#[tool(context)] cx: &CallContext) -> &'static str {
    run(cx, "look", true);
    "seen"
}

/// Rejects.
#[tool]
fn reject(#[tool(context)] cx: &CallContext) -> Result<(), ToolError> {
    run(cx, "reject", false);
    Err(ToolError::new("No."))
}

/// Runs alone.
#[tool(sequential)]
async fn alone(#[tool(context)] cx: &CallContext) -> String {
    let before = count(cx, "");
    run(cx, "alone", false);
    tokio::time::sleep(Duration::from_millis(50)).await;
    format!("{} others", count(cx, "") - before - 1)
}

/// Stops the process when it runs for the first time.
#[tool]
fn die(#[tool(context)] cx: &CallContext) -> &'static str {
    run(cx, "die", false);
    std::process::abort()
}

/// Stops the process when it runs for the first time, and can be repeated.
#[tool(idempotent)]
fn die_once(#[tool(context)] cx: &CallContext) -> &'static str {
    run(cx, "die_once", true);
    if count(cx, &cx.idempotency_key()) > 1 { "alive" } else { std::process::abort() }
}

/// Never ends.
#[tool]
async fn hang(#[tool(context)] cx: &CallContext) -> &'static str {
    run(cx, "hang", false);
    std::future::pending().await
}

/// Fetches.
#[tool(read_only)]
fn fetch(#[tool(context)] cx: &CallContext) -> &'static str {
    run(cx, "fetch", true);
    "fetched"
}

/// Returns the number of recorded runs that contain a text.
fn count(cx: &CallContext, text: &str) -> usize {
    let world = cx.state::<World>().expect("the toolbox has a world");
    std::fs::read_to_string(&world.0).unwrap_or_default().lines().filter(|line| line.contains(text)).count()
}

pub(crate) fn planned(world: PathBuf, limits: &SessionLimits) -> Toolbox {
    let clock = JumpingClock::new(&world);
    let hook =
        |call: &ProposedCall<'_>| if call.call_id().starts_with("later") { Verdict::Defer } else { Verdict::Run };
    Toolbox::builder()
        .tool(PayTool)
        .tool(LookTool)
        .tool(RejectTool)
        .tool(AloneTool)
        .tool(DieTool)
        .tool(DieOnceTool)
        .tool(HangTool)
        .tool(JumpTool)
        .container(Container::new("Web", "Pages.").tool(FetchTool))
        .before_call(hook)
        .state(World(world))
        .clock(clock)
        .throttle(*limits)
        .build()
        .expect("the registration is valid")
}

/// A model that makes the calls in the prompt, and then answers `Done.` Each line of the prompt is a batch of calls in the form `id tool`.
pub(crate) struct Plan;

impl ChatModel for Plan {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let begins = request.messages.iter().rposition(|message| matches!(message, Message::User(_))).unwrap_or(0);
            let Some(Message::User(prompt)) = request.messages.get(begins) else { return Ok(Response::from_text("")) };
            let is_answer = |message: &&Message| matches!(message, Message::Assistant { .. });
            let step = request.messages[begins..].iter().filter(is_answer).count();
            let calls =
                prompt.lines().nth(step).unwrap_or_default().split(", ").filter_map(|call| call.split_once(' '));
            let calls: Vec<ToolCall> = calls.map(|(id, tool)| ToolCall::new(id, tool, "{}")).collect();
            let text = if calls.is_empty() { "Done." } else { "" };
            Ok(Response::from_text(text).with_calls(calls))
        })
    }
}

fn add_line(path: &Path, line: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).expect("the file can be written");
    file.write_all(format!("{line}\n").as_bytes()).expect("the file can be written");
}

#[test]
#[ignore = "a child process of other tests"]
fn serves_conversations() {
    let Ok(port) = std::env::var("TOOL_DURABLE_PORT") else { return };
    let port: u16 = port.parse().expect("a port");
    let world = PathBuf::from(std::env::var("TOOL_DURABLE_WORLD").expect("the parent sets it"));
    let workers = world.with_extension("workers");
    let (scripted, outage) = (tools::toolbox(world.clone()), outage::toolbox(&world));
    let (sharing, unknown) = (outage::sharing(&world), outage::unknown(&world));
    let (strict, planned) = (planned(world.clone(), &SessionLimits::default()), planned(world, &SessionLimits::NONE));
    let conversations = Conversations::new(move |id| {
        let mut limits = TurnLimits::default();
        if id.starts_with("script") {
            (limits.steps, limits.calls) = (None, None);
            return ConversationSetup::new(&scripted, Script).limits(limits);
        }
        if id.starts_with("health") {
            (limits.steps, limits.calls, limits.corrections) = (None, None, usize::MAX);
            return ConversationSetup::new(&outage, Patient).limits(limits);
        }
        if id.starts_with("typed") {
            // The first answer is rejected, and the second one is the value. The model has no memory, because another worker may continue.
            let model = ScriptedModel::from_fn(|request| {
                let is_told = request.messages.last().is_some_and(|last| last.text().contains("correct_answer"));
                Ok(Response::from_text(if is_told { r#"{"value": "7"}"# } else { r#"{"value": 300}"# }))
            });
            return ConversationSetup::new(&strict, model).limits(limits).answer_type::<u8>();
        }
        if id.starts_with("strict") {
            return ConversationSetup::new(&strict, Plan).limits(limits);
        }
        if id.starts_with("many") {
            add_line(&workers, &std::process::id().to_string());
        }
        if id.starts_with("unlimited") {
            limits.time = Some(Duration::MAX);
        }
        if id.starts_with("limited") {
            limits.time = Some(Duration::from_millis(700));
        }
        let unknown = unknown.clone();
        ConversationSetup::new(&planned, Plan).limits(limits).on_event(move |event| {
            if let ListenerEvent::HealthUnknown { call_id, .. } = event {
                add_line(&unknown, call_id);
            }
        })
    });
    let conversations = conversations.share_health(sharing);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads can be started");
    runtime.block_on(async {
        // Several workers can share the port.
        let socket = tokio::net::TcpSocket::new_v4().expect("there are sockets");
        #[cfg(unix)]
        socket.set_reuseport(true).expect("the system can share ports");
        socket.bind(([127, 0, 0, 1], port).into()).expect("the port is free");
        let listener = socket.listen(1_024).expect("the socket is bound");
        HttpServer::new(conversations.endpoint()).serve(listener).await;
    });
}
