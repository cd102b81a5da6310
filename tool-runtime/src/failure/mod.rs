//! Failures of calls: [`Failure`], with its kind, the recovery for the model, and the facts of its answer.
//!
//! There is one constructor for each row of the table in `docs/wire.md`. The module `feedback` makes the text for the model. Invariants:
//! kind and recovery depend only on the row, so inconsistent pairs cannot be built; every name that a model sent is cut; details for the
//! observer are never part of the text.

mod attempted_parameters;
mod constructors;
mod error_mapping;
mod escalated_message;
mod kind;
mod name_list;
mod stored_failure;
mod table;
mod throttle_rule;
mod tool_error;
mod treatment_kind;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(crate) use error_mapping::MappedError;
pub use error_mapping::{IntoPause, ToolFailure, Treatment};
pub use escalated_message::EscalatedMessage;
pub(crate) use escalated_message::IssueKind;
pub use kind::{FailureKind, Recovery};
pub(crate) use name_list::Names;
pub use throttle_rule::ThrottleRule;
pub(crate) use tool_error::HIDDEN;
pub use tool_error::ToolError;

use serde::{Deserialize, Serialize};

use crate::issue::{Constraint, Issue, Issues};

/// The reason why a call has no result.
///
/// The kind and the recovery cannot be set separately, so they never contradict each other:
///
/// ```
/// use tool_runtime::failure::{Failure, FailureKind, Recovery};
///
/// let failure = Failure::unknown_tool("get_wether", ["get_weather"], ["get_time", "get_weather"]);
/// assert_eq!((failure.kind(), failure.recovery()), (FailureKind::InvalidCall, Recovery::Replan));
/// assert_eq!(failure.error_type(), "unknown_tool");
/// assert_eq!(failure.message(), "There is no tool 'get_wether'.");
/// assert_eq!(failure.to_value()["error_message"], "There is no tool 'get_wether'.");
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
    /// Boxed, because most failures have no details.
    details: Option<Box<Details>>,
    /// Boxed, because most failures have no additions.
    addition: Option<Box<Addition>>,
}

/// Details that only the observer may read.
#[derive(Clone)]
struct Details {
    /// The text of the details, formatted when it is first requested.
    text: OnceLock<String>,
    /// The error of serde, if the text comes from it.
    source: Option<Arc<serde_json::Error>>,
    /// `true` if a trace must not contain the details, because they may repeat a secret.
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

/// Facts that a session adds to a failure after it was created.
#[derive(Clone, Debug, Default)]
struct Addition {
    escalation: Option<EscalatedMessage>,
    /// The text for the model in a form other than JSON.
    text: Option<String>,
    /// `true` if the call had no arguments.
    is_bare: bool,
    /// `true` if the output limit of the model cut off the answer, and something is missing from the arguments.
    is_cut_off: bool,
}

/// A row of the table in `docs/wire.md`, with the facts of its answer. The names of the variants are part of saved data, so never rename a
/// variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Row {
    ValidationError(Issues),
    InvalidJson(Issues),
    ContainerInvocation {
        attempted: String,
        functions: Names,
        did_you_mean: Box<Names>,
    },
    ContainerNotExpanded {
        container: String,
    },
    AmbiguousTool {
        candidates: Names,
    },
    UnknownTool {
        did_you_mean: Names,
        available: Names,
    },
    ToolRemoved {
        did_you_mean: Names,
        available: Names,
    },
    #[serde(rename = "tool_refused")]
    ToolRejected {
        message: String,
        issues: Issues,
    },
    ToolAsksForCorrection {
        message: String,
        issues: Issues,
    },
    Denied {
        message: String,
    },
    HostInput,
    Deferred,
    Outage {
        outage: Outage,
        message: String,
        retry_after: Option<Duration>,
    },
    Throttled {
        rule: ThrottleRule,
        message: String,
        retry_after: Option<Duration>,
        guidance: Option<Box<str>>,
        /// `true` if a call with other arguments may run now.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        admits_others: bool,
    },
    MalformedResponse {
        payload: String,
    },
    EffectUnknown {
        readers: Names,
    },
    Internal,
    InternalBefore,
    Cancelled,
}

/// The maximum pause in an answer: one year. As a number of milliseconds, it is exact in an `f64`, which many programs use for all numbers.
const MOST_RETRY_AFTER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A temporary failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outage {
    Unavailable,
    RateLimited,
    Timeout,
}

impl Failure {
    /// Returns the name that was called, cut to 64 characters.
    pub fn tool_name(&self) -> &str {
        &self.tool
    }

    /// Returns the issues of the arguments, in declaration order; empty if the arguments are not the cause.
    pub fn issues(&self) -> &[Issue] {
        match &self.row {
            Row::ValidationError(issues)
            | Row::InvalidJson(issues)
            | Row::ToolRejected { issues, .. }
            | Row::ToolAsksForCorrection { issues, .. } => issues,
            _ => &[],
        }
    }

    /// Returns the details for the observer, for example serde's message, a tool's error with its causes, or the message of a panic.
    pub fn observer_details(&self) -> Option<&str> {
        self.details.as_deref().map(Details::text)
    }

    /// Keeps the details out of traces if they are secret.
    pub(crate) fn with_secret_details(mut self, are_secret: bool) -> Self {
        if let Some(details) = &mut self.details {
            details.may_repeat_secret |= are_secret;
        }
        self
    }

    /// Returns the details that a trace may contain.
    #[cfg(feature = "tracing")]
    pub(crate) fn traced_details(&self) -> Option<&str> {
        self.details.as_deref().filter(|details| !details.may_repeat_secret).map(Details::text)
    }

    /// Returns the throttle rule that paused the tool or the call; `None` for every other failure.
    pub const fn throttle_rule(&self) -> Option<ThrottleRule> {
        match &self.row {
            Row::Throttled { rule, .. } => Some(*rule),
            _ => None,
        }
    }

    /// Returns the pause before the next call, if it is known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self.row {
            Row::Outage { retry_after, .. } | Row::Throttled { retry_after, .. } => retry_after,
            _ => None,
        }
        .map(|pause| pause.min(MOST_RETRY_AFTER))
    }

    /// Returns the escalation, if the same location of the same tool was rejected before in this session.
    pub fn escalation(&self) -> Option<&EscalatedMessage> {
        self.addition.as_ref()?.escalation.as_ref()
    }

    /// Adds an escalation.
    pub(crate) fn escalated(mut self, escalation: EscalatedMessage) -> Self {
        self.addition.get_or_insert_default().escalation = Some(escalation);
        self
    }

    /// Sets the text for the model, in a form other than JSON.
    pub(crate) fn with_text(mut self, text: String) -> Self {
        self.addition.get_or_insert_default().text = Some(text);
        self
    }

    pub(crate) fn text_in_form(&self) -> Option<&str> {
        self.addition.as_ref()?.text.as_deref()
    }

    /// Records whether the output limit of the model cut off the answer that contains the call. Has no effect unless something is missing
    /// from the arguments.
    #[must_use]
    pub(crate) fn cut_off(mut self, is_cut_off: bool) -> Self {
        let is_missing = |issue: &Issue| matches!(issue.constraint, Constraint::Incomplete | Constraint::Required);
        if is_cut_off && self.is_about_arguments() && self.issues().iter().any(is_missing) {
            self.addition.get_or_insert_default().is_cut_off = true;
        }
        self
    }

    /// Returns `true` if the output limit of the model cut off the text of the arguments.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.is_limited() && matches!(self.row, Row::InvalidJson(_))
    }

    /// Returns `true` if required arguments are missing, possibly because of the output limit of the model: some providers and libraries close
    /// the JSON of a call that was cut off.
    pub(crate) fn may_be_cut_off(&self) -> bool {
        self.is_limited() && matches!(self.row, Row::ValidationError(_))
    }

    fn is_limited(&self) -> bool {
        self.addition.as_ref().is_some_and(|addition| addition.is_cut_off)
    }

    /// Records whether any argument was sent.
    #[must_use]
    pub(crate) fn having_sent(mut self, has_sent: bool) -> Self {
        if !has_sent {
            self.addition.get_or_insert_default().is_bare = true;
        }
        self
    }

    /// Returns `true` if any argument was sent, or if this is not known.
    pub(crate) fn has_sent(&self) -> bool {
        self.addition.as_ref().is_none_or(|addition| !addition.is_bare)
    }

    /// Returns `true` if the arguments themselves were rejected, before the tool ran.
    pub(crate) const fn is_about_arguments(&self) -> bool {
        matches!(self.row, Row::ValidationError(_) | Row::InvalidJson(_))
    }

    /// Returns `true` if the tool ran and failed with an error or a panic.
    pub(crate) const fn is_of_tool(&self) -> bool {
        matches!(self.row, Row::ToolRejected { .. } | Row::ToolAsksForCorrection { .. } | Row::Internal)
    }

    /// Returns `true` if the call is deferred: the host answers it later.
    pub const fn is_deferred(&self) -> bool {
        matches!(self.row, Row::Deferred)
    }

    pub(crate) const fn row(&self) -> &Row {
        &self.row
    }
}

impl fmt::Debug for Failure {
    /// Shows the data that the model reads. Only the length of the details is shown, because they may repeat arguments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("tool", &self.tool)
            .field("kind", &self.kind())
            .field("recovery", &self.recovery())
            .field("text", &self.to_text())
            .field("details_bytes", &self.observer_details().map(str::len))
            .finish_non_exhaustive()
    }
}
