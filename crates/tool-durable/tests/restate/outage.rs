//! A tool that breaks and recovers, the model that calls it, and the rules for its shared health.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tool_chat::model::{ChatModel, Message, Request, Response, ResponseFuture, ToolCall};
use tool_durable::restate::HealthSharing;
use tool_runtime::throttle::{Backoff, HealthRules, SessionLimits, StreakLimits};
use tool_runtime::{CallContext, ToolError, Toolbox, tool};

/// The lengths of the pauses. On a busy machine, the end of a probe waits for seconds behind the questions of other calls, and a probe whose
/// end arrives later than the length of the pause counts as lost.
pub(crate) const PAUSES: Backoff = Backoff { first: Duration::from_secs(5), factor: 2, cap: Duration::from_secs(10) };
/// The number of successful calls after which a conversation ends.
pub(crate) const SUCCESSES: usize = 2;

/// The files that represent the world outside of the cluster.
pub(crate) struct Outage(PathBuf);

impl Outage {
    pub(crate) fn new(world: &Path) -> Self {
        Self(world.to_owned())
    }

    /// The file that exists while the tool is broken.
    pub(crate) fn switch(&self) -> PathBuf {
        self.0.with_extension("broken")
    }

    /// The file with a line for each run of the tool: the time in milliseconds, and the result.
    pub(crate) fn runs(&self) -> PathBuf {
        self.0.with_extension("forecasts")
    }
}

/// Returns the weather.
#[tool]
fn forecast(#[tool(context)] cx: &CallContext) -> Result<&'static str, ToolError> {
    let outage = cx.state::<Outage>().expect("the toolbox has an outage");
    let is_broken = outage.switch().exists();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970").as_millis();
    let line = format!("{now} {}\n", if is_broken { "broken" } else { "fine" });
    let mut file = OpenOptions::new().append(true).create(true).open(outage.runs()).expect("the file can be written");
    file.write_all(line.as_bytes()).expect("the file can be written");
    if is_broken { Err(ToolError::unavailable("The weather service is not reachable.")) } else { Ok("fine") }
}

pub(crate) fn toolbox(world: &Path) -> Toolbox {
    let builder = Toolbox::builder().tool(ForecastTool).state(Outage::new(world)).throttle(SessionLimits::NONE);
    builder.build().expect("the registration is valid")
}

/// Returns the settings of the workers. Conversations whose id begins with `outside` share pauses of a minute with sessions outside of Restate.
/// For those whose id contains `stuck`, the decisions take as long as a file exists.
pub(crate) fn sharing(world: &Path) -> HealthSharing {
    let hangs = hangs(world);
    let rules = move |key: &str| {
        if key == "stuck" {
            tokio::task::block_in_place(|| {
                while hangs.exists() {
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
        }
        let mut rules = HealthRules::default();
        let pause = if key == "forecast" { PAUSES } else { Backoff { first: Duration::from_secs(60), ..PAUSES } };
        let streak = StreakLimits { pause, ..StreakLimits::DEFAULT };
        (rules.consecutive_failures, rules.same_error) = (Some(streak), Some(streak));
        rules.counts_tool_errors = true;
        rules
    };
    HealthSharing::new(HealthRules::default()).rules_fn(rules).key_fn(|id, tool| match tool {
        "forecast" => Some("forecast".to_owned()),
        _ if id.starts_with("outside") => Some(outside_key(tool)),
        _ if id.contains("stuck") => Some("stuck".to_owned()),
        _ => None,
    })
}

/// Returns the key that conversations on Restate and sessions outside of it share. It contains characters that have to be encoded in a path.
pub(crate) fn outside_key(tool: &str) -> String {
    format!("{tool}/outside ü")
}

/// Returns the file that exists while decisions about the key `stuck` hang.
pub(crate) fn hangs(world: &Path) -> PathBuf {
    world.with_extension("hangs")
}

/// Returns the file with the ids of the calls whose shared health did not answer.
pub(crate) fn unknown(world: &Path) -> PathBuf {
    world.with_extension("unknown")
}

/// A model that asks for the weather until it has read enough results. It waits when it is told to, but not longer than a second.
pub(crate) struct Patient;

impl ChatModel for Patient {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let texts = request.messages.iter().filter_map(|message| match message {
                Message::Tool { text, .. } => Some(text.as_str()),
                _ => None,
            });
            let texts: Vec<&str> = texts.collect();
            if texts.iter().filter(|text| **text == "fine").count() >= SUCCESSES {
                return Ok(Response::from_text("Done."));
            }
            let told = texts.last().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
            if let Some(told) = told {
                let wait = told["retry_after_ms"].as_u64().unwrap_or(100).min(1_000);
                tokio::time::sleep(Duration::from_millis(wait)).await;
            }
            Ok(Response::from_text("").with_calls(vec![ToolCall::new(
                format!("call_{}", texts.len()),
                "forecast",
                "{}",
            )]))
        })
    }
}
