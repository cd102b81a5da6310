//! What a session decides, told to whoever observes it.
//!
//! In: the call and what was decided about it. Out: an event with its time, and one of `tracing` where that is switched on. What always
//! holds: where nobody listens no decision is put into words and no clock is read; an observer that panics costs no model its answer.

use std::time::Duration;

use super::generation::Generation;
use super::invoke::guarded;
use super::traced::{is_heard, tell};
use crate::event::{Decision, ToolEvent};

impl Generation {
    /// The time since the session began; none where nobody observes it.
    pub(super) fn observed_time(&self) -> Duration {
        let parts = self.toolbox.parts();
        if parts.settings.observer.is_some() { self.beginning.elapsed(parts) } else { Duration::ZERO }
    }

    #[inline]
    pub(super) fn observe<'e>(&self, call_id: &'e str, decision: impl Fn() -> Decision<'e>) {
        self.observe_apart(call_id, &decision, &decision);
    }

    /// Reports a decision of which a trace must not hold everything that the observer may read.
    #[inline]
    pub(super) fn observe_apart<'e>(
        &self,
        call_id: &'e str,
        observed: impl FnOnce() -> Decision<'e>,
        traced: impl FnOnce() -> Decision<'e>,
    ) {
        let parts = self.toolbox.parts();
        if is_heard() {
            let _ = guarded(|| tell(parts, call_id, &traced()));
        }
        if let Some(observer) = &parts.settings.observer {
            let _ = guarded(|| {
                let at = self.beginning.elapsed(parts);
                observer.event(&ToolEvent::new(at, call_id, observed()));
            });
        }
    }
}
