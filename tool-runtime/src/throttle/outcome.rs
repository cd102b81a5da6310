//! [`CallEnd`], the end of a call as the rules see it.
//!
//! Rejected arguments and failures of the tool count as failures. Decisions of the host (denied, deferred, cancelled) do not.

use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use super::argument_values_in_error;
use super::failures::{Failed, marked};
use crate::failure::{Failure, FailureKind, HIDDEN, Row};
use crate::fast_hash::Mixer;
use crate::issue::{Constraint, Issue};

/// The maximum number of issues by which rejections are distinguished. Later issues are ignored.
const ISSUES: usize = 64;

/// The way in which a call ended, as reported to the throttle.
///
/// ```
/// use tool_runtime::{Failure, ToolError, throttle::CallEnd};
///
/// let failure = Failure::tool_error("book", &ToolError::new("There is no room left."));
/// assert!(matches!(CallEnd::from_failure(&failure), CallEnd::Failed { error: "There is no room left." }));
/// assert!(matches!(CallEnd::from_failure(&Failure::denied("book", "The user said no.")), CallEnd::Denied));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum CallEnd<'a> {
    /// The tool returned a result.
    Succeeded {
        /// The result as encoded for the model.
        result: &'a str,
        /// The number of repairs that the call needed.
        repairs: usize,
    },
    /// The arguments were rejected and the tool did not run.
    Rejected {
        /// The issues found in the arguments.
        issues: &'a [Issue],
    },
    /// The tool ran, and asked for other values of these arguments.
    AskedForCorrection {
        /// The issues that the tool reported.
        issues: &'a [Issue],
    },
    /// The tool returned an error.
    Failed {
        /// The message of the error, even if the model does not see it. Only the rules use the message.
        error: &'a str,
    },
    /// The tool returned an error and asked not to be called for a while.
    Unavailable {
        /// The message of the error.
        error: &'a str,
        /// The requested delay. A pause of the tool lasts at least as long, up to one hour.
        retry_after: Duration,
    },
    /// The host did not allow the call.
    Denied,
    /// The call was deferred and waits for the host's answer.
    Deferred,
    /// The session cancelled the call, or its future was dropped.
    Cancelled,
}

impl<'a> CallEnd<'a> {
    /// Returns how a call with the given failure ended.
    ///
    /// If the error of a tool names fields to correct, the call counts as one whose arguments were rejected, although the tool ran.
    pub fn from_failure(failure: &'a Failure) -> Self {
        // Hidden errors all have the same message, so the details distinguish them.
        let own = |message: &'a str| match failure.observer_details() {
            Some(details) if message == HIDDEN => details,
            _ => message,
        };
        match failure.row() {
            Row::Denied { .. } | Row::HostInput => Self::Denied,
            Row::Deferred => Self::Deferred,
            Row::Cancelled | Row::Throttled { .. } => Self::Cancelled,
            Row::ToolAsksForCorrection { issues, .. } if !issues.is_empty() => Self::AskedForCorrection { issues },
            _ if failure.kind() == FailureKind::InvalidCall => Self::Rejected { issues: failure.issues() },
            Row::Outage { message, retry_after: Some(retry_after), .. } => {
                Self::Unavailable { error: own(message), retry_after: *retry_after }
            }
            Row::ToolRejected { message, .. }
            | Row::ToolAsksForCorrection { message, .. }
            | Row::Outage { message, .. } => Self::Failed { error: own(message) },
            _ => Self::Failed { error: failure.observer_details().unwrap_or(failure.error_type()) },
        }
    }

    /// Returns the failure for the rules; `None` if this end of a call does not count as a failure.
    #[inline]
    pub(super) fn failed(self) -> Option<Failed> {
        if let Self::Succeeded { .. } = self { None } else { self.counted() }
    }

    #[cold]
    fn counted(self) -> Option<Failed> {
        let failed = |error| Failed { error, issues: None, retry_after: Duration::ZERO, quoted: 0 };
        match self {
            Self::Rejected { issues } | Self::AskedForCorrection { issues } => {
                // A call that reaches no tool, as of a collapsed container, has no issues.
                let is_rejection = matches!(self, Self::Rejected { .. }) && !issues.is_empty();
                Some(Failed { issues: Some(issues.len()), ..failed(marked(set_of(issues), is_rejection)) })
            }
            Self::Failed { error } => Some(failed(marked(text_of(error), false))),
            Self::Unavailable { error, retry_after } => {
                Some(Failed { retry_after, ..failed(marked(text_of(error), false)) })
            }
            _ => None,
        }
    }

    /// Adds the values of the arguments that the error quotes.
    #[cold]
    pub(super) fn quoting(self, failed: Failed, arguments: &[u8]) -> Failed {
        match self {
            Self::Failed { error } | Self::Unavailable { error, .. } => {
                Failed { quoted: argument_values_in_error::values_quoted_in(error, arguments), ..failed }
            }
            _ => failed,
        }
    }

    pub(super) const fn is_neutral(self) -> bool {
        matches!(self, Self::Denied | Self::Deferred | Self::Cancelled)
    }
}

impl fmt::Debug for CallEnd<'_> {
    /// Shows only the lengths of results and errors, because they may contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Succeeded { result, repairs } => {
                f.debug_struct("Succeeded").field("bytes", &result.len()).field("repairs", repairs).finish()
            }
            Self::Rejected { issues } => f.debug_struct("Rejected").field("issues", &issues.len()).finish(),
            Self::AskedForCorrection { issues } => {
                f.debug_struct("AskedForCorrection").field("issues", &issues.len()).finish()
            }
            Self::Failed { error } => f.debug_struct("Failed").field("error_bytes", &error.len()).finish(),
            Self::Unavailable { error, retry_after } => f
                .debug_struct("Unavailable")
                .field("error_bytes", &error.len())
                .field("retry_after", retry_after)
                .finish(),
            Self::Denied => f.write_str("Denied"),
            Self::Deferred => f.write_str("Deferred"),
            Self::Cancelled => f.write_str("Cancelled"),
        }
    }
}

pub(super) fn text_of(error: &str) -> u64 {
    Mixer::new().word(1).bytes(error.as_bytes()).sum()
}

/// Returns a hash of the paths and constraints of these issues. It depends neither on the order of the issues nor on the values that were
/// sent. The hashes of the issues are added up, because a sum does not depend on the order.
fn set_of(issues: &[Issue]) -> u64 {
    issues.iter().take(ISSUES).fold(issues.len() as u64, |sum, issue| {
        let mut mixer =
            Mixer::new().bytes(issue.constraint.keyword().as_bytes()).bytes(issue.constraint.code().as_bytes());
        issue.path.hash(&mut mixer);
        if let Constraint::Custom(rejection) = &issue.constraint {
            mixer = mixer.bytes(rejection.message().as_bytes());
        }
        sum.wrapping_add(mixer.sum())
    })
}
