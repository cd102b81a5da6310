//! Decisions as events of `tracing`, and the span of a call. Their names follow the OpenTelemetry conventions for generative AI.
//!
//! A span is called `execute_tool {tool}` and has `gen_ai.*` attributes. Invariant: the content of arguments, results and errors is only
//! recorded if [`TracingSettings`] allows it.

use std::time::Duration;

use tracing::field::{Empty, display};
use tracing::{Level, Span};

use super::{EventKind, TracingSettings};
use crate::bounded;
use crate::failure::{Failure, FailureKind};

/// Creates the span of a call. The name of a tool that does not exist is only in the attributes of the span, not in its title.
pub(crate) fn span(call_id: &str, name: &str, description: Option<&str>) -> Span {
    let name = bounded::name(name);
    let span = tracing::info_span!(
        target: "tool_runtime",
        "execute_tool",
        "otel.name" = Empty,
        "otel.kind" = "internal",
        "otel.status_code" = Empty,
        "gen_ai.operation.name" = "execute_tool",
        "gen_ai.tool.name" = &*name,
        "gen_ai.tool.call.id" = call_id,
        "gen_ai.tool.type" = "function",
        "gen_ai.tool.description" = Empty,
        "gen_ai.tool.call.arguments" = Empty,
        "gen_ai.tool.call.result" = Empty,
        "error.type" = Empty,
    );
    if let Some(description) = description {
        span.record("otel.name", display(format_args!("execute_tool {name}")));
        span.record("gen_ai.tool.description", description);
    }
    span
}

/// Returns `true` if any event would be recorded.
pub(crate) fn is_enabled() -> bool {
    tracing::enabled!(target: "tool_runtime", Level::WARN)
}

macro_rules! event {
    ($level:ident, $name:literal, $call_id:expr, { $($fields:tt)* }) => {
        tracing::event!(
            name: $name, target: "tool_runtime", Level::$level, { "gen_ai.tool.call.id" = $call_id, $($fields)* }
        )
    };
}

/// Records an event of a session as an event of `tracing`.
pub(crate) fn report_event(content: TracingSettings, id: &str, kind: &EventKind<'_>) {
    match *kind {
        EventKind::Received { name, .. } => {
            event!(TRACE, "tool.received", id, { "gen_ai.tool.name" = &*bounded::name(name), "message" = "call received" });
        }
        EventKind::Repaired { repair } => {
            event!(DEBUG, "tool.repaired", id, { rule = repair.rule.name(), "message" = "call repaired" });
        }
        EventKind::Expanded { container, .. } => {
            event!(DEBUG, "tool.expanded", id, { container = container, "message" = "container expanded" });
        }
        EventKind::Collapsed { container } => {
            event!(DEBUG, "tool.collapsed", id, { container = container, "message" = "container collapsed" });
        }
        EventKind::Found { tools } => {
            event!(DEBUG, "tool.found", id, { count = tools.len(), "message" = "search has shown tools" });
        }
        EventKind::Loaded { tools } => {
            event!(DEBUG, "tool.loaded", id, { count = tools.len(), "message" = "provider loads definitions" });
        }
        EventKind::Throttled { tool, rule, retry_after } => {
            let wait = retry_after.map(milliseconds);
            event!(WARN, "tool.throttled", id, {
                "gen_ai.tool.name" = tool, rule = rule.as_str(), retry_after_ms = wait, "message" = "call throttled"
            });
        }
        EventKind::HealthUnknown { tool, reason } => {
            event!(WARN, "tool.health_unknown", id, {
                "gen_ai.tool.name" = tool, reason = reason, "message" = "shared health of the tool not known"
            });
        }
        EventKind::Deferred { tool, .. } => {
            event!(DEBUG, "tool.deferred", id, { "gen_ai.tool.name" = tool, "message" = "answer deferred to the host" });
        }
        EventKind::Retried { tool, attempt, wait } => {
            let wait = milliseconds(wait);
            event!(WARN, "tool.retried", id, {
                "gen_ai.tool.name" = tool, attempt = attempt, wait_ms = wait, "message" = "tool called again"
            });
        }
        EventKind::Progressed { tool, done, total, message } => {
            let details = content.details.then_some(message);
            event!(DEBUG, "tool.progressed", id, {
                "gen_ai.tool.name" = tool, done = done, total = total, details = details, "message" = "tool reported progress"
            });
        }
        EventKind::Executed { tool, payload } => {
            let bytes = payload.as_str().len();
            event!(DEBUG, "tool.executed", id, {
                "gen_ai.tool.name" = tool, bytes = bytes, "message" = "tool returned a result"
            });
        }
        EventKind::Warned { tool, warning } => {
            // The text after the colon of a warning quotes arguments or a result.
            let warning = if content.details { warning } else { warning.split(':').next().unwrap_or_default() };
            event!(WARN, "tool.warned", id, {
                "gen_ai.tool.name" = tool, warning = warning, "message" = "answer is doubtful"
            });
        }
        EventKind::Rejected { tool, failure } => record_failure(content, id, &bounded::name(tool), failure),
    }
}

fn record_failure(content: TracingSettings, id: &str, tool: &str, failure: &Failure) {
    let details = if content.details { failure.traced_details() } else { None };
    let (error_type, recovery) = (failure.error_type(), failure.recovery().as_str());
    if failure.kind() == FailureKind::Internal {
        event!(ERROR, "gen_ai.execute_tool.exception", id, {
            "gen_ai.tool.name" = tool, "error.type" = error_type, "exception.message" = details, recovery = recovery,
            "message" = "call failed"
        });
    } else {
        event!(WARN, "tool.rejected", id, {
            "gen_ai.tool.name" = tool, "error.type" = error_type, "exception.message" = details, recovery = recovery,
            "message" = "call failed"
        });
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
