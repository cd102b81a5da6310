//! Asks the shared health of a tool whether a call may run, and reports the end of the call.
//!
//! In: a call that the throttle of the session has admitted. Out: its outcome. Invariants: every permit is reported once, also if the
//! future of the call is dropped. If the health is not known, the call runs. A session without a shared health pays nothing.

use std::sync::Arc;

use super::admit::Admitted;
use super::attempt::{Attempt, End};
use super::generation::Generation;
use super::invoke::{Interruption, Race, guarded};
use super::{Outcome, Session};
use crate::context::CallContext;
use crate::decode::Parsed;
use crate::event::Decision;
use crate::throttle::{HealthEnd, HealthPermit, NotAdmitted, SharedHealth};
use crate::toolbox::Entry;

impl Session {
    pub(super) fn share_health(&self, health: Option<Arc<dyn SharedHealth>>) {
        if let Some(health) = health {
            self.0.first.shared.starts.share(health);
        }
    }
}

impl Generation {
    /// Runs a call if the shared health of its tool admits it.
    pub(super) async fn ask_and_run<'a>(
        &'a self,
        health: &'a dyn SharedHealth,
        entry: &'a Entry,
        mut attempt: Attempt<'a>,
        admitted: Admitted,
    ) -> Outcome {
        let cx = CallContext::new(attempt.call_id, entry.position, Arc::clone(&self.scope));
        let decided = match guarded(|| health.admit(&entry.name)) {
            Ok(asked) => Race::new(self.shared.running.register(&cx), &cx, asked).await,
            Err(interruption) => Err(interruption),
        };
        let permitted = match decided {
            Ok(Ok(permit)) => Some(Permitted { health, tool: &entry.name, permit: Some(permit) }),
            Ok(Err(NotAdmitted::Refused(refusal))) => {
                drop(attempt.ticket.take());
                return self.settle(attempt, End::Throttled(refusal));
            }
            Ok(Err(NotAdmitted::Unknown(reason))) => self.run_unknown(entry, &attempt, &reason),
            Err(Interruption::Panicked(_)) => self.run_unknown(entry, &attempt, "the shared health panicked"),
            Err(interruption) => return self.end(entry, attempt, Err(interruption), Parsed::NotYet),
        };
        let outcome = self.decode_and_run(entry, attempt, admitted).await;
        if let Some(permitted) = permitted {
            permitted.report(&outcome);
        }
        outcome
    }

    fn run_unknown(&self, entry: &Entry, attempt: &Attempt<'_>, reason: &str) -> Option<Permitted<'static>> {
        self.observe(attempt.call_id, || Decision::HealthUnknown { tool: &entry.name, reason });
        None
    }

    /// Reports the end of a call that the host has approved, and that therefore has not asked.
    pub(super) fn report_approved(&self, tool: &str, outcome: &Outcome) {
        if let Some(health) = self.shared.starts.health() {
            Permitted { health, tool, permit: Some(HealthPermit::default()) }.report(outcome);
        }
    }
}

/// The permit of a running call. If it is dropped, its end says nothing about the tool.
struct Permitted<'a> {
    health: &'a dyn SharedHealth,
    tool: &'a str,
    permit: Option<HealthPermit>,
}

impl Permitted<'_> {
    fn report(mut self, outcome: &Outcome) {
        self.send(HealthEnd::of(outcome.failure()));
    }

    fn send(&mut self, end: HealthEnd) {
        if let Some(permit) = self.permit.take() {
            // A panic changes nothing about the outcome of the call.
            let _ = guarded(|| self.health.report(self.tool, permit, end));
        }
    }
}

impl Drop for Permitted<'_> {
    fn drop(&mut self) {
        self.send(HealthEnd::Neutral);
    }
}
