//! Asks the shared health of a tool whether a call may run.
//!
//! In: a call that the throttle of the session has admitted. Out: the permit, or the end of the call. Invariants: every permit is reported once, also if the
//! future of the call is dropped. If the health is not known, the call runs. A session without a shared health pays nothing.

use super::Outcome;
use super::attempt::{Attempt, End};
use super::health_permit::Permit;
use super::run_interruptible::{Interruption, Race, guarded};
use super::session_with_toolbox::SessionView;
use crate::event::EventKind;
use crate::throttle::{HealthPermit, NotAdmitted};
use crate::toolbox::Entry;

impl SessionView {
    /// Asks the shared health of a tool whether a call may run. This is a stage.
    pub(super) async fn ask_shared_health<'a>(
        &'a self,
        entry: &'a Entry,
        call: &mut Attempt<'a>,
    ) -> Result<(), End<'a>> {
        let Some(health) = self.shared.durability.health() else { return Ok(()) };
        let cx = self.context(entry, call);
        let decided = match guarded(|| health.admit(&entry.name)) {
            // Boxed, to keep the future of the other calls small.
            Ok(asked) => Box::pin(Race::new(self.shared.running.register(cx), cx, asked)).await,
            Err(interruption) => Err(interruption),
        };
        let unknown = |reason: &str| {
            self.observe(call.call_id, || EventKind::HealthUnknown { tool: &entry.name, reason });
        };
        match decided {
            Ok(Ok(permit)) => call.permit = Some(Box::new(Permit { health, tool: &entry.name, granted: Some(permit) })),
            Ok(Err(NotAdmitted::Throttled(rejection))) => {
                drop(call.ticket.take());
                return Err(End::Throttled(rejection));
            }
            Ok(Err(NotAdmitted::Unknown(reason))) => unknown(&reason),
            Err(Interruption::Panicked(_)) => unknown("the shared health panicked"),
            Err(interruption) => return Err(End::Interrupted(interruption)),
        }
        Ok(())
    }

    /// Reports the end of a call that the host has approved, and that therefore has not asked.
    pub(super) fn report_approved(&self, tool: &str, outcome: &Outcome) {
        if let Some(health) = self.shared.durability.health() {
            Permit { health, tool, granted: Some(HealthPermit::default()) }.report(outcome);
        }
    }
}
