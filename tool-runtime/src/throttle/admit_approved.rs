//! Admits calls that waited for the host's decision, and counts them once the host has decided.
//!
//! Invariant: no rule throttles a call that the host has allowed.

use std::time::Duration;

use super::decide::AdmissionRequest;
use super::pause_and_probe::{Breaker, Pause, Probes};
use super::policy::ThrottlePolicy;
use super::recent_call::{CallIdentity, Check};
use super::state::{State, known};
use super::ticket::Phase;
use super::{Batch, Throttle, Ticket};
use crate::input::Arguments;

impl Throttle {
    /// Admits a call that the host has allowed, without asking the rules. The end of the call is counted as for any other call.
    pub fn admit_approved(&self, tool: usize, arguments: &Arguments<'_>, batch: Option<Batch>) -> Ticket<'_> {
        let now = self.clock.nanoseconds();
        let mut ticket = self.ticket(tool, batch, now, Phase::Running);
        let Some(subject) = self.policy.subject(tool) else { return ticket };
        let identity = if self.compares(tool) {
            CallIdentity::from_arguments(arguments, &subject.input)
        } else {
            CallIdentity::default()
        };
        let mut state = self.state();
        state.minute.note(now);
        state.run.known();
        if !self.policy.limits_for(subject).unlimited {
            let batch = batch.map(|Batch(number)| number);
            let request = AdmissionRequest {
                tool,
                subject,
                limits: self.policy.limits_for(subject),
                batch,
                now,
                identity: identity.checked(Check::Passed),
            };
            ticket.admitted.probes = state.pass(&self.policy, &request);
        }
        ticket
    }
}

impl State {
    /// Registers a call that can no longer be throttled. The call becomes a probe if its own pause or the pause of its tool has ended, or if the
    /// pause of its tool admits its arguments. They were checked before the host was asked.
    fn pass(&mut self, policy: &ThrottlePolicy, request: &AdmissionRequest<'_>) -> Probes {
        let AdmissionRequest { tool, identity, now, .. } = *request;
        let now = Duration::from_nanos(now);
        let is_over = |pause: &Pause| pause.gate(now) == Breaker::Probe;
        let number = self.probes;
        let state = known(&mut self.tools, tool);
        let at = if state.calls.is_empty() { None } else { state.find(identity) };
        let paused_call = at.filter(|&at| is_over(&state.calls[at].pause));
        let admits_early = state.admits_early(policy, request, &mut self.repeats);
        if !state.pause.as_ref().is_none_or(|pause| is_over(pause) || admits_early && pause.probing(now).is_none()) {
            return Probes::default();
        }
        let is_early = admits_early && state.pause.as_ref().is_some_and(|pause| pause.is_early(now));
        let probes = state.begin_probes(paused_call, is_early, number, now);
        self.probes += u64::from(probes.of_tool || probes.of_call);
        probes
    }
}
