//! The permission of the shared health of a tool: [`Permit`].

use super::Outcome;
use super::run_interruptible::guarded;
use crate::throttle::{HealthEnd, HealthPermit, SharedHealth};

/// The permit of a running call. If it is dropped, its end says nothing about the tool.
pub(super) struct Permit<'a> {
    pub(super) health: &'a dyn SharedHealth,
    pub(super) tool: &'a str,
    pub(super) granted: Option<HealthPermit>,
}

impl Permit<'_> {
    pub(super) fn report(mut self, outcome: &Outcome) {
        self.send(HealthEnd::from_failure(outcome.failure()));
    }

    fn send(&mut self, end: HealthEnd) {
        if let Some(permit) = self.granted.take() {
            // A panic changes nothing about the outcome of the call.
            let _ = guarded(|| self.health.report(self.tool, permit, end));
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.send(HealthEnd::Neutral);
    }
}
