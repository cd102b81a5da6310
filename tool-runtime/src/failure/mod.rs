//! Why a call has no result: [`Failure`], with its kind, what the model should do about it, and the facts that its answer shows.
//!
//! In comes what a room of the call found out (issues, a container, a tool's own error …), one constructor for each row of the table in
//! WIRE §1; out go kind, recovery, the issues and, from `feedback`, the text for the model. What always holds: kind and recovery are
//! read off the row, so that a senseless pair cannot be built; every name that came from a model is cut; details that are for the
//! observer only are never part of the text.

mod attempted;
mod construct;
mod escalation;
mod intent;
mod kind;
mod mapped;
mod names;
mod table;
mod tool_error;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub use escalation::Escalation;
pub(crate) use escalation::Wrong;
pub use kind::{FailureKind, Recovery, ThrottleRule};
pub(crate) use mapped::Mapped;
pub use mapped::{Pause, ToolFailure, Treatment};
pub(crate) use names::Names;
pub(crate) use tool_error::HIDDEN;
pub use tool_error::ToolError;

use crate::issue::{Issue, Issues};

/// Why a call has no result.
///
/// Kind and recovery belong together and cannot be chosen apart:
///
/// ```
/// use tool_runtime::failure::{Failure, FailureKind, Recovery};
///
/// let failure = Failure::unknown_tool("get_wether", ["get_weather"], ["get_time", "get_weather"]);
/// assert_eq!((failure.kind(), failure.recovery()), (FailureKind::InvalidCall, Recovery::Replan));
/// assert_eq!(failure.error_type(), "unknown_tool");
/// ```
///
/// ```compile_fail,E0615
/// use tool_runtime::failure::{Failure, Recovery};
///
/// let mut failure = Failure::cancelled("get_weather");
/// failure.recovery = Recovery::CorrectCall;
/// ```
#[derive(Clone)]
pub struct Failure {
    tool: String,
    row: Row,
    /// Boxed with what may be done with them, because most failures have none.
    details: Option<Box<Details>>,
    /// What a session adds to the text; boxed, because most failures have nothing of it.
    addition: Option<Box<Addition>>,
}

/// What only the observer may read.
#[derive(Clone)]
struct Details {
    /// Put into words where somebody asks.
    text: OnceLock<String>,
    /// The error of serde, if the words are made from it.
    source: Option<Arc<serde_json::Error>>,
    /// Whether a trace must not hold them.
    may_repeat_secret: bool,
}

impl Details {
    fn text(&self) -> &str {
        self.text.get_or_init(|| self.source.as_ref().map(ToString::to_string).unwrap_or_default())
    }
}

impl From<String> for Details {
    fn from(text: String) -> Self {
        Self { text: text.into(), source: None, may_repeat_secret: false }
    }
}

impl From<Arc<serde_json::Error>> for Details {
    fn from(source: Arc<serde_json::Error>) -> Self {
        Self { text: OnceLock::new(), source: Some(source), may_repeat_secret: false }
    }
}

/// What a session adds to the text of a failure.
#[derive(Clone, Debug, Default)]
struct Addition {
    escalation: Option<Escalation>,
    /// The text for the model where it is not wire JSON.
    told: Option<String>,
    /// The call had no arguments at all.
    is_bare: bool,
}

/// A row of the table in WIRE §1, with the facts that its answer shows.
#[derive(Clone, Debug)]
pub(crate) enum Row {
    ValidationError(Issues),
    InvalidJson(Issues),
    ContainerInvocation { attempted: String, functions: Names, did_you_mean: Box<Names> },
    ContainerNotExpanded { container: String },
    AmbiguousTool { candidates: Names },
    UnknownTool { did_you_mean: Names, available: Names },
    ToolRefused { message: String, issues: Issues },
    ToolAsksForCorrection { message: String, issues: Issues },
    Denied { message: String },
    HostInput,
    Deferred,
    Outage { outage: Outage, message: String, retry_after: Option<Duration> },
    Throttled { rule: ThrottleRule, message: String, retry_after: Option<Duration>, guidance: Option<Box<str>> },
    MalformedResponse { payload: String },
    Internal,
    Cancelled,
}

/// The longest pause that an answer names: its milliseconds fit every kind of number that a program may read them into.
const MOST_RETRY_AFTER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What passes without the model's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outage {
    Unavailable,
    RateLimited,
    Timeout,
}

impl Failure {
    /// The name that was called, cut to 64 characters.
    ///
    /// ```
    /// let failure = tool_runtime::Failure::cancelled("search");
    /// assert_eq!(failure.tool(), "search");
    /// ```
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The faults of the arguments, in declaration order; empty where the arguments are not to blame.
    ///
    /// ```
    /// let failure = tool_runtime::Failure::cancelled("search");
    /// assert_eq!(failure.issues().len(), 0);
    /// ```
    pub fn issues(&self) -> &[Issue] {
        match &self.row {
            Row::ValidationError(issues)
            | Row::InvalidJson(issues)
            | Row::ToolRefused { issues, .. }
            | Row::ToolAsksForCorrection { issues, .. } => issues,
            _ => &[],
        }
    }

    /// What only the observer may read: serde's own sentence, the chain of a tool's error, a panic's message.
    ///
    /// ```
    /// let failure = tool_runtime::Failure::internal("search", "out of bounds");
    /// assert_eq!(failure.details(), Some("out of bounds"));
    /// ```
    pub fn details(&self) -> Option<&str> {
        self.details.as_deref().map(Details::text)
    }

    /// Keeps the details from everybody but the observer.
    pub(crate) fn with_secret_details(mut self, are_secret: bool) -> Self {
        if let Some(details) = &mut self.details {
            details.may_repeat_secret |= are_secret;
        }
        self
    }

    /// The details as a trace may hold them.
    #[cfg(feature = "tracing")]
    pub(crate) fn traced_details(&self) -> Option<&str> {
        self.details.as_deref().filter(|details| !details.may_repeat_secret).map(Details::text)
    }

    /// The rule of the throttle that refused the call; `None` for every other failure.
    ///
    /// ```
    /// use tool_runtime::failure::{Failure, ThrottleRule};
    ///
    /// let failure = Failure::throttled("search", ThrottleRule::IdenticalCall, "The same call was made before.", None);
    /// assert_eq!(failure.throttle_rule(), Some(ThrottleRule::IdenticalCall));
    /// assert_eq!(Failure::cancelled("search").throttle_rule(), None);
    /// ```
    pub const fn throttle_rule(&self) -> Option<ThrottleRule> {
        match &self.row {
            Row::Throttled { rule, .. } => Some(*rule),
            _ => None,
        }
    }

    /// When it makes sense to call again, where that is known.
    ///
    /// ```
    /// let failure = tool_runtime::Failure::timeout("search", None);
    /// assert_eq!(failure.retry_after(), None);
    /// ```
    pub fn retry_after(&self) -> Option<Duration> {
        match self.row {
            Row::Outage { retry_after, .. } | Row::Throttled { retry_after, .. } => retry_after,
            _ => None,
        }
        .map(|pause| pause.min(MOST_RETRY_AFTER))
    }

    /// What is said because the same place of the same tool was refused before in this session.
    ///
    /// ```
    /// assert!(tool_runtime::Failure::cancelled("search").escalation().is_none());
    /// ```
    pub fn escalation(&self) -> Option<&Escalation> {
        self.addition.as_ref()?.escalation.as_ref()
    }

    /// Says so.
    pub(crate) fn escalated(mut self, escalation: Escalation) -> Self {
        self.addition.get_or_insert_default().escalation = Some(escalation);
        self
    }

    /// Gives it a text that is not wire JSON.
    pub(crate) fn told(mut self, text: String) -> Self {
        self.addition.get_or_insert_default().told = Some(text);
        self
    }

    pub(crate) fn told_text(&self) -> Option<&str> {
        self.addition.as_ref()?.told.as_deref()
    }

    /// Keeps in mind whether any argument was sent.
    #[must_use]
    pub(crate) fn having_sent(mut self, has_sent: bool) -> Self {
        if !has_sent {
            self.addition.get_or_insert_default().is_bare = true;
        }
        self
    }

    /// Whether any argument was sent, as far as that is known.
    pub(crate) fn has_sent(&self) -> bool {
        self.addition.as_ref().is_none_or(|addition| !addition.is_bare)
    }

    /// Whether the arguments themselves were refused, not what a tool made of them.
    pub(crate) const fn is_about_arguments(&self) -> bool {
        matches!(self.row, Row::ValidationError(_) | Row::InvalidJson(_))
    }

    /// Whether the tool ran and failed, by an error or a panic.
    pub(crate) const fn is_of_tool(&self) -> bool {
        matches!(self.row, Row::ToolRefused { .. } | Row::ToolAsksForCorrection { .. } | Row::Internal)
    }

    /// Whether there is no answer yet: the host gives it later.
    ///
    /// ```
    /// use tool_runtime::Failure;
    ///
    /// assert!(Failure::deferred("delete_file").is_deferred() && !Failure::cancelled("delete_file").is_deferred());
    /// ```
    pub const fn is_deferred(&self) -> bool {
        matches!(self.row, Row::Deferred)
    }

    pub(crate) const fn row(&self) -> &Row {
        &self.row
    }
}

impl fmt::Debug for Failure {
    /// Shows what the model reads. Of the details, which may repeat arguments, only the length is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("tool", &self.tool)
            .field("kind", &self.kind())
            .field("recovery", &self.recovery())
            .field("text", &self.to_text())
            .field("details_bytes", &self.details().map(str::len))
            .finish_non_exhaustive()
    }
}
