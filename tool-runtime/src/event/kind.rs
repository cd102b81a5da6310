//! The kinds of events of a session, with their data: [`EventKind`].
//!
//! Invariant: the first event of a call is `Received`, and the last is `Executed`, `Expanded`, `Rejected` or `Deferred`. Only
//! warnings about a result may follow the last event.

use std::fmt;
use std::time::Duration;

use crate::failure::{Failure, ThrottleRule};
use crate::input::Arguments;
use crate::repair::Repair;
use crate::shape::Text;
use crate::tool::Payload;

/// The kind of a [`ToolEvent`](super::ToolEvent), with its data.
///
/// ```
/// use tool_runtime::event::EventKind;
///
/// let kind = EventKind::Warned { tool: "search", warning: "Tool succeeded but returned nothing." };
/// assert_eq!((kind.name(), kind.tool_name()), ("warned", Some("search")));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// A call was received. The arguments are shown as the model sent them, including secrets.
    Received {
        /// The name that was called.
        name: &'a str,
        /// The arguments that were received.
        arguments: &'a Arguments<'a>,
    },
    /// A call was repaired before it ran.
    Repaired {
        /// The repair.
        repair: &'a Repair,
    },
    /// A container was expanded, and its members are now visible. The model called the container or, if the
    /// [`UnexpandedCallPolicy`](crate::container::UnexpandedCallPolicy) allows it, a hidden member.
    Expanded {
        /// The container.
        container: &'a str,
        /// `true` if the list of the members is the answer to the call, `false` if the call goes on to a member.
        is_answer: bool,
    },
    /// A container collapsed, so its members are hidden unless something else shows them. If it collapsed because a call expanded another
    /// container, the event has the id of that call. If the host released the container or ended the turn, the call id is empty.
    Collapsed {
        /// The container.
        container: &'a str,
    },
    /// A search has found tools, which are visible from now on. The model called the tool that
    /// [`find_tools`](crate::toolbox::ToolboxBuilder::find_tools) adds.
    Found {
        /// The advertised names of the tools, the best first.
        tools: &'a [&'a Text],
    },
    /// The answer to an expansion or to a search makes the provider load deferred definitions. Without this event, the definitions are in the
    /// list of tools, or in the answer itself.
    Loaded {
        /// The advertised names of the tools.
        tools: &'a [Text],
    },
    /// The throttle stops the call. A `Rejected` event with the answer for the model follows.
    Throttled {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The rule.
        rule: ThrottleRule,
        /// The time until a call may pass again; `None` if waiting does not help.
        retry_after: Option<Duration>,
    },
    /// The shared health of the tool is not known, so only the throttle of the session decided about the call.
    HealthUnknown {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The reason, for the host.
        reason: &'a str,
    },
    /// The call was deferred, so the host has to answer it: the tool has no handler in this process, or a hook deferred the call.
    Deferred {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// `true` if a hook deferred the call, `false` if another program runs the tool.
        needs_approval: bool,
    },
    /// The tool failed with a temporary error, and the session calls it again.
    Retried {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The number of the attempt that begins now; the second call of the tool is attempt 2.
        attempt: u32,
        /// The pause before the attempt.
        wait: Duration,
    },
    /// A running tool [reported](crate::CallContext::progress) its progress.
    Progressed {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The amount of work that is done. It is greater than in the previous report of the call.
        done: f64,
        /// The total amount of work, if it is known.
        total: Option<f64>,
        /// The tool's message, one line of at most 200 bytes; empty if there is none.
        message: &'a str,
    },
    /// A tool returned a result.
    Executed {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The result of the tool.
        payload: &'a Payload,
    },
    /// An answered call has a warning.
    Warned {
        /// The tool, by its advertised name.
        tool: &'a str,
        /// The text of the warning in the outcome.
        warning: &'a str,
    },
    /// A call was answered with a failure: it was rejected, or the tool returned no result.
    Rejected {
        /// The advertised name of the tool, or the name that was called if there is no such tool.
        tool: &'a str,
        /// The failure, with the answer for the model and further [`details`](Failure::observer_details).
        failure: &'a Failure,
    },
}

impl<'a> EventKind<'a> {
    /// Returns the name of the kind in `snake_case`, for logs and counters.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Received { .. } => "received",
            Self::Repaired { .. } => "repaired",
            Self::Expanded { .. } => "expanded",
            Self::Collapsed { .. } => "collapsed",
            Self::Found { .. } => "found",
            Self::Loaded { .. } => "loaded",
            Self::Throttled { .. } => "throttled",
            Self::HealthUnknown { .. } => "health_unknown",
            Self::Deferred { .. } => "deferred",
            Self::Retried { .. } => "retried",
            Self::Progressed { .. } => "progressed",
            Self::Executed { .. } => "executed",
            Self::Warned { .. } => "warned",
            Self::Rejected { .. } => "rejected",
        }
    }

    /// Returns the advertised name of the tool, or the name that was called if no tool is known. Returns `None` for repairs, expansions,
    /// collapses and found tools.
    pub const fn tool_name(&self) -> Option<&'a str> {
        match self {
            Self::Received { name: tool, .. }
            | Self::Throttled { tool, .. }
            | Self::HealthUnknown { tool, .. }
            | Self::Deferred { tool, .. }
            | Self::Retried { tool, .. }
            | Self::Progressed { tool, .. }
            | Self::Executed { tool, .. }
            | Self::Warned { tool, .. }
            | Self::Rejected { tool, .. } => Some(tool),
            Self::Repaired { .. }
            | Self::Expanded { .. }
            | Self::Collapsed { .. }
            | Self::Found { .. }
            | Self::Loaded { .. } => None,
        }
    }
}

impl fmt::Debug for EventKind<'_> {
    /// Shows the kind and its tool. Only the lengths of arguments, results and warnings are shown, because these may repeat a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("EventKind");
        shown.field("name", &self.name());
        if let Some(tool) = self.tool_name() {
            shown.field("tool", &tool);
        }
        match self {
            Self::Received { arguments, .. } => shown.field("arguments", arguments),
            Self::Repaired { repair } => shown.field("repair", repair),
            Self::Expanded { container, .. } | Self::Collapsed { container } => shown.field("container", container),
            Self::Found { tools } => shown.field("tools", tools),
            Self::Loaded { tools } => shown.field("tools", tools),
            Self::Throttled { rule, retry_after, .. } => shown.field("rule", rule).field("retry_after", retry_after),
            Self::HealthUnknown { reason, .. } => shown.field("reason", reason),
            Self::Retried { attempt, wait, .. } => shown.field("attempt", attempt).field("wait", wait),
            Self::Progressed { done, total, message, .. } => {
                shown.field("done", done).field("total", total).field("message_bytes", &message.len())
            }
            Self::Executed { payload, .. } => shown.field("bytes", &payload.as_str().len()),
            Self::Warned { warning, .. } => shown.field("warning_bytes", &warning.len()),
            Self::Rejected { failure, .. } => shown.field("failure", failure),
            Self::Deferred { .. } => &mut shown,
        };
        shown.finish()
    }
}
