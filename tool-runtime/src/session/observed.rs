//! Reports a session's decisions to its observer and to a trace.
//!
//! In: a call, and the decision about it. Out: an event with its time, and a `tracing` event if that feature is on. Invariants: without a
//! listener, no event is created and no clock is read. The model gets its answer even if an observer panics.

use std::sync::Arc;
use std::time::Duration;

use super::Session;
use super::listening::tell_both;
use super::traced::is_heard;
use super::view::SessionView;
use crate::context::{Report, Scope};
use crate::event::Decision;

impl SessionView {
    /// Returns the time since the session began; zero without an observer.
    pub(super) fn observed_time(&self) -> Duration {
        let parts = self.toolbox.parts();
        if parts.settings.observer.is_some() { self.beginning.elapsed(parts) } else { Duration::ZERO }
    }

    /// Returns `true` if anybody listens to the decisions.
    #[inline]
    pub(super) fn is_observed(&self) -> bool {
        is_heard() || self.toolbox.parts().settings.observer.is_some()
    }

    #[inline]
    pub(super) fn observe<'e>(&self, call_id: &'e str, decision: impl Fn() -> Decision<'e>) {
        self.observe_apart(call_id, &decision, &decision);
    }

    /// Reports a decision. The contents for the observer and for the trace differ, because the trace must not contain secrets.
    #[inline]
    pub(super) fn observe_apart<'e>(
        &self,
        call_id: &'e str,
        observed: impl FnOnce() -> Decision<'e>,
        traced: impl FnOnce() -> Decision<'e>,
    ) {
        tell_both(self.toolbox.parts(), self.beginning, call_id, observed, traced);
    }
}

impl Session {
    /// Adds a listener to the progress of calls, until the guard is dropped. The listener also receives the name of the
    /// tool.
    pub(crate) fn listen(&self, listener: impl Fn(&str, &Report<'_>) + Send + Sync + 'static) -> Listening {
        let current = self.current();
        let (toolbox, scope) = (current.toolbox.clone(), Arc::clone(&current.scope));
        let id = scope.listeners.add(Arc::new(move |report: &Report<'_>| {
            listener(&toolbox.parts().catalog.tools[report.tool].name, report);
        }));
        Listening { scope, id }
    }
}

/// A listener to the progress of calls.
pub(crate) struct Listening {
    scope: Arc<Scope>,
    id: u64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.scope.listeners.remove(self.id);
    }
}
