//! Reports decisions and progress to the observer and to the trace.
//!
//! In: a decision about a call. Out: an event with its time, and a `tracing` event if that feature is on. Invariants: without a listener, no
//! event is created and no clock is read. The model gets its answer even if the host's code panics.

use std::sync::Arc;

use super::run_interruptible::guarded;
use super::session_age::SessionStart;
use crate::context::{Report, Scope, SessionId};
use crate::event::{EventKind, ToolEvent};
use crate::toolbox::{NeedsSessionState, Parts, Toolbox};

/// Returns `true` if a subscriber may record the decisions in a trace.
#[inline]
pub(super) fn is_traced() -> bool {
    #[cfg(feature = "tracing")]
    return crate::event::trace::is_enabled();
    #[cfg(not(feature = "tracing"))]
    false
}

#[cfg(feature = "tracing")]
fn trace(parts: &Parts, call_id: &str, kind: &EventKind<'_>) {
    crate::event::trace::report_event(parts.settings.tracing, call_id, kind);
}

#[cfg(not(feature = "tracing"))]
const fn trace(_: &Parts, _: &str, _: &EventKind<'_>) {}

/// Reports an event to the trace and to the observer. The contents differ, because the trace must not contain secrets.
#[inline]
pub(super) fn report_event<'e>(
    parts: &Parts,
    beginning: SessionStart,
    session: &SessionId,
    call_id: &'e str,
    observed: impl FnOnce() -> EventKind<'e>,
    traced: impl FnOnce() -> EventKind<'e>,
) {
    if is_traced() {
        let _ = guarded(|| trace(parts, call_id, &traced()));
    }
    if let Some(observer) = &parts.settings.observer {
        let _ = guarded(|| {
            let at = beginning.elapsed(parts);
            observer.event(&ToolEvent { session_id: session.get(), ..ToolEvent::new(at, call_id, observed()) });
        });
    }
}

/// Passes the progress of a session's calls on to its observer and to the trace.
pub(super) fn listen(scope: &Scope, toolbox: &Toolbox<NeedsSessionState>, beginning: SessionStart) {
    if toolbox.parts().settings.observer.is_none() && !cfg!(feature = "tracing") {
        return;
    }
    let (toolbox, session) = (toolbox.clone(), Arc::clone(&scope.id));
    scope.listeners.add(Arc::new(move |report: &Report<'_>| {
        let parts = toolbox.parts();
        let kind = || progress(parts, report);
        report_event(parts, beginning, &session, report.call_id, kind, kind);
    }));
}

fn progress<'r>(parts: &'r Parts, &Report { tool, done, total, message, .. }: &Report<'r>) -> EventKind<'r> {
    EventKind::Progressed { tool: &parts.catalog.tools[tool].name, done, total, message }
}

/// A listener to the progress of calls.
pub(crate) struct Listening {
    pub(super) scope: Arc<Scope>,
    pub(super) id: u64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.scope.listeners.remove(self.id);
    }
}
