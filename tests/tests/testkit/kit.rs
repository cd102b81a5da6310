//! Tools, and transcripts that are built without a conversation.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
pub(crate) use tests::fixtures::{Math, MathAddTool};
use tool_chat::model::Usage;
use tool_chat::transcript::{Call, Entry, Transcript};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Session, ToolError, ToolInput, Toolbox, tool};
use tool_testkit::{Expectation, ExpectationReport, Expectations, FailedExpectation, Scenario, ScenarioError};

/// A unit of temperature.
#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Celsius,
    Kelvin,
}

/// Current weather for a city.
#[tool]
pub(crate) fn get_weather(
    /// City and country.
    location: String,
    /// Unit of the temperatures.
    units: Option<Unit>,
    /// Days of forecast.
    days: Option<u8>,
) -> String {
    let unit = match units {
        Some(Unit::Kelvin) => "K",
        Some(Unit::Celsius) | None => "°C",
    };
    format!("{location}: 22 {unit}, {} days", days.unwrap_or(1))
}

/// The time.
#[tool]
pub(crate) fn get_time() -> String {
    "12:00".to_owned()
}

/// Searches everything.
#[tool]
pub(crate) fn search(
    /// The words to look for.
    query: String,
) -> Result<Vec<String>, ToolError> {
    match query.as_str() {
        "slow" => Err(ToolError::timeout("The index does not answer.")),
        _ => Ok(vec![query]),
    }
}

/// Deletes a file.
#[tool]
pub(crate) fn delete(
    /// Which.
    path: String,
) {
    drop(path);
}

/// Signs in.
#[tool]
pub(crate) fn sign_in(
    /// Who.
    user: String,
    /// The password.
    #[tool(sensitive)]
    password: String,
) -> bool {
    user != password
}

pub(crate) fn tools() -> ToolboxBuilder {
    let tools = Toolbox::builder().tool(GetWeatherTool).tool(GetTimeTool).tool(SearchTool).tool(DeleteTool);
    tools.container(Math)
}

pub(crate) fn session() -> Session {
    tools().build().expect("the tools have different names").session()
}

/// A transcript, built step by step, each step with parallel calls.
pub(crate) struct Held {
    pub(crate) session: Session,
    pub(crate) transcript: Transcript,
    step: usize,
}

impl Held {
    pub(crate) fn over(session: Session) -> Self {
        Self { session, transcript: Transcript::new(), step: 0 }
    }

    /// Adds one step.
    pub(crate) fn step(mut self, calls: &[(&str, &str)]) -> Self {
        for (name, arguments) in calls {
            let outcome = pollster::block_on(self.session.call("call", name, *arguments));
            let call = Call::new(0, self.step, *name, *arguments, Arc::new(outcome));
            self.transcript.push(Entry::Called(call));
        }
        self.step += 1;
        self
    }

    pub(crate) fn said(mut self, text: &str) -> Self {
        self.transcript.push(Entry::from_model_text(0, self.step, text));
        self
    }

    pub(crate) fn spent(mut self, tokens: u64, seconds: u64) -> Self {
        let usage = Usage::new(tokens - 1, 1);
        self.transcript.add_to_turn_totals(usage, Duration::from_secs(seconds));
        self
    }

    pub(crate) fn report(&self, expected: impl IntoIterator<Item = Expectation>) -> ExpectationReport {
        let all = expected.into_iter().fold(Expectations::new(), Expectations::expect);
        all.build().expect("the expectations make sense").check(&self.transcript, &self.session)
    }

    /// Returns the sentences of the failed expectations.
    pub(crate) fn sentences(&self, expected: impl Into<Expectation>) -> Vec<String> {
        self.report([expected.into()])
            .failed_expectations()
            .iter()
            .map(FailedExpectation::message)
            .map(str::to_owned)
            .collect()
    }

    #[track_caller]
    pub(crate) fn passes(&self, expected: impl Into<Expectation>) {
        assert_eq!(self.sentences(expected), Vec::<String>::new());
    }

    #[track_caller]
    pub(crate) fn fails(&self, expected: impl Into<Expectation>, sentence: &str) {
        assert_eq!(self.sentences(expected), [sentence]);
    }
}

/// Returns a transcript with one step per call, without throttling, because all calls are made at once.
pub(crate) fn held(calls: &[(&str, &str)]) -> Held {
    held_over(tools().no_throttle(), calls)
}

/// Returns the same with other settings.
pub(crate) fn held_over(tools: ToolboxBuilder, calls: &[(&str, &str)]) -> Held {
    let session = tools.build().expect("the tools have different names").session();
    calls.iter().fold(Held::over(session), |held, call| held.step(&[*call]))
}

pub(crate) const PARIS: (&str, &str) = ("get_weather", r#"{"location": "Paris", "units": "celsius"}"#);
pub(crate) const LONDON: (&str, &str) = ("get_weather", r#"{"location": "London", "units": "kelvin"}"#);
pub(crate) const TIME: (&str, &str) = ("get_time", "{}");
pub(crate) const SEARCH: (&str, &str) = ("search", r#"{"query": "rain"}"#);
pub(crate) const DELETE: (&str, &str) = ("delete", r#"{"path": "a.txt"}"#);

/// Polls a future, and calls `meanwhile` whenever the future is pending.
pub(crate) fn drive<T>(future: impl Future<Output = T>, mut meanwhile: impl FnMut()) -> T {
    let mut future = std::pin::pin!(future);
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(result) = future.as_mut().poll(&mut cx) {
            return result;
        }
        meanwhile();
    }
}

/// Returns the sentences of the failed expectations of a scenario.
pub(crate) fn sentences(scenario: Scenario) -> Vec<String> {
    match pollster::block_on(scenario.run()) {
        Err(ScenarioError::Failed(failed)) => failed
            .expectation_report()
            .failed_expectations()
            .iter()
            .map(|finding| finding.message().to_owned())
            .collect(),
        Err(other) => vec![other.to_string()],
        Ok(_) => Vec::new(),
    }
}
