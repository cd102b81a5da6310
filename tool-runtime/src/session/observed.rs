//! What a session decides, told to whoever observes it.
//!
//! In: the call and what was decided about it. Out: an event with its time, and one of `tracing` where that is switched on. What always
//! holds: where nobody listens no decision is put into words and no clock is read; an observer that panics costs no model its answer.

use std::time::Duration;

use super::Session;
use super::invoke::guarded;
use super::traced::{is_heard, tell};
use crate::event::{Decision, ToolEvent};
use crate::toolbox::Parts;

/// The time at which a session begins; nothing where nobody will ask.
pub(super) fn beginning(parts: &Parts) -> Duration {
    if parts.settings.observer.is_some() { parts.settings.clock.now() } else { Duration::ZERO }
}

impl Session {
    #[inline]
    pub(super) fn observe<'e>(&self, call_id: &'e str, decision: impl FnOnce() -> Decision<'e>) {
        let parts = self.0.toolbox.parts();
        if parts.settings.observer.is_none() && !is_heard() {
            return;
        }
        let _ = guarded(|| {
            let decision = decision();
            tell(parts, call_id, &decision);
            if let Some(observer) = &parts.settings.observer {
                let at = parts.settings.clock.now().saturating_sub(self.0.began);
                observer.event(&ToolEvent::new(at, call_id, decision));
            }
        });
    }
}
