//! A toolbox with every kind of tool whose answers depend on the session, and a cipher.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;
use tool_runtime::Dialect;
use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::container::{ExpansionScope, ExpansionSettings};
use tool_runtime::event::{Observer, ToolEvent};
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::session::{Cipher, CipherError, SessionSetup, SessionState};
use tool_runtime::throttle::{RateLimit, SessionLimits};
use tool_runtime::tool::{AnswerOrFuture, ExternalTool, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::{Guard, InMemoryResultStore, ToolboxBuilder};
use tool_runtime::{Arguments, CallContext, Container, Session, ToolError, ToolInput, Toolbox, tool};
use tool_schema::shape::{Ref, Shape};

/// Searches the notes.
#[tool(read_only)]
pub(crate) fn search(
    /// The words to search for.
    query: String,
    /// The number of results.
    #[tool(range(min = 1, max = 9))]
    limit: Option<u8>,
) -> Vec<String> {
    (0..limit.unwrap_or(1)).filter(|_| query != "nothing").map(|result| format!("{query} {result}")).collect()
}

/// Writes a note.
#[tool]
pub(crate) fn write(
    /// The text of the note.
    text: String,
    /// The labels of the note, by topic.
    labels: Option<std::collections::BTreeMap<String, String>>,
) -> Result<String, ToolError> {
    match text.as_str() {
        "fail" => Err(ToolError::new("The disk is full.")),
        "busy" => Err(ToolError::unavailable("The disk is asleep.").retry_after(Duration::from_secs(20))),
        text => Ok(format!("{text} {labels:?}")),
    }
}

/// Prints a long list.
#[tool(read_only)]
pub(crate) fn list(
    /// The number of lines.
    lines: u16,
) -> String {
    (0..lines).fold(String::new(), |text, line| text + &format!("line {line}\n"))
}

/// Opens the door.
#[tool]
pub(crate) fn login(
    /// The name of the user.
    user: String,
    /// The PIN.
    #[tool(sensitive, length(min = 4))]
    pin: String,
) -> Result<String, ToolError> {
    if pin.ends_with('0') { Err(ToolError::new(format!("{pin} is wrong."))) } else { Ok(format!("{user} is in")) }
}

/// Deletes everything.
#[tool(destructive)]
pub(crate) fn purge(
    /// The folder.
    folder: String,
    /// The approval of a person.
    #[tool(host)]
    approval: u8,
) -> String {
    format!("{folder} purged with {approval}")
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
pub(crate) struct Question {
    /// The question.
    #[tool(length(min = 3))]
    question: String,
    /// A code that only the user knows.
    #[tool(sensitive)]
    code: Option<String>,
}

pub(crate) fn ask_user() -> ExternalTool {
    ExternalTool::typed::<Question>("ask_user", "Asks the user.")
}

/// A tool that answers with its arguments.
pub(crate) struct Echo(pub(crate) ToolSpec);

impl Echo {
    pub(crate) fn new(name: &'static str) -> Self {
        Self(ToolSpec::new(name, "Answers with its arguments.", Ref::Static(Shape::ANY)))
    }
}

impl Tool for Echo {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        let text = format!("{} {}", cx.idempotency_key(), arguments.to_text());
        AnswerOrFuture::Ready(Ok(Payload::Text(text)))
    }
}

/// Records each event with its time.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("the lock is not poisoned"))
    }
}

impl Observer for Log {
    fn event(&self, event: &ToolEvent<'_>) {
        let line = format!("{:?} {} {:?}", event.at, event.call_id, event.kind);
        self.0.lock().expect("the lock is not poisoned").push(line);
    }
}

/// The parts of a program that outlive a session, and those that a restart replaces.
pub(crate) struct World {
    pub(crate) clock: SimulatedClock,
    pub(crate) log: Log,
    store: Arc<InMemoryResultStore>,
    pub(crate) toolbox: Toolbox,
}

impl World {
    pub(crate) fn new(dialect: Option<Dialect>) -> Self {
        Self::with(dialect, SimulatedClock::new(), Log::default(), Arc::new(InMemoryResultStore::new()))
    }

    fn with(dialect: Option<Dialect>, clock: SimulatedClock, log: Log, store: Arc<InMemoryResultStore>) -> Self {
        let builder = builder(&clock, &log, &store);
        let builder = if let Some(dialect) = dialect { builder.for_provider(dialect) } else { builder };
        Self { clock, log, store, toolbox: builder.build().expect("the toolbox is valid") }
    }

    /// Returns the same program in a new process: its clock begins at zero, and the time of day goes on.
    pub(crate) fn restarted(&self, dialect: Option<Dialect>) -> Self {
        let clock = SimulatedClock::new();
        clock.set_unix_time(self.clock.unix_time());
        Self::with(dialect, clock, self.log.clone(), Arc::clone(&self.store))
    }
}

fn builder(clock: &SimulatedClock, log: &Log, store: &Arc<InMemoryResultStore>) -> ToolboxBuilder {
    let mut limits = SessionLimits::default();
    limits.run_budget = Some(12);
    limits.overall_rate = Some(RateLimit { calls: 6, window: Duration::from_secs(5) });
    let ask = |call: &ProposedCall<'_>| match call.name() {
        "purge" if call.argument("folder").is_some_and(|folder| folder.as_str() == Some("tmp")) => {
            Verdict::RunWith(HostArguments::new().with("approval", 1))
        }
        "purge" => Verdict::Defer,
        "login" if call.argument("user").is_some_and(|user| user.as_str() == Some("guest")) => Verdict::Defer,
        _ => Verdict::Run,
    };
    let files = Container::new("Files", "All about files.").tool(ListTool).tool(Echo::new("echo"));
    let web = Container::new("Web", "All about the web.").tool(Echo::new("fetch"));
    Toolbox::builder()
        .tool(SearchTool)
        .tool(WriteTool)
        .tool(LoginTool)
        .tool(PurgeTool)
        .tool(ask_user())
        .container(files)
        .container(web)
        .expansion(ExpansionSettings::new().scope(ExpansionScope::AtMost(1)))
        .guard(Guard::new().cut_to(Some(1_024)).spill(Arc::clone(store)))
        .throttle(limits)
        .before_call(ask)
        .observer(log.clone())
        .clock(clock.clone())
}

/// A cipher for tests: it combines each byte with a constant, and appends a checksum.
pub(crate) struct Toy(pub(crate) u8);

impl Toy {
    fn sum(bytes: &[u8]) -> u8 {
        bytes.iter().fold(7, |sum: u8, byte| sum.wrapping_mul(31).wrapping_add(*byte))
    }
}

impl Cipher for Toy {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, CipherError> {
        Ok(plain.iter().chain(&[Self::sum(plain)]).map(|byte| byte ^ self.0).collect())
    }

    fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, CipherError> {
        let mut plain: Vec<u8> = sealed.iter().map(|byte| byte ^ self.0).collect();
        let sum = plain.pop();
        if sum == Some(Self::sum(&plain)) { Ok(plain) } else { Err("the checksum is wrong".into()) }
    }
}

/// The cipher of most tests.
pub(crate) const KEY: Toy = Toy(0x5a);

/// Returns the sealed part of a saved session.
pub(crate) fn unsealed(state: &Value, cipher: &Toy) -> Value {
    let sealed = state["session"]["sealed"].as_str().expect("there is a sealed part");
    let plain = cipher.open(&STANDARD.decode(sealed).expect("it is base64")).expect("it is authentic");
    serde_json::from_slice(&plain).expect("the sealed part is JSON")
}

/// Returns the sealed part for a saved session.
pub(crate) fn seal(part: &Value, cipher: &Toy) -> Value {
    STANDARD.encode(cipher.seal(part.to_string().as_bytes()).expect("the toy seals everything")).into()
}

/// Returns the text of a session, saved with a cipher.
pub(crate) fn saved(session: &Session) -> String {
    let state = session.snapshot_with(&KEY).expect("the session can be saved");
    serde_json::to_string(&state).expect("a state is JSON")
}

/// Restores a session from its text.
pub(crate) fn restored(toolbox: &Toolbox, text: &str) -> Session {
    let state: SessionState = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let setup = SessionSetup::new().restore_cipher(&KEY);
    toolbox.restore(state, setup).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
