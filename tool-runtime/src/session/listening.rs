//! Reports decisions and progress to the observer and to the trace.
//!
//! Invariant: the model gets its answer even if the host's code panics.

use std::sync::Arc;

use super::elapsed::Beginning;
use super::interruption::guarded;
use super::traced::{is_heard, tell};
use crate::context::{Listeners, Report};
use crate::event::{Decision, ToolEvent};
use crate::toolbox::{Parts, Toolbox};

/// Reports a decision to the trace and to the observer.
#[inline]
pub(super) fn tell_both<'e>(
    parts: &Parts,
    beginning: Beginning,
    call_id: &'e str,
    observed: impl FnOnce() -> Decision<'e>,
    traced: impl FnOnce() -> Decision<'e>,
) {
    if is_heard() {
        let _ = guarded(|| tell(parts, call_id, &traced()));
    }
    if let Some(observer) = &parts.settings.observer {
        let _ = guarded(|| {
            let at = beginning.elapsed(parts);
            observer.event(&ToolEvent::new(at, call_id, observed()));
        });
    }
}

/// Passes the progress of a session's calls on to its observer and to the trace.
pub(super) fn listen(listeners: &Listeners, toolbox: &Toolbox, beginning: Beginning) {
    if toolbox.parts().settings.observer.is_none() && !cfg!(feature = "tracing") {
        return;
    }
    let toolbox = toolbox.clone();
    listeners.add(Arc::new(move |report: &Report<'_>| {
        let parts = toolbox.parts();
        let decision = || decision(parts, report);
        tell_both(parts, beginning, report.call_id, decision, decision);
    }));
}

fn decision<'r>(parts: &'r Parts, &Report { tool, done, total, message, .. }: &Report<'r>) -> Decision<'r> {
    Decision::Progressed { tool: &parts.catalog.tools[tool].name, done, total, message }
}
