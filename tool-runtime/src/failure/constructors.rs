//! The constructors of [`Failure`], one for each row of the table in `docs/wire.md`.
//!
//! Every text that a model, a tool or a host supplies is cut to a size that fits into an answer.

use std::error::Error;
use std::time::Duration;

use super::attempted_parameters::attempted_parameters;
use super::treatment_kind::TreatmentKind;
use super::{Details, Failure, Names, Outage, Row, ThrottleRule, ToolError};
use crate::bounded;
use crate::issue::{Constraint, Got, Issue, Issues, Path, ValidationError, has_sent, resolved, shared_source};
use crate::json::Json;
use crate::shape::Text;

/// The maximum number of bytes of a sentence from a tool, counted as inside a JSON string.
const SENTENCE: usize = 600;
/// The maximum number of bytes of a payload from a tool, counted as inside a JSON string.
const PAYLOAD: usize = 2_400;
/// The maximum number of bytes of a host's guidance.
const GUIDANCE: usize = 480;

impl Failure {
    fn new(tool: &str, row: Row) -> Self {
        Self { tool: bounded::name(tool).into_owned(), row, details: None, addition: None }
    }

    /// Creates the failure for unacceptable arguments: `invalid_json` if they are not valid JSON, and `validation_error` otherwise.
    ///
    /// ```
    /// # use tool_runtime::{failure::Failure, ValidationError};
    /// # use tool_runtime::tool_schema::{check::check, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::new(Kind::Boolean), &Json::parse("3")?);
    /// let failure = ValidationError::new(issues).map(|error| Failure::validation("switch", error));
    /// let message = failure.map(|failure| failure.message());
    /// assert_eq!(message.as_deref(), Some("switch was not run: the arguments must be a boolean"));
    /// # Ok::<(), tool_runtime::tool_schema::json::SyntaxError>(())
    /// ```
    pub fn validation(tool: &str, error: ValidationError) -> Self {
        let has_sent = has_sent(&error);
        let details = shared_source(&error).map(|source| Box::new(Details::from(source)));
        let issues = resolved(tool, error.into_issues());
        let row = if issues.iter().any(is_syntax) { Row::InvalidJson(issues) } else { Row::ValidationError(issues) };
        Self { details, ..Self::new(tool, row) }.having_sent(has_sent.unwrap_or(true))
    }

    /// Creates the failure for a container that was called with arguments: `container_invocation_error`.
    pub fn container_called_with_arguments<'n>(
        container: &str,
        attempted: &Json<'_>,
        functions: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let functions = Names::new(functions, 20);
        let (attempted, did_you_mean) = (attempted_parameters(attempted), Box::default());
        Self::new(container, Row::ContainerInvocation { attempted, functions, did_you_mean })
    }

    /// Adds the names that are similar to the function name in the arguments. At most three are shown.
    pub(crate) fn with_near<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        if let Row::ContainerInvocation { did_you_mean, .. } = &mut self.row {
            **did_you_mean = Names::new(names, 3);
        }
        self
    }

    /// Creates the failure for a member that was called before its container was expanded: `container_not_expanded`.
    pub fn container_not_expanded(member: &str, container: &str) -> Self {
        Self::new(member, Row::ContainerNotExpanded { container: bounded::name(container).into_owned() })
    }

    /// Creates the failure for a name that matches several tools: `ambiguous_tool`. The candidates are advertised names.
    pub fn ambiguous_tool<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Self {
        Self::new(name, Row::AmbiguousTool { candidates: Names::new(candidates, 10) })
    }

    /// Creates the failure for an unknown name: `unknown_tool`. At most three suggestions and ten available tools are shown.
    pub fn unknown_tool<'n>(
        name: &str,
        did_you_mean: impl IntoIterator<Item = &'n str>,
        available: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let row = Row::UnknownTool { did_you_mean: Names::new(did_you_mean, 3), available: Names::new(available, 10) };
        Self::new(name, row)
    }

    /// Creates the failure for a tool that only an earlier toolbox of the session had: `tool_removed`. The available names are shown as for
    /// an unknown tool.
    pub fn tool_removed<'n>(
        name: &str,
        did_you_mean: impl IntoIterator<Item = &'n str>,
        available: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let row = Row::ToolRemoved { did_you_mean: Names::new(did_you_mean, 3), available: Names::new(available, 10) };
        Self::new(name, row)
    }

    /// Creates the failure for an error of the tool: `tool_error`, `unavailable`, `rate_limited` or `timeout`, depending on the error.
    pub fn tool_error(tool: &str, error: &ToolError) -> Self {
        let message = error.bounded_message().into_owned();
        let outage = |outage, message| Row::Outage { outage, message, retry_after: error.retry_after_duration() };
        let row = match error.treatment() {
            TreatmentKind::Replan => Row::ToolRejected { message, issues: error.issues() },
            TreatmentKind::CorrectCall => Row::ToolAsksForCorrection { message, issues: error.issues() },
            TreatmentKind::Unavailable => outage(Outage::Unavailable, message),
            TreatmentKind::RateLimited => outage(Outage::RateLimited, message),
            TreatmentKind::Timeout => outage(Outage::Timeout, message),
            TreatmentKind::Internal => Row::Internal,
        };
        Self { details: Some(Box::new(chain(error).into())), ..Self::new(tool, row) }
    }

    /// Adds to each issue of the tool the value that was sent at its path. Removes the issues whose path `is_shown` rejects.
    pub(crate) fn about(
        mut self,
        is_shown: impl Fn(&Path) -> bool,
        sent_at: impl Fn(&Path) -> Option<(Path, Got, Text)>,
    ) -> Self {
        if let Row::ToolRejected { issues, .. } | Row::ToolAsksForCorrection { issues, .. } = &mut self.row {
            issues.retain(|issue| is_shown(&issue.path));
            for issue in issues {
                if let Some((path, got, description)) = sent_at(&issue.path) {
                    (issue.path, issue.got) = (path, got);
                    if issue.description.is_empty() {
                        issue.description = description;
                    }
                }
            }
        }
        self
    }

    /// Replaces the issues of the failure, if it has any.
    pub(crate) fn map_issues(mut self, map: impl FnOnce(Issues) -> Issues) -> Self {
        if let Row::ValidationError(issues)
        | Row::InvalidJson(issues)
        | Row::ToolRejected { issues, .. }
        | Row::ToolAsksForCorrection { issues, .. } = &mut self.row
            && !issues.is_empty()
        {
            *issues = map(std::mem::take(issues));
        }
        self
    }

    /// Creates the failure for a call that the host, the user or a setting denied: `denied`. The reason is a sentence for the model.
    pub fn denied(tool: &str, reason: &str) -> Self {
        Self::new(tool, Row::Denied { message: bounded::sentence(reason, SENTENCE).into_owned() })
    }

    /// Creates the failure for a call whose host parameters are missing or have unacceptable values: `host_input`. The details are for the
    /// observer.
    pub fn host_input(tool: &str, details: impl Into<String>) -> Self {
        Self { details: Some(Box::new(Details::from(details.into()))), ..Self::new(tool, Row::HostInput) }
    }

    /// Creates the failure for a call that the host answers later: `deferred`. It is not the answer to the call; its text asks the model to
    /// wait.
    pub fn deferred(tool: &str) -> Self {
        Self::new(tool, Row::Deferred)
    }

    /// Creates the failure for a tool that is currently not reachable: `unavailable`.
    pub fn unavailable(tool: &str, retry_after: Option<Duration>) -> Self {
        Self::outage(tool, Outage::Unavailable, "is not available at the moment", retry_after)
    }

    /// Creates the failure for a tool that was called more often than its provider allows: `rate_limited`.
    pub fn rate_limited(tool: &str, retry_after: Option<Duration>) -> Self {
        Self::outage(tool, Outage::RateLimited, "has reached its rate limit", retry_after)
    }

    /// Creates the failure for a tool that did not finish in time: `timeout`.
    pub fn timeout(tool: &str, retry_after: Option<Duration>) -> Self {
        Self::outage(tool, Outage::Timeout, "did not finish in time", retry_after)
    }

    fn outage(tool: &str, outage: Outage, predicate: &str, retry_after: Option<Duration>) -> Self {
        let message = format!("{} {predicate}.", bounded::name(tool));
        Self::new(tool, Row::Outage { outage, message, retry_after })
    }

    /// Creates the failure for a call that the throttle stopped: `throttled`.
    ///
    /// ```
    /// use tool_runtime::failure::{Failure, Recovery, ThrottleRule};
    ///
    /// let failure = Failure::throttled("read_file", ThrottleRule::RunBudget, "The run has used up its failures.", None);
    /// assert_eq!(failure.recovery(), Recovery::Finish);
    /// ```
    pub fn throttled(tool: &str, rule: ThrottleRule, message: &str, retry_after: Option<Duration>) -> Self {
        let message = bounded::sentence(message, SENTENCE).into_owned();
        let admits_others = matches!(rule, ThrottleRule::IdenticalCall | ThrottleRule::AlternatingCalls);
        Self::new(tool, Row::Throttled { rule, message, retry_after, guidance: None, admits_others })
    }

    /// Sets whether the throttle admits calls of the same tool with other arguments.
    pub(crate) fn admitting_others(mut self, admits: bool) -> Self {
        if let Row::Throttled { admits_others, .. } = &mut self.row {
            *admits_others = admits;
        }
        self
    }

    /// Sets the host's guidance for a rejection by the throttle.
    pub(crate) fn with_guidance(mut self, advice: &str) -> Self {
        if let Row::Throttled { guidance, .. } = &mut self.row {
            *guidance = Some(bounded::sentence(advice, GUIDANCE).into());
        }
        self
    }

    /// Creates the failure for a result that could not be encoded: `malformed_response`. The payload is the part that could be encoded.
    pub fn malformed_response(tool: &str, payload: &str) -> Self {
        Self::new(tool, Row::MalformedResponse { payload: bounded::exact_text(payload, PAYLOAD).into_owned() })
    }

    /// Creates the failure for a panic or an unknown outcome: `internal_error`. The details are only for the observer.
    ///
    /// ```
    /// let failure = tool_runtime::failure::Failure::internal("stats", "index out of bounds");
    /// assert_eq!(failure.observer_details(), Some("index out of bounds"));
    /// assert!(!failure.to_json().contains("bounds"));
    /// ```
    pub fn internal(tool: &str, details: impl Into<String>) -> Self {
        Self { details: Some(Box::new(Details::from(details.into()))), ..Self::new(tool, Row::Internal) }
    }

    /// Creates the failure for a panic before the tool ran: `internal_error` as well, but the model reads that the tool did not run.
    pub(crate) fn internal_before(tool: &str, details: String) -> Self {
        Self { details: Some(Box::new(Details::from(details))), ..Self::new(tool, Row::InternalBefore) }
    }

    /// Creates the failure for a call during which the program stopped, so that its effect is unknown: `effect_unknown`. The answer names
    /// at most five read-only tools, with which the model can find out whether the call took effect.
    pub fn effect_unknown<'n>(tool: &str, read_only_tools: impl IntoIterator<Item = &'n str>) -> Self {
        Self::new(tool, Row::EffectUnknown { readers: Names::new(read_only_tools, 5) })
    }

    /// Creates the failure for a call that the session cancelled: `cancelled`.
    pub fn cancelled(tool: &str) -> Self {
        Self::new(tool, Row::Cancelled)
    }
}

/// Returns `true` if the issue is about the JSON text itself, so that no fields were checked.
fn is_syntax(issue: &Issue) -> bool {
    matches!(
        issue.constraint,
        Constraint::Syntax { .. }
            | Constraint::Depth { .. }
            | Constraint::MultipleDocuments { .. }
            | Constraint::Incomplete
    )
}

/// Returns an error and all its causes in one line. A very long or endless chain of causes is cut.
fn chain(error: &dyn Error) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source()).take(32);
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
