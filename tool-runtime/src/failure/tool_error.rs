//! Errors that a tool returns on purpose: [`ToolError`].
//!
//! Invariant: the message is for the model, and the underlying error only for the observer.

use std::borrow::Cow;
use std::error::Error;
use std::time::Duration;

use super::error_mapping::{MappedError, Treatment};
use super::treatment_kind::TreatmentKind;
use crate::bounded;
use crate::issue::{Constraint, Issue, Issues, MAX_ISSUES, Path, expected_words, got_nothing, new_issue};
use crate::shape::{CustomRuleError, Text};

/// The maximum size, in bytes after JSON escaping, of an error text that was not written for the model.
const FOREIGN_ERROR: usize = 300;
/// The maximum size of a message, in bytes after JSON escaping.
const SENTENCE: usize = 600;
/// The maximum size, in bytes after JSON escaping, of a message that keeps its lines.
const VERBATIM: usize = 2_400;
/// The replacement for a message that the model must not read.
pub(crate) const HIDDEN: &str = "The tool failed; its details are not shown.";

/// An error that a tool returns on purpose, with a message for the model.
///
/// ```
/// use tool_runtime::failure::ToolError;
///
/// fn book(seats: u8) -> Result<String, ToolError> {
///     if seats > 6 {
///         return Err(ToolError::retry("Only 6 seats are left.").field("seats"));
///     }
///     let reservation = "4711".parse::<u32>().map_err(|error| ToolError::new("The till is confused.").caused_by(error))?;
///     Ok(format!("Reservation {reservation}"))
/// }
/// assert_eq!(book(7).unwrap_err().to_string(), "Only 6 seats are left.");
/// ```
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ToolError(Box<ErrorContent>);

/// The content of the error, boxed so that results stay small.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct ErrorContent {
    message: Cow<'static, str>,
    is_public: bool,
    is_verbatim: bool,
    treatment: TreatmentKind,
    field: Option<Path>,
    issues: Vec<Issue>,
    retry_after: Option<Duration>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// Creates a rejection: the same call will not work (`tool_error`, `replan`).
    ///
    /// If the call sent a value in a `#[tool(sensitive)]` field, the model reads a neutral message instead of this one; see
    /// [`public`](Self::public).
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self::from_intent(TreatmentKind::Replan, message.into())
    }

    /// Creates a rejection that the model can avoid with other arguments (`tool_error`, `correct_call`).
    pub fn retry(message: impl Into<Cow<'static, str>>) -> Self {
        Self::from_intent(TreatmentKind::CorrectCall, message.into())
    }

    /// Creates a rejection like [`new`](Self::new) whose message is always shown.
    ///
    /// The message is shown even with `errors = "hidden"`, and even if the call sent a value in a `#[tool(sensitive)]` field, which hides
    /// all other error messages. It must not contain the value of such a field.
    ///
    /// ```
    /// use tool_runtime::{ToolError, Toolbox, tool};
    ///
    /// /// Signs somebody in.
    /// #[tool]
    /// fn sign_in(
    ///     /// Name of the user.
    ///     user: String,
    ///     /// Password of the user.
    ///     #[tool(sensitive)]
    ///     password: String,
    /// ) -> Result<(), ToolError> {
    ///     match &*user {
    ///         "ada" => Err(ToolError::public("The account is locked.")),
    ///         _ => Err(ToolError::new(format!("{password} was rejected."))),
    ///     }
    /// }
    ///
    /// let session = Toolbox::builder().tool(SignInTool).build()?.session();
    /// let message = |user: &str| {
    ///     let arguments = format!(r#"{{"user": "{user}", "password": "hunter2"}}"#);
    ///     let outcome = pollster::block_on(session.call("call_1", "sign_in", arguments));
    ///     outcome.failure().map(|failure| failure.to_value()["error_message"].clone())
    /// };
    /// assert_eq!(message("ada"), Some("The account is locked.".into()));
    /// assert_eq!(message("eve"), Some("The tool failed; its details are not shown.".into()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn public(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(message).into_public()
    }

    /// Creates a rejection like [`new`](Self::new) whose message keeps its lines and is cut to 2,400 bytes. Use it for a text that another
    /// program wrote for a model, such as an error of an MCP server. If the error has a field or issues, the message is shortened to one
    /// line, like any other message.
    ///
    /// ```
    /// use tool_runtime::failure::{Failure, ToolError};
    ///
    /// let failure = Failure::tool_error("build", &ToolError::verbatim("error: expected `;`\n --> main.rs:3"));
    /// assert_eq!(failure.to_value()["error_message"], "error: expected `;`\n --> main.rs:3");
    /// ```
    pub fn verbatim(message: impl Into<Cow<'static, str>>) -> Self {
        let mut error = Self::new(message);
        error.0.is_verbatim = true;
        error
    }

    /// Makes the message of this error always visible, like [`public`](Self::public).
    #[must_use]
    pub fn into_public(mut self) -> Self {
        self.0.is_public = true;
        self
    }

    /// Creates an error for a resource that is not reachable (`unavailable`).
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::from_intent(TreatmentKind::Unavailable, message.into())
    }

    /// Creates an error for a service that asks for a pause (`rate_limited`).
    pub fn rate_limited(message: impl Into<Cow<'static, str>>) -> Self {
        Self::from_intent(TreatmentKind::RateLimited, message.into())
    }

    /// Creates an error for a timeout (`timeout`).
    pub fn timeout(message: impl Into<Cow<'static, str>>) -> Self {
        Self::from_intent(TreatmentKind::Timeout, message.into())
    }

    fn from_intent(treatment: TreatmentKind, message: Cow<'static, str>) -> Self {
        Self(Box::new(ErrorContent {
            message,
            is_public: false,
            is_verbatim: false,
            treatment,
            field: None,
            issues: Vec::new(),
            retry_after: None,
            source: None,
        }))
    }

    /// Sets the path of the argument that caused the error: `day`, `trip.legs[2].city`, `labels["x y"]`, or `$` for all arguments. The path
    /// is shown for errors created with [`new`](Self::new) and [`retry`](Self::retry).
    ///
    /// ```
    /// use tool_runtime::failure::{Failure, ToolError};
    ///
    /// let failure = Failure::tool_error("book", &ToolError::new("Unknown city.").field("trip.legs[2].city"));
    /// assert_eq!(failure.issues()[0].path.pointer(), "/trip/legs/2/city");
    /// ```
    #[must_use]
    pub fn field(mut self, path: &str) -> Self {
        self.0.field = Some(Path::from(path));
        self
    }

    /// Adds an issue, so that the model can correct several fields at once. The issues are shown with a hint, like the issues that the
    /// checker finds, for errors created with [`new`](Self::new) and [`retry`](Self::retry). At most 1,000 are kept.
    ///
    /// ```
    /// use tool_runtime::failure::{Failure, ToolError};
    /// use tool_runtime::Issue;
    ///
    /// let error = ToolError::retry("There is no such flight.")
    ///     .with_issue(Issue::custom("day", "must be in the future").with_expected("a day after today"))
    ///     .with_issue(Issue::missing("from").with_field_description("Airport of departure").with_example("CDG"));
    /// let hint = Failure::tool_error("book", &error).retry_hint().ok_or("it can be corrected")?;
    /// assert_eq!(hint.missing_fields().collect::<Vec<_>>(), ["from"]);
    /// assert_eq!(hint.constraints().next(), Some(("day", "a day after today")));
    /// assert_eq!(hint.clarifying_question(), Some("Which from (Airport of departure) should book use?"));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn with_issue(mut self, issue: Issue) -> Self {
        if self.0.issues.len() < MAX_ISSUES {
            self.0.issues.push(issue);
        }
        self
    }

    /// Sets the pause before the next call. It is shown for the temporary kinds: unavailable, rate limited, and timeout. A pause of more
    /// than 365 days is shown as 365 days.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::failure::{Failure, ToolError};
    ///
    /// let error = ToolError::unavailable("Down for a moment.").retry_after(Duration::from_millis(250));
    /// assert_eq!(Failure::tool_error("search", &error).to_value()["retry_after_ms"], 250);
    /// ```
    #[must_use]
    pub fn retry_after(mut self, pause: Duration) -> Self {
        self.0.retry_after = Some(pause);
        self
    }

    /// Adds the underlying error for the observer. It becomes the [`Error::source`] of this error.
    ///
    /// ```
    /// use tool_runtime::failure::{Failure, ToolError};
    ///
    /// let error = ToolError::new("The report is gone.").caused_by("disk 3 is on fire");
    /// let failure = Failure::tool_error("report", &error);
    /// assert_eq!(failure.observer_details(), Some("The report is gone.: disk 3 is on fire"));
    /// assert!(!failure.to_json().contains("disk"));
    /// ```
    #[must_use]
    pub fn caused_by(mut self, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.source = Some(error.into());
        self
    }

    /// Converts any error that a tool returned into a [`ToolError`].
    ///
    /// A [`ToolError`] is returned unchanged. For any other error, the message is its `Display` text in one line of at most 300 bytes, or a
    /// neutral message if `shown` is `false`. The original error is kept for the observer.
    ///
    /// ```
    /// use tool_runtime::failure::ToolError;
    ///
    /// let error = ToolError::from_error("connection\nrefused".into(), true);
    /// assert_eq!(error.to_string(), "connection refused");
    /// let error = ToolError::from_error("password=hunter2".into(), false);
    /// assert_eq!(error.to_string(), "The tool failed; its details are not shown.");
    /// ```
    pub fn from_error(error: Box<dyn Error + Send + Sync>, shown: bool) -> Self {
        match error.downcast::<Self>() {
            Ok(on_purpose) => *on_purpose,
            Err(error) => match error.downcast::<MappedError>() {
                Ok(mapped) => Self::from_mapped(*mapped, shown),
                Err(error) if shown => {
                    Self::new(bounded::sentence(&error.to_string(), FOREIGN_ERROR).into_owned()).caused_by(error)
                }
                Err(error) => Self::new(HIDDEN).caused_by(error),
            },
        }
    }

    /// Converts an error that has a treatment. The treatment determines the kind; the text is made as for any other error.
    fn from_mapped(mapped: MappedError, shown: bool) -> Self {
        let Treatment { kind, field, retry_after } = mapped.treatment;
        let mut error = Self::from_error(mapped.error, shown).with_treatment(kind);
        if let Some(field) = field {
            error = error.field(field);
        }
        match retry_after {
            Some(pause) => error.retry_after(pause),
            None => error,
        }
    }

    /// Replaces the message by a neutral one, unless it is public. The original error becomes the source, for the observer. Kind, field and
    /// pause are kept.
    pub(crate) fn without_message(self) -> Self {
        if self.0.is_public {
            return self;
        }
        let ErrorContent { treatment, ref field, ref issues, retry_after, .. } = *self.0;
        // Texts and examples from the tool may repeat a secret. The paths, and the fact that a field is missing, may be shown.
        let issues = issues.iter().map(|issue| match issue.constraint {
            Constraint::Required => Issue::missing(issue.path.clone()),
            _ => Issue::custom(issue.path.clone(), "was rejected"),
        });
        let content = ErrorContent {
            message: Cow::Borrowed(HIDDEN),
            is_public: false,
            is_verbatim: false,
            treatment,
            field: field.clone(),
            issues: issues.collect(),
            retry_after,
            source: None,
        };
        Self(Box::new(content)).caused_by(self)
    }

    /// Sets the treatment.
    fn with_treatment(mut self, treatment: TreatmentKind) -> Self {
        self.0.treatment = treatment;
        self
    }

    /// Returns the message for an answer, cut to its maximum size.
    pub(super) fn bounded_message(&self) -> Cow<'_, str> {
        let ErrorContent { message, is_verbatim, field, issues, .. } = &*self.0;
        if *is_verbatim && field.is_none() && issues.is_empty() {
            return bounded::exact_text(message, VERBATIM);
        }
        bounded::sentence(message, SENTENCE)
    }

    pub(super) fn treatment(&self) -> TreatmentKind {
        self.0.treatment
    }

    pub(crate) fn retry_after_duration(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Returns the pause of a temporary failure, which is zero if none was given, or `None` for any other failure.
    pub(crate) fn retry_pause(&self) -> Option<Duration> {
        self.0.treatment.passes().then(|| self.0.retry_after.unwrap_or_default())
    }

    /// Returns the pause of an error of any type, if it reports a temporary failure.
    pub(crate) fn retry_pause_of(error: &(dyn Error + 'static)) -> Option<Duration> {
        let on_purpose = error.downcast_ref().and_then(Self::retry_pause);
        on_purpose.or_else(|| error.downcast_ref().and_then(MappedError::retry_pause))
    }

    /// Returns the issue about the named field, if there is one, then the tool's own issues.
    pub(super) fn issues(&self) -> Issues {
        let issue = |path: &Path| {
            let rejected = Constraint::Custom(CustomRuleError::new(format!("was rejected: {}", self.0.message)));
            new_issue(path.clone(), rejected, expected_words(Text::from_static("another value")), got_nothing())
        };
        self.0.field.iter().map(issue).chain(self.0.issues.iter().cloned()).collect()
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::new(message.to_owned())
    }
}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::failure::Failure;

    #[test]
    fn a_tool_error_keeps_its_intent() {
        let error = ToolError::from_error(ToolError::retry("Again.").into(), false);
        assert_eq!((error.treatment(), &*error.0.message), (TreatmentKind::CorrectCall, "Again."));
    }

    #[test]
    fn the_underlying_error_is_the_source() {
        let error = ToolError::from_error("disk full".into(), false);
        assert_eq!(Error::source(&error).map(ToString::to_string).as_deref(), Some("disk full"));
    }

    proptest! {
        #[test]
        fn a_verbatim_message_is_shown_as_it_is_within_its_bounds(message in "(.|\n){0,400}|[\u{1}x\u{202e}é\n]{0,4000}") {
            let failure = Failure::tool_error("build", &ToolError::verbatim(message.clone()));
            prop_assert!(failure.to_json().len() <= 4_096);
            let value = failure.to_value();
            let shown = value["error_message"].as_str().unwrap_or_default();
            prop_assert!(shown == message || shown.strip_suffix('…').is_some_and(|begin| message.starts_with(begin)));
            // A character takes at most six bytes inside a JSON string.
            prop_assert!(shown == message || 6 * message.chars().count() > VERBATIM);
        }
    }
}
