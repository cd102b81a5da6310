//! The answer to one call id: [`Outcome`].
//!
//! In: what the call came to. Out: the text for the model, the data for the host. What always holds: there is exactly one for each call,
//! and what was repaired or is doubtful travels beside the result, never inside it.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::context::CallId;
use crate::failure::Failure;
use crate::repair::{Repair, lines};
use crate::shape::Text;
use crate::tool::Payload;
use crate::visible;

/// The answer to one call id.
///
/// ```
/// let session = tool_runtime::Toolbox::builder().build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "add", "{}"));
/// assert_eq!((outcome.call_id(), outcome.is_ok()), ("call_1", false));
/// assert!(outcome.to_text().contains(r#""error_type":"unknown_tool""#));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[must_use = "the model waits for the answer to its call"]
pub struct Outcome {
    call_id: CallId,
    tool: Text,
    /// Boxed, so that a good outcome is not as large as a bad one.
    result: Result<Payload, Box<Failure>>,
    /// What most calls have nothing of.
    beside: Option<Box<Beside>>,
}

/// What travels beside the result.
#[derive(Default)]
pub(super) struct Beside {
    repairs: Vec<Repair>,
    arguments: Option<Box<str>>,
    warnings: Vec<Text>,
}

impl Beside {
    /// Keeps the repairs of a call, and the arguments after the repairs; `None` if there are none.
    #[inline]
    pub(super) fn of(repairs: Vec<Repair>, arguments: Option<Box<str>>) -> Option<Box<Self>> {
        if repairs.is_empty() && arguments.is_none() {
            return None;
        }
        Some(Box::new(Self { repairs, arguments, warnings: Vec::new() }))
    }
}

impl Outcome {
    #[inline]
    pub(super) fn new(
        call_id: CallId,
        tool: &Text,
        result: Result<Payload, Box<Failure>>,
        beside: Option<Box<Beside>>,
    ) -> Self {
        Self { call_id, tool: tool.clone(), result, beside }
    }

    /// The answer to the same call, if the host gives up waiting for it.
    pub(crate) fn cancelled(&self) -> Self {
        self.instead(Failure::cancelled(&self.tool))
    }

    /// The answer to the same call, if the host has answered it and has not told how.
    pub(crate) fn lost(&self) -> Self {
        self.instead(Failure::internal(&self.tool, "the call was answered, but its outcome was not handed over"))
    }

    fn instead(&self, failure: Failure) -> Self {
        Self { call_id: self.call_id().into(), tool: self.tool.clone(), result: Err(Box::new(failure)), beside: None }
    }

    pub(super) fn warn(&mut self, warning: Text) {
        self.beside.get_or_insert_default().warnings.push(warning);
    }

    /// Puts another result in the place of the one that is there.
    pub(super) fn replace(&mut self, payload: Payload) {
        self.result = Ok(payload);
    }

    /// The id of the call that this answers.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert_eq!(pollster::block_on(session.call("call_1", "add", "{}")).call_id(), "call_1");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn call_id(&self) -> &str {
        self.call_id.as_str()
    }

    /// The advertised name of the tool or container; the name as it was called where there is none.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert_eq!(pollster::block_on(session.call("call_1", "add", "{}")).tool(), "add");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns the result, or the failure as an error that `?` hands on.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool]
    /// fn add(
    ///     /// First summand.
    ///     a: f64,
    ///     /// Second summand.
    ///     b: f64,
    /// ) -> f64 {
    ///     a + b
    /// }
    ///
    /// fn sum(arguments: &str) -> Result<String, Box<dyn std::error::Error>> {
    ///     let session = Toolbox::builder().tool(AddTool).build()?.session();
    ///     let payload = pollster::block_on(session.call("call_1", "add", arguments)).result()?;
    ///     Ok(payload.as_str().to_owned())
    /// }
    /// assert_eq!(sum(r#"{"a": 1, "b": 2}"#)?, "3.0");
    /// assert_eq!(sum(r#"{"a": 1}"#).map_err(|error| error.to_string()), Err("add was not run: b is required".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The failure, which says what went wrong and what the model can do about it.
    pub fn result(self) -> Result<Payload, Failure> {
        self.result.map_err(|failure| *failure)
    }

    /// Returns the result or the failure by reference.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(pollster::block_on(session.call("call_1", "add", "{}")).as_result().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The failure, which says what went wrong and what the model can do about it.
    pub fn as_result(&self) -> Result<&Payload, &Failure> {
        self.result.as_ref().map_err(|failure| &**failure)
    }

    /// Returns the result of the tool; `None` if the call failed.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert_eq!(pollster::block_on(session.call("call_1", "add", "{}")).payload(), None);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn payload(&self) -> Option<&Payload> {
        self.result.as_ref().ok()
    }

    /// Returns the failure; `None` if there is a result.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "add", "{}"));
    /// assert_eq!(outcome.failure().map(|failure| failure.error_type()), Some("unknown_tool"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn failure(&self) -> Option<&Failure> {
        self.result.as_ref().err().map(|failure| &**failure)
    }

    /// Whether there is a result.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(!pollster::block_on(session.call("call_1", "add", "{}")).is_ok());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub const fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    /// Whether there is no answer yet: the call was not run, and the host gives its answer later, with
    /// [`Session::complete`](crate::Session::complete) or [`Session::resume`](crate::Session::resume).
    ///
    /// Such an outcome is nothing for the model. [`result`](Self::result) is a failure whose
    /// [`is_deferred`](Failure::is_deferred) is true, [`value`](Self::value) is `None`, and [`to_text`](Self::to_text) tells the model to go
    /// on without: for a protocol that wants an answer for each call at once.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(!pollster::block_on(session.call("call_1", "add", "{}")).is_deferred());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn is_deferred(&self) -> bool {
        self.result.as_ref().is_err_and(|failure| failure.is_deferred())
    }

    /// The text for the model: a `String` as it is, `()` as `done`, anything else as compact JSON, a failure as wire JSON.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "add", "{}"));
    /// assert!(outcome.to_text().starts_with(r#"{"error_type":"unknown_tool""#));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn to_text(&self) -> Cow<'_, str> {
        match &self.result {
            Ok(payload) => Cow::Borrowed(payload.as_str()),
            Err(failure) => Cow::Owned(failure.to_text()),
        }
    }

    /// The text for the model, and after it one line for each repair and each warning; equal repairs are one line with a count.
    ///
    /// A result is easier to read for a program without them, so [`to_text`](Self::to_text) has none.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, tool};
    /// /// Finds nothing.
    /// #[tool]
    /// fn find(
    ///     /// How many at most.
    ///     limit: u8,
    /// ) -> Vec<String> {
    ///     Vec::new()
    /// }
    /// let session = Toolbox::builder().tool(FindTool).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "find", r#"{"limit": "5"}"#));
    /// assert_eq!(outcome.to_text(), "[]");
    /// assert_eq!(
    ///     outcome.to_text_with_notes(),
    ///     "[]\nRead limit \"5\" as 5.\nTool succeeded but returned nothing.",
    /// );
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn to_text_with_notes(&self) -> Cow<'_, str> {
        let mut text = self.to_text();
        for note in lines(self.repairs()).into_iter().chain(self.warnings().iter().map(ToString::to_string)) {
            let text = text.to_mut();
            text.push('\n');
            // A note is one line, whatever it quotes.
            text.push_str(&visible::one_line(&note));
        }
        text
    }

    /// The result as parsed JSON; `None` for a failure.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// # let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// let value = pollster::block_on(session.call("call_1", "Files", "")).value();
    /// assert_eq!(value.map(|value| value["expanded"].clone()), Some("Files".into()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn value(&self) -> Option<Value> {
        self.result.as_ref().ok().map(Payload::to_value)
    }

    /// What was read otherwise than it was written: first the name, then the arguments, in the order in which they were.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// # let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "files", ""));
    /// assert_eq!(outcome.repairs()[0].to_string(), r#"Read tool "files" as Files."#);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn repairs(&self) -> &[Repair] {
        self.beside.as_deref().map_or(&[], |beside| &beside.repairs)
    }

    /// The arguments as the tool was given them, as JSON text, where that is not how they were written; secrets included. Where the call
    /// was refused all the same, the arguments that the refusal is about.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool]
    /// fn add(
    ///     /// First summand.
    ///     a: f64,
    ///     /// Second summand.
    ///     b: f64,
    /// ) -> f64 {
    ///     a + b
    /// }
    ///
    /// let session = Toolbox::builder().tool(AddTool).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "add", r#"{"a": "1.5", "b": 2}"#));
    /// assert_eq!(outcome.to_text(), "3.5");
    /// assert_eq!(outcome.arguments(), Some(r#"{"a":1.5,"b":2}"#));
    /// assert_eq!(outcome.repairs()[0].to_string(), r#"Read a "1.5" as 1.5."#);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn arguments(&self) -> Option<&str> {
        self.beside.as_deref()?.arguments.as_deref()
    }

    /// What is doubtful about a result that is there, and what the throttle says before it pauses a tool or a call.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(pollster::block_on(session.call("call_1", "add", "{}")).warnings().is_empty());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn warnings(&self) -> &[Text] {
        self.beside.as_deref().map_or(&[], |beside| &beside.warnings)
    }
}

impl fmt::Debug for Outcome {
    /// Shows a failure as the model reads it, and of arguments and results only how long they are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.as_result().map(|payload| format!("{} bytes", payload.as_str().len()));
        f.debug_struct("Outcome")
            .field("call_id", &self.call_id())
            .field("tool", &self.tool())
            .field("result", &result)
            .field("repairs", &self.repairs())
            .field("warnings", &self.warnings())
            .field("arguments_bytes", &self.arguments().map(str::len))
            .finish()
    }
}
