//! Admits calls that waited for the host's decision, and counts them once the host has decided.
//!
//! Invariant: no rule refuses a call that the host has allowed.

use std::time::Duration;

use super::admission::Told;
use super::pause::{Gate, Pause, Probes};
use super::state::State;
use super::ticket::Phase;
use super::{Batch, Throttle, Ticket};
use crate::input::Arguments;

impl Throttle {
    /// Admits a call that the host has allowed, without asking the rules. The end of the call is counted as for any other call.
    pub fn pass(&self, tool: usize, arguments: &Arguments<'_>, batch: Option<Batch>) -> Ticket<'_> {
        let now = self.clock.nanoseconds();
        let mut ticket = self.ticket(tool, batch, now, Phase::Running);
        let Some(subject) = self.policy.subject(tool) else { return ticket };
        let told = if self.compares(tool) { Told::of(arguments, &subject.input) } else { Told::default() };
        let mut state = self.state();
        state.minute.note(now);
        state.run.known();
        if !self.policy.of(subject).unlimited {
            ticket.admitted.probes = state.pass(tool, Duration::from_nanos(now), told);
        }
        ticket
    }
}

impl State {
    /// Registers a call that can no longer be refused. The call becomes a probe if its own pause or the pause of its tool has ended, or if the
    /// pause of its tool admits valid arguments: they were checked before the host was asked.
    fn pass(&mut self, tool: usize, now: Duration, told: Told) -> Probes {
        let is_over = |pause: &Pause| pause.gate(now) == Gate::Probe;
        let number = self.probes;
        let state = self.tool(tool);
        let at = if state.calls.is_empty() { None } else { state.find(told) };
        let paused_call = at.filter(|&at| is_over(&state.calls[at].pause));
        let admits_valid = state.depends_on_arguments(now);
        if !state.pause.as_ref().is_none_or(|pause| is_over(pause) || admits_valid && pause.probing(now).is_none()) {
            return Probes::default();
        }
        let probes = state.begin_probes(paused_call, number, now);
        self.probes += u64::from(probes.of_tool || probes.of_call);
        probes
    }
}
