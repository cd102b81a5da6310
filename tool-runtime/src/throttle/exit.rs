//! How a call ended, as the rules see it: [`Exit`].
//!
//! In: a result, or a failure. Out: whether it counts, and a number that is the same for the same error. What always holds: refused
//! arguments and failures of the tool count; what the host decided (a denial, a deferral, a cancellation) does not.

use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use super::failures::Failed;
use crate::failure::{Failure, FailureKind, HIDDEN, Row};
use crate::hash::Mixer;
use crate::issue::{Constraint, Issue};

/// How many issues of a refusal tell it apart from another.
const ISSUES: usize = 64;

/// How a call ended.
///
/// ```
/// use tool_runtime::{Failure, ToolError, throttle::Exit};
///
/// let failure = Failure::tool_error("book", &ToolError::new("There is no room left."));
/// assert!(matches!(Exit::of(&failure), Exit::Failed { error: "There is no room left." }));
/// assert!(matches!(Exit::of(&Failure::denied("book", "The user said no.")), Exit::Denied));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Exit<'a> {
    /// The tool gave a result.
    Succeeded {
        /// The result as it is encoded for the model.
        result: &'a str,
        /// How much of the call had to be repaired before.
        repairs: usize,
    },
    /// The arguments were refused; nothing ran.
    Refused {
        /// Their faults.
        issues: &'a [Issue],
    },
    /// The tool gave no result.
    Failed {
        /// What it said, for the rules alone: also where the model must not read it.
        error: &'a str,
    },
    /// The tool gave no result and asked to be left alone for a while.
    Unavailable {
        /// What it said.
        error: &'a str,
        /// How long; a pause of the tool lasts at least as long, up to one hour.
        retry_after: Duration,
    },
    /// The host did not let it run.
    Denied,
    /// Somebody else will answer.
    Deferred,
    /// The session cancelled it, or nobody waits for it any more.
    Cancelled,
}

impl<'a> Exit<'a> {
    /// How a call with this failure ended.
    ///
    /// A tool that names the fields which the model should correct refuses its arguments, like the check before it.
    ///
    /// ```
    /// use tool_runtime::{Failure, ToolError, throttle::Exit};
    ///
    /// let failure = Failure::tool_error("book", &ToolError::retry("No such city.").field("city"));
    /// assert!(matches!(Exit::of(&failure), Exit::Refused { issues: [_] }));
    /// ```
    pub fn of(failure: &'a Failure) -> Self {
        // Different errors share the sentence in place of a hidden one; the details tell them apart.
        let own = |message: &'a str| match failure.details() {
            Some(details) if message == HIDDEN => details,
            _ => message,
        };
        match failure.row() {
            Row::Denied { .. } | Row::HostInput => Self::Denied,
            Row::Deferred => Self::Deferred,
            Row::Cancelled | Row::Throttled { .. } => Self::Cancelled,
            Row::ToolAsksForCorrection { issues, .. } if !issues.is_empty() => Self::Refused { issues },
            _ if failure.kind() == FailureKind::InvalidCall => Self::Refused { issues: failure.issues() },
            Row::Outage { message, retry_after: Some(retry_after), .. } => {
                Self::Unavailable { error: own(message), retry_after: *retry_after }
            }
            Row::ToolRefused { message, .. }
            | Row::ToolAsksForCorrection { message, .. }
            | Row::Outage { message, .. } => Self::Failed { error: own(message) },
            _ => Self::Failed { error: failure.details().unwrap_or(failure.error_type()) },
        }
    }

    /// The failure, where it counts as one.
    pub(super) fn failed(&self) -> Option<Failed> {
        match *self {
            Self::Refused { issues } => {
                Some(Failed { error: set_of(issues), issues: Some(issues.len()), retry_after: Duration::ZERO })
            }
            Self::Failed { error } => Some(Failed { error: text_of(error), issues: None, retry_after: Duration::ZERO }),
            Self::Unavailable { error, retry_after } => {
                Some(Failed { error: text_of(error), issues: None, retry_after })
            }
            _ => None,
        }
    }

    pub(super) const fn is_neutral(&self) -> bool {
        matches!(self, Self::Denied | Self::Deferred | Self::Cancelled)
    }
}

impl fmt::Debug for Exit<'_> {
    /// Shows results and errors, which may repeat a secret, by their length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Succeeded { result, repairs } => {
                f.debug_struct("Succeeded").field("bytes", &result.len()).field("repairs", repairs).finish()
            }
            Self::Refused { issues } => f.debug_struct("Refused").field("issues", &issues.len()).finish(),
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

fn text_of(error: &str) -> u64 {
    Mixer::new().word(1).bytes(error.as_bytes()).sum()
}

/// A sum, so that the order is nothing: the same faults at the same places, whatever was sent there.
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
