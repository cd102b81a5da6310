//! What a session decided about a call: [`Decision`].
//!
//! What always holds: the first of a call is `Received`, the last is `Executed`, `Expanded`, `Rejected` or `Deferred`; only the warnings
//! about a result follow.

use std::fmt;
use std::time::Duration;

use crate::failure::{Failure, ThrottleRule};
use crate::input::Arguments;
use crate::repair::Repair;
use crate::tool::Payload;

/// What a session decided about a call.
///
/// ```
/// use tool_runtime::event::Decision;
///
/// let decision = Decision::Warned { tool: "search", warning: "Tool succeeded but returned nothing." };
/// assert_eq!((decision.name(), decision.tool()), ("warned", Some("search")));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Decision<'a> {
    /// A call came in. The arguments are as the model sent them, secrets included.
    Received {
        /// The name that was called.
        name: &'a str,
        /// The arguments as they came.
        arguments: &'a Arguments<'a>,
    },
    /// Something was read otherwise than it was written.
    Repaired {
        /// What, and how.
        repair: &'a Repair,
    },
    /// A container was called without arguments, or had to expand for a call; its members are visible.
    Expanded {
        /// The container.
        container: &'a str,
    },
    /// A container collapsed; what only it showed is hidden again. Its call made room for another container; there is none where the
    /// host released it or ended the turn.
    Collapsed {
        /// The container.
        container: &'a str,
    },
    /// A rule against thrashing does not let the call through; `Rejected` follows with what the model is told.
    Throttled {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// Which rule.
        rule: ThrottleRule,
        /// When a call may pass again; `None` where time does not help.
        retry_after: Option<Duration>,
    },
    /// The answer is the host's to give: the tool has no handler here, or a hook wants to ask first.
    Deferred {
        /// The tool, by its advertised name.
        tool: &'a str,
    },
    /// The tool failed with something that passes, and is called again by the session itself.
    Retried {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The attempt that begins now; the second call of the tool is attempt 2.
        attempt: u32,
        /// How long was waited before it.
        wait: Duration,
    },
    /// A running tool [reported](crate::CallContext::progress) how far it has come.
    Progressed {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The part that is done; greater than in the report before.
        done: f64,
        /// The whole, if it is known.
        total: Option<f64>,
        /// The tool's own words, one line of at most 200 bytes; empty if it says nothing.
        message: &'a str,
    },
    /// A tool gave a result.
    Executed {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The result, as the tool gave it.
        payload: &'a Payload,
    },
    /// Something is doubtful about a call that was answered.
    Warned {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The sentence that stands in the outcome's warnings.
        warning: &'a str,
    },
    /// A call was answered with a failure: it was refused, or the tool did not give a result.
    Rejected {
        /// The tool, by its advertised name, or the name that was called where there is no such tool.
        tool: &'a str,
        /// What the model is told, and in its [`details`](Failure::details) what it is not.
        failure: &'a Failure,
    },
}

impl<'a> Decision<'a> {
    /// The kind of decision in `snake_case`, for logs and counters.
    ///
    /// ```
    /// assert_eq!(tool_runtime::event::Decision::Collapsed { container: "Math" }.name(), "collapsed");
    /// ```
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Received { .. } => "received",
            Self::Repaired { .. } => "repaired",
            Self::Expanded { .. } => "expanded",
            Self::Collapsed { .. } => "collapsed",
            Self::Throttled { .. } => "throttled",
            Self::Deferred { .. } => "deferred",
            Self::Retried { .. } => "retried",
            Self::Progressed { .. } => "progressed",
            Self::Executed { .. } => "executed",
            Self::Warned { .. } => "warned",
            Self::Rejected { .. } => "rejected",
        }
    }

    /// The tool, or the name that was called, where the decision is about one.
    ///
    /// ```
    /// assert_eq!(tool_runtime::event::Decision::Deferred { tool: "ask_user" }.tool(), Some("ask_user"));
    /// ```
    pub const fn tool(&self) -> Option<&'a str> {
        match self {
            Self::Received { name: tool, .. }
            | Self::Throttled { tool, .. }
            | Self::Deferred { tool }
            | Self::Retried { tool, .. }
            | Self::Progressed { tool, .. }
            | Self::Executed { tool, .. }
            | Self::Warned { tool, .. }
            | Self::Rejected { tool, .. } => Some(tool),
            Self::Repaired { .. } | Self::Expanded { .. } | Self::Collapsed { .. } => None,
        }
    }
}

impl fmt::Debug for Decision<'_> {
    /// Shows what was decided about which tool. Arguments, results and warnings, which may repeat a secret, are shown by their length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut decision = f.debug_struct("Decision");
        decision.field("name", &self.name());
        if let Some(tool) = self.tool() {
            decision.field("tool", &tool);
        }
        match self {
            Self::Received { arguments, .. } => decision.field("arguments", arguments),
            Self::Repaired { repair } => decision.field("repair", repair),
            Self::Expanded { container } | Self::Collapsed { container } => decision.field("container", container),
            Self::Throttled { rule, retry_after, .. } => decision.field("rule", rule).field("retry_after", retry_after),
            Self::Retried { attempt, wait, .. } => decision.field("attempt", attempt).field("wait", wait),
            Self::Progressed { done, total, message, .. } => {
                decision.field("done", done).field("total", total).field("message_bytes", &message.len())
            }
            Self::Executed { payload, .. } => decision.field("bytes", &payload.as_str().len()),
            Self::Warned { warning, .. } => decision.field("warning_bytes", &warning.len()),
            Self::Rejected { failure, .. } => decision.field("failure", failure),
            Self::Deferred { .. } => &mut decision,
        };
        decision.finish()
    }
}
