//! A conversation that a test holds, with what it expects of it: [`Scenario`].
//!
//! In: how a conversation begins, what is asked, answered and waited for, expectations. Out: its transcript, or everything that was otherwise. What always holds: what makes
//! no sense is told before a model is asked; each run begins a conversation of its own; a turn that does not end as expected ends the run.

mod ending;
mod error;
mod host;
mod lines;
mod prepared;
mod reliability;
mod runs;
mod several;
mod step;
mod wilson;

use std::fs;
use std::path::Path;

pub use error::{Failed, ScenarioError};
pub use host::Reply;
pub use reliability::Reliability;
pub use runs::Runs;
pub use wilson::Interval;

use self::ending::Ending;
use self::host::Host;
use self::prepared::{Prepared, beside};
use self::step::Step;
use super::misuse::Misused;
use super::{Expectation, Expectations, Misuse};
use tool_chat::conversation::Conversation;
use tool_chat::transcript::Transcript;

/// A conversation that a test holds, with what it expects of it.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_testkit::{Scenario, calls, text};
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
///         .expect(text().all(["Paris", "London"]))
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
    ending: Ending,
    misuses: Vec<Misuse>,
}

impl Scenario {
    /// Begins with a conversation over the session under test, with its model, options and limits; a new one for each run.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// let toolbox = Toolbox::builder().build()?;
    /// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hello.")));
    /// assert!(pollster::block_on(scenario.prompt("Hi.").expect(no_calls()).run()).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn new(begin: impl Fn() -> Conversation + Send + Sync + 'static) -> Self {
        Self {
            begin: Box::new(begin),
            instructions: None,
            steps: Vec::new(),
            host: None,
            expectations: Expectations::new(),
            ending: Ending::Answered,
            misuses: Vec::new(),
        }
    }

    /// What the system message says, instead of what the conversation would.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::{Message, ScriptedModel}};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// let (toolbox, model) = (Toolbox::builder().build()?, ScriptedModel::new().text("Hi."));
    /// let asked = model.clone();
    /// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone())).instructions("Be brief.");
    /// assert!(pollster::block_on(scenario.prompt("Hello!").expect(no_calls()).run()).is_ok());
    /// assert_eq!(asked.requests()[0].messages[0], Message::System("Be brief.".to_owned()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// The same from a file.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let scenario = Scenario::new(begin).instructions_from("no/such/file.md").prompt("Hi.").expect(no_calls());
    /// assert!(scenario.check().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn instructions_from(mut self, file: impl AsRef<Path>) -> Self {
        self.instructions = self.read(file.as_ref());
        self
    }

    /// What the user says; several are asked one after another in one conversation.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, text};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi.").text("Bye."));
    /// let scenario = Scenario::new(begin).prompt("Hello!").prompt("Good bye.").expect(text().equals("Bye."));
    /// assert!(pollster::block_on(scenario.run()).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn prompt(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        if text.trim().is_empty() {
            self.misuses.push(Misuse::Empty("a prompt"));
        }
        self.steps.push(Step::Prompt(text));
        self
    }

    /// The same from a file.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// assert!(Scenario::new(begin).prompt_from("no/such/file.md").expect(no_calls()).check().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn prompt_from(mut self, file: impl AsRef<Path>) -> Self {
        match self.read(file.as_ref()) {
            Some(text) => self.prompt(text),
            None => self,
        }
    }

    /// Expects one thing more.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// assert!(Scenario::new(begin).prompt("Hi.").expect(calls("greet")).check().is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn expect(mut self, expected: impl Into<Expectation>) -> Self {
        self.expectations = self.expectations.expect(expected);
        self
    }

    /// Looks whether it all makes sense, without asking a model.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Misuse, Scenario, calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new());
    /// let misused = Scenario::new(begin).expect(calls("greet")).check();
    /// assert!(misused.is_err_and(|misused| misused.misuses() == [Misuse::NoPrompt]));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every setting and every expectation that cannot mean anything.
    pub fn check(self) -> Result<(), Misused> {
        self.prepare().map(|_| ())
    }

    /// Holds the conversation and judges it; gives its transcript.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
    /// let transcript = pollster::block_on(Scenario::new(begin).prompt("Hello!").expect(no_calls()).run())?;
    /// assert_eq!(transcript.text(), "Hi.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What makes no sense, before any model is asked; or all that was not as expected, with the transcript.
    pub async fn run(self) -> Result<Transcript, ScenarioError> {
        let prepared = self.prepare()?;
        let (transcript, report) = prepared.run().await?;
        if report.is_ok() { Ok(transcript) } else { Err(Failed::new(report, transcript).into()) }
    }

    /// Holds the conversation and judges it.
    ///
    /// ```
    /// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
    /// # use tool_runtime::Toolbox;
    /// # use tool_testkit::{Scenario, no_calls};
    /// # let toolbox = Toolbox::builder().build()?;
    /// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().text("Hi."));
    /// pollster::block_on(Scenario::new(begin).prompt("Hello!").expect(no_calls()).assert());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Where [`run`](Self::run) gives an error, with its text: this is for tests.
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
        self.misuses.push(Misuse::File { file: file.display().to_string(), problem });
        None
    }

    fn prepare(self) -> Result<Prepared, Misused> {
        let Self { begin, instructions, steps, host, expectations, ending, mut misuses } = self;
        // What was wrong with a line may be why another is missing.
        if misuses.is_empty() {
            misuses.extend(step::misuses(&steps));
        }
        if let (Some(_), Ending::Deferred(tool)) = (&host, &ending) {
            misuses.push(Misuse::HostAnswers(tool.clone()));
        }
        let expected = expectations.build_beside(beside(&steps, &ending));
        misuses.extend(expected.as_ref().err().into_iter().flat_map(|misused| misused.misuses().iter().cloned()));
        Misused::unless_none(misuses)?;
        Ok(Prepared { begin, instructions, steps, host, expected: expected?, ending })
    }
}
