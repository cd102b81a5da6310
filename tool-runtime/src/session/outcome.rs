//! The answer to one call id: [`Outcome`].
//!
//! In: the result or failure of a call. Out: the text for the model, and the data for the host. Invariants: there is
//! exactly one outcome for each call; repairs and warnings are kept beside the result, never inside it.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::bounded;
use crate::context::CallId;
use crate::failure::Failure;
use crate::repair::{Repair, RepairRule, summary_lines};
use crate::shape::Text;
use crate::tool::Payload;
use crate::visible;

/// The answer to one call id.
///
/// An outcome can be serialized. After deserialization, it gives the model the same text, but its failure has no
/// [details](Failure::observer_details), and the issues of the failure have the constraint [`Stored`](crate::issue::Constraint::Stored). The
/// serialized form contains the arguments and the result, including values of sensitive fields.
///
/// ```
/// use serde_json::json;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: u8,
///     /// Second summand.
///     b: u8,
/// ) -> u8 {
///     a + b
/// }
///
/// let session = Toolbox::builder().tool(AddTool).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "Add", r#"{"a": 1, "b": 2}"#));
/// assert_eq!((outcome.call_id(), outcome.tool_name(), &*outcome.to_text()), ("call_1", "add", "3"));
/// assert_eq!(outcome.value(), Some(json!(3)));
/// assert_eq!(outcome.repairs()[0].to_string(), r#"Read tool "Add" as add."#);
///
/// let outcome = pollster::block_on(session.call("call_2", "add", r#"{"a": 1}"#));
/// assert_eq!(outcome.failure().map(|failure| failure.message()).as_deref(), Some("add was not run: b is required"));
/// assert!(outcome.to_text().starts_with("add was not run: b is required.\nSend this call"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
// The order of the fields is fixed, so that a text begins at a multiple of 16 bytes. A move copies 16 bytes at a time, and a processor
// cannot load 16 bytes quickly that were just stored by two such copies.
#[must_use = "the model waits for the answer to its call"]
#[repr(C)]
pub struct Outcome {
    /// Repairs and warnings, which most calls do not have.
    details: Option<Box<OutcomeDetails>>,
    /// Boxed, to keep an outcome with a result small.
    result: Result<Payload, Box<Failure>>,
    tool: Text,
    call_id: CallId,
}

/// The repairs, warnings and repaired arguments of a call.
#[derive(Default)]
pub(super) struct OutcomeDetails {
    pub(super) repairs: Vec<Repair>,
    pub(super) arguments: Option<Box<str>>,
    pub(super) warnings: Vec<Text>,
    /// A remark that the model reads after the result.
    pub(super) remark: Option<Text>,
    pub(super) is_expansion: bool,
    pub(super) loaded: Loaded,
}

/// The tools that the provider has to load with an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Loaded {
    pub(super) tools: Vec<Text>,
    /// Their definitions as a JSON array, if they are not in the list of tools.
    pub(super) definitions: Option<Box<str>>,
}

impl OutcomeDetails {
    /// Keeps the repairs of a call, and the arguments after the repairs; `None` if there are none.
    #[inline]
    pub(super) fn from_repairs(repairs: Vec<Repair>, arguments: Option<Box<str>>) -> Option<Box<Self>> {
        if repairs.is_empty() && arguments.is_none() {
            return None;
        }
        Some(Box::new(Self { repairs, arguments, ..Self::default() }))
    }
}

impl Outcome {
    #[inline]
    pub(super) fn new(
        call_id: CallId,
        tool: &Text,
        result: Result<Payload, Box<Failure>>,
        details: Option<Box<OutcomeDetails>>,
    ) -> Self {
        Self { call_id, tool: tool.clone(), result, details }
    }

    /// Returns the answer for this deferred call if the host stops waiting.
    pub(crate) fn cancelled(&self) -> Self {
        self.instead(Failure::cancelled(&self.tool))
    }

    /// Returns the answer for this deferred call if the host has answered it, but the answer is not known.
    pub(crate) fn lost(&self) -> Self {
        self.instead(Failure::internal(&self.tool, "the call was answered, but its outcome was not handed over"))
    }

    fn instead(&self, failure: Failure) -> Self {
        Self { call_id: self.call_id().into(), tool: self.tool.clone(), result: Err(Box::new(failure)), details: None }
    }

    /// Returns the answer of a call that is cancelled before a session has seen it.
    pub(crate) fn of_cancelled(call_id: &str, tool: &str) -> Self {
        let failure = Box::new(Failure::cancelled(tool));
        Self { call_id: call_id.into(), tool: tool.to_owned().into(), result: Err(failure), details: None }
    }

    /// Marks the answer as the list of the members of an expanded container.
    pub(super) fn mark_expansion(&mut self) {
        self.details.get_or_insert_default().is_expansion = true;
    }

    pub(super) fn mark_loaded(&mut self, loaded: Loaded) {
        self.details.get_or_insert_default().loaded = loaded;
    }

    /// Returns the names of the tools that the provider has to load with this answer; empty unless the definitions are
    /// [deferred](crate::container::DefinitionLoading::Native). For Anthropic, the content of the `tool_result` is then a `tool_reference` for each
    /// name, and the text of the answer follows behind all results. A conversation of `tool-chat` does this.
    pub fn loaded_tools(&self) -> &[Text] {
        self.details.as_deref().map_or(&[], |details| &details.loaded.tools)
    }

    /// Returns the definitions of the [loaded](Self::loaded_tools) tools as a JSON array; `None` if they are in the list of tools. For `OpenAI`'s
    /// Responses API, they are the `tools` of the `tool_search_output` that answers a search, or of an item `additional_tools` behind the answer
    /// to an expansion.
    pub fn loaded_definitions(&self) -> Option<&str> {
        self.details.as_deref()?.loaded.definitions.as_deref()
    }

    /// Returns `true` if the answer lists the members of an expanded container.
    pub(crate) fn is_expansion(&self) -> bool {
        self.details.as_deref().is_some_and(|details| details.is_expansion)
    }

    pub(super) fn warn(&mut self, warning: Text) {
        self.details.get_or_insert_default().warnings.push(warning);
    }

    /// Replaces the result.
    pub(super) fn replace(&mut self, payload: Payload) {
        self.result = Ok(payload);
    }

    /// Returns the id of the answered call.
    pub fn call_id(&self) -> &str {
        self.call_id.as_str()
    }

    /// Returns the advertised name of the tool or container, or the called name if no tool or container has it.
    pub fn tool_name(&self) -> &str {
        &self.tool
    }

    /// Returns the result, or the failure as an error for `?`.
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
    /// Fails with the failure of the call, which says what went wrong and what the model can do about it.
    pub fn result(self) -> Result<Payload, Failure> {
        self.result.map_err(|failure| *failure)
    }

    /// Returns the result or the failure by reference.
    ///
    /// # Errors
    ///
    /// Fails with the failure of the call, which says what went wrong and what the model can do about it.
    pub fn as_result(&self) -> Result<&Payload, &Failure> {
        self.result.as_ref().map_err(|failure| &**failure)
    }

    /// Returns the result of the tool; `None` if the call failed.
    pub fn payload(&self) -> Option<&Payload> {
        self.result.as_ref().ok()
    }

    /// Returns the failure; `None` if there is a result.
    pub fn failure(&self) -> Option<&Failure> {
        self.result.as_ref().err().map(|failure| &**failure)
    }

    /// Returns `true` if there is a result.
    pub const fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    /// Returns `true` if the call was deferred, so that it has not run and has no answer yet. The host answers it later with
    /// [`Session::complete`](crate::Session::complete) or [`Session::resume`](crate::Session::resume).
    ///
    /// Do not send such an outcome to the model, unless the protocol requires an immediate answer to each call: [`to_text`](Self::to_text)
    /// asks the model to continue without the result. [`result`](Self::result) returns a failure for which
    /// [`is_deferred`](Failure::is_deferred) is `true`, and [`value`](Self::value) returns `None`.
    pub fn is_deferred(&self) -> bool {
        self.result.as_ref().is_err_and(|failure| failure.is_deferred())
    }

    /// Returns the text for the model: a `String` unchanged, `()` as `done`, any other result as compact JSON, and a
    /// failure as its JSON form.
    pub fn to_text(&self) -> Cow<'_, str> {
        match (&self.result, self.remark()) {
            (Ok(payload), None) => Cow::Borrowed(payload.as_str()),
            (Ok(payload), Some(remark)) => Cow::Owned([payload.as_str(), remark].join("\n")),
            (Err(failure), _) => Cow::Owned(failure.to_text()),
        }
    }

    /// Returns the remark that follows the result in [`to_text`](Self::to_text): an argument was left out because its schema does not
    /// allow `null`, and the tool may change something. A model that wanted to clear a value learns that the value was kept.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Changes a task.
    /// #[tool]
    /// fn update(
    ///     /// Number of the task.
    ///     id: u32,
    ///     /// Day on which it is due.
    ///     due: Option<u8>,
    ///     /// Titles to add.
    ///     titles: Option<Vec<String>>,
    /// ) -> String {
    ///     "updated".into()
    /// }
    /// let session = Toolbox::builder().tool(UpdateTool).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "update", r#"{"id": "1", "titles": [], "due": null}"#));
    /// assert_eq!(outcome.to_text(), "updated");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn remark(&self) -> Option<&str> {
        self.details.as_deref()?.remark.as_deref().filter(|_| self.is_ok())
    }

    /// Adds the remark about arguments that were left out.
    pub(super) fn remark_on_left_out(&mut self) {
        if let Some(details) = &mut self.details {
            details.remark = remark(&details.repairs);
        }
    }

    /// Returns the same text as [`to_text`](Self::to_text), without copying a result.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "add", "{}"));
    /// assert_eq!(outcome.to_text().into_owned(), outcome.into_text());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[inline]
    pub fn into_text(self) -> String {
        if self.remark().is_some() {
            return self.to_text().into_owned();
        }
        match self.result {
            Ok(payload) => payload.into_text(),
            Err(failure) => failure.to_text(),
        }
    }

    /// Returns the text for the model, followed by one line for each repair and each warning. Equal repairs share a
    /// line with a count.
    ///
    /// [`to_text`](Self::to_text) omits these lines, because they make a result harder to parse.
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
        for note in summary_lines(self.repairs()).into_iter().chain(self.warnings().iter().map(ToString::to_string)) {
            let text = text.to_mut();
            text.push('\n');
            // A note is one line, even if it quotes line breaks.
            text.push_str(&visible::one_line(&note));
        }
        text
    }

    /// Returns the result as parsed JSON; `None` for a failure.
    pub fn value(&self) -> Option<Value> {
        self.result.as_ref().ok().map(Payload::to_value)
    }

    /// Returns the repairs that were applied, in order: to the tool name first, then to the arguments.
    pub fn repairs(&self) -> &[Repair] {
        self.details.as_deref().map_or(&[], |details| &details.repairs)
    }

    /// Returns the repaired arguments as JSON text, including secrets; `None` if nothing was repaired. If the call was rejected in spite of
    /// the repairs, the rejection describes these arguments.
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
    /// assert_eq!(outcome.repaired_arguments(), Some(r#"{"a":1.5,"b":2}"#));
    /// assert_eq!(outcome.repairs()[0].to_string(), r#"Read a "1.5" as 1.5."#);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn repaired_arguments(&self) -> Option<&str> {
        self.details.as_deref()?.arguments.as_deref()
    }

    /// Returns the warnings: those about a doubtful result, and those that the throttle issues before it pauses a tool or a call.
    pub fn warnings(&self) -> &[Text] {
        self.details.as_deref().map_or(&[], |details| &details.warnings)
    }
}

impl fmt::Debug for Outcome {
    /// Shows a failure as the model reads it. For arguments and results, only the length is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.as_result().map(|payload| format!("{} bytes", payload.as_str().len()));
        f.debug_struct("Outcome")
            .field("call_id", &self.call_id())
            .field("tool", &self.tool_name())
            .field("result", &result)
            .field("repairs", &self.repairs())
            .field("warnings", &self.warnings())
            .field("arguments_bytes", &self.repaired_arguments().map(str::len))
            .finish()
    }
}

/// The maximum number of fields that a remark names.
const NAMED: usize = 5;

/// Returns the remark about arguments that were left out.
fn remark(repairs: &[Repair]) -> Option<Text> {
    let left_out: Vec<_> = repairs.iter().filter(|repair| repair.rule == RepairRule::Absent).collect();
    let first = left_out.first()?;
    let names: Vec<_> =
        left_out.iter().take(NAMED).map(|repair| bounded::text(&repair.path.to_string(), NAME).into_owned()).collect();
    let more = left_out.len() - names.len();
    let mut text = names.join(", ");
    if more > 0 {
        text.extend([" and ", &more.to_string(), " more"]);
    }
    let value =
        if left_out.iter().all(|repair| repair.before == first.before) { &*first.before } else { "an empty value" };
    let (were, its) = if left_out.len() > 1 { ("were", "their schemas do") } else { ("was", "its schema does") };
    Some(format!("{text} {were} left out of the call, because {its} not allow {value}.").into())
}

/// The maximum number of bytes of a name in a remark.
const NAME: usize = 100;
