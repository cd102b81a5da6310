//! Throttling from the perspective of a model: sessions on a simulated clock, with tools that do what their arguments say.

mod attributes;
mod batch;
mod decided;
mod exits;
mod properties;
mod rejected;
mod rules;
mod spellings;
mod statistics;
mod stress;

use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::throttle::SessionLimits;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Container, Outcome, Session, ToolError, Toolbox, tool};

/// Succeeds or fails as requested.
fn act(say: Option<String>, fail: Option<String>, ask: Option<String>) -> Result<String, ToolError> {
    match (fail, ask) {
        (Some(error), _) => Err(ToolError::new(error)),
        (_, Some(field)) => Err(ToolError::retry("It does not fit.").field(&field)),
        (None, None) => Ok(say.unwrap_or_else(|| "done".to_owned())),
    }
}

macro_rules! tools {
    ($($(#[$attribute:meta])* $name:ident),*) => {$(
        /// Succeeds or fails as requested.
        $(#[$attribute])*
        #[tool(undocumented)]
        fn $name(
            say: Option<String>,
            fail: Option<String>,
            ask: Option<String>,
            #[tool(range(max = 9))] number: Option<u8>,
            #[tool(default = "")] panic: String,
        ) -> Result<String, ToolError> {
            assert!(panic.is_empty(), "{panic}");
            act(say, fail, ask).map(|said| number.map_or(said.clone(), |number| format!("{said} {number}")))
        }
    )*};
}

tools!(load, search, read_file, hidden);

/// Never answers.
#[tool]
async fn wait() -> String {
    std::future::pending().await
}

/// A session on a simulated clock that only the test advances.
struct Run {
    session: Session,
    clock: SimulatedClock,
}

impl Run {
    fn new() -> Self {
        Self::of(|builder| builder)
    }

    fn with(limits: &SessionLimits) -> Self {
        Self::of(|builder| builder.throttle(*limits))
    }

    fn of(change: impl FnOnce(ToolboxBuilder) -> ToolboxBuilder) -> Self {
        let clock = SimulatedClock::new();
        let builder = Toolbox::builder().tool(LoadTool).tool(SearchTool).tool(ReadFileTool).tool(WaitTool);
        let builder = builder.container(Container::new("Box", "What is hidden.").tool(HiddenTool));
        let toolbox = change(builder.clock(clock.clone())).build().expect("the toolbox is valid");
        Self { session: toolbox.session(), clock }
    }

    /// Makes a call, three seconds after the previous one.
    fn call(&self, tool: &str, arguments: &Value) -> Outcome {
        self.wait(3);
        self.call_at_once(tool, &arguments.to_string())
    }

    fn call_at_once(&self, tool: &str, arguments: &str) -> Outcome {
        pollster::block_on(self.session.call("call_1", tool, arguments))
    }

    fn wait(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// Makes a call and returns a summary of its outcome.
    fn said(&self, tool: &str, arguments: &Value) -> String {
        words(&self.call(tool, arguments))
    }
}

/// Returns `ok`, the error type, or the rule with its pause, followed by the warnings.
fn words(outcome: &Outcome) -> String {
    let mut words = match outcome.as_result() {
        Ok(_) => "ok".to_owned(),
        Err(failure) if failure.error_type() == "throttled" => {
            let text = json_of(outcome);
            format!("{} {}", text["rule"].as_str().unwrap_or_default(), text["retry_after_ms"])
        }
        Err(failure) => failure.error_type().to_owned(),
    };
    for warning in outcome.warnings() {
        words.push_str(" + ");
        words.push_str(warning);
    }
    words
}

fn json_of(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.to_text()).expect("a failure is JSON")
}

fn fail() -> Value {
    json!({"fail": "No."})
}
