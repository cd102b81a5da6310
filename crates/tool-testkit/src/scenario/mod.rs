//! A conversation of a test together with its expectations: [`Scenario`].
//!
//! Invariants: mistakes are reported before a model is called. Each run begins a new conversation. A turn that does not end as required
//! ends the run.

mod concurrent;
mod error;
mod expected_ending;
mod host_reply;
mod lines;
mod reliability;
mod runs;
mod step;
mod validated;
mod wilson;

use std::fs;
use std::path::Path;

pub use error::{Failed, ScenarioError};
pub use host_reply::HostReply;
pub use reliability::Reliability;
pub use runs::Runs;
pub use wilson::ConfidenceInterval;

use self::expected_ending::ExpectedEnding;
use self::host_reply::Host;
use self::step::{Ask, Step};
use self::validated::{Prepared, beside};
use super::expectation::ExpectationSet;
use super::setup_error::SetupErrors;
use super::{Expectation, Expectations, SetupError};
use tool_chat::conversation::Conversation;
use tool_chat::transcript::Transcript;
use tool_runtime::tool_schema::ToolInput;

/// A conversation of a test together with its expectations.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_testkit::{Scenario, calls, last_answer};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Current weather for a city.
/// #[tool]
/// fn get_weather(
///     /// City and country.
///     location: String,
/// ) -> String {
///     format!("{location}: sun")
/// }
///
/// let toolbox = Toolbox::builder().tool(GetWeatherTool).build()?;
/// let paris_and_london = [("get_weather", r#"{"location": "Paris"}"#), ("get_weather", r#"{"location": "London"}"#)];
/// let model = ScriptedModel::new().calls(paris_and_london).text("Sun in Paris and in London.");
///
/// let transcript = pollster::block_on(
///     Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
///         .prompt("What is the weather in Paris and London?")
///         .expect(calls("get_weather").times(2))
///         .expect(calls("get_weather").at("location", "Paris"))
///         .expect(last_answer().contains_all(["Paris", "London"]))
///         .run(),
/// )?;
/// assert_eq!(transcript.calls().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scenario {
    begin: Box<dyn Fn() -> Conversation + Send + Sync>,
    instructions: Option<String>,
    steps: Vec<Step>,
    host: Option<Host>,
    expectations: Expectations,
    ending: ExpectedEnding,
    errors: Vec<SetupError>,
}

impl Scenario {
    /// Creates a scenario. `begin` is called once for each run, and returns a new conversation with the session to test, the model, options
    /// and limits.
    pub fn new(begin: impl Fn() -> Conversation + Send + Sync + 'static) -> Self {
        Self {
            begin: Box::new(begin),
            instructions: None,
            steps: Vec::new(),
            host: None,
            expectations: Expectations::new(),
            ending: ExpectedEnding::Answered,
            errors: Vec::new(),
        }
    }

    /// Sets the system message. It replaces the one that `begin` set in the conversation.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Reads the system message from a file.
    #[must_use]
    pub fn instructions_from_file(mut self, file: impl AsRef<Path>) -> Self {
        self.instructions = self.read(file.as_ref());
        self
    }

    /// Adds a prompt of the user. Several prompts are sent one after another in the same conversation.
    #[must_use]
    pub fn prompt(self, text: impl Into<String>) -> Self {
        self.send(text.into(), step::ask, false)
    }

    /// Adds a prompt of the user that asks for a value of this type, as
    /// [`Conversation::answer`](tool_chat::conversation::Conversation::answer) does. [`typed_answer`](crate::typed_answer()) is the expectation about
    /// the value.
    #[must_use]
    pub fn typed_prompt<T: ToolInput>(self, text: impl Into<String>) -> Self {
        self.send(text.into(), step::ask_for::<T>, true)
    }

    fn send(mut self, text: String, send: Ask, is_typed: bool) -> Self {
        if text.trim().is_empty() {
            self.errors.push(SetupError::Empty("a prompt"));
        }
        self.steps.push(Step::Prompt { text, send, is_typed });
        self
    }

    /// Reads a prompt from a file.
    #[must_use]
    pub fn prompt_from_file(mut self, file: impl AsRef<Path>) -> Self {
        match self.read(file.as_ref()) {
            Some(text) => self.prompt(text),
            None => self,
        }
    }

    /// Adds an expectation.
    #[must_use]
    pub fn expect(mut self, expected: impl Into<Expectation>) -> Self {
        self.expectations = self.expectations.expect(expected);
        self
    }

    /// Checks the scenario for mistakes without calling a model.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{SetupError, Scenario, calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let misused = Scenario::new(begin).expect(calls("greet")).validate();
    /// assert!(misused.is_err_and(|misused| misused.errors() == [SetupError::NoPrompt]));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if there are mistakes in the settings or the expectations. The error lists every mistake.
    pub fn validate(self) -> Result<(), SetupErrors> {
        self.prepare().map(|_| ())
    }

    /// Runs the conversation, checks the expectations, and returns the transcript.
    ///
    /// # Errors
    ///
    /// Fails before any model is called if the scenario contains mistakes. Fails after the conversation, with the transcript, if
    /// expectations are not met.
    pub async fn run(self) -> Result<Transcript, ScenarioError> {
        let prepared = self.prepare()?;
        let (transcript, report) = prepared.run().await?;
        if report.is_ok() { Ok(transcript) } else { Err(Failed::new(report, transcript).into()) }
    }

    /// Runs the conversation and checks the expectations.
    ///
    /// # Panics
    ///
    /// Panics with the error of [`run`](Self::run), for use in tests.
    pub async fn assert(self) {
        if let Err(error) = self.run().await {
            panic!("{error}");
        }
    }

    fn read(&mut self, file: &Path) -> Option<String> {
        let problem = match fs::read_to_string(file) {
            Ok(text) => return Some(text),
            Err(error) => error.to_string(),
        };
        self.errors.push(SetupError::File { file: file.display().to_string(), reason: problem });
        None
    }

    fn prepare(self) -> Result<Prepared, SetupErrors> {
        let Self { begin, instructions, steps, host, expectations, ending, mut errors } = self;
        // Only reported if there are no other mistakes, because a step with a mistake may be the one that seems to be missing.
        if errors.is_empty() {
            errors.extend(step::errors(&steps));
        }
        if let (Some(_), ExpectedEnding::Deferred(tool)) = (&host, &ending) {
            errors.push(SetupError::HostAnswers(tool.clone()));
        }
        let expected = expectations.build_beside(beside(&steps, &ending));
        errors.extend(expected.as_ref().err().into_iter().flat_map(|misused| misused.errors().iter().cloned()));
        if expected.as_ref().is_ok_and(ExpectationSet::has_answers) && !step::ends_typed(&steps) {
            errors.push(SetupError::NoTypedPrompt);
        }
        SetupErrors::unless_none(errors)?;
        Ok(Prepared { begin, instructions, steps, host, expected: expected?, ending })
    }
}
