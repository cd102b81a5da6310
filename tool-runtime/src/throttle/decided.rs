//! Calls of which the host decides: asked about before it is, and counted once it has decided.
//!
//! In: a call that the host is to be asked about, or that it has answered for. Out: the refusal that makes the question needless, or a
//! ticket. What always holds: to ask counts for nothing but a refusal, and what the host lets pass no rule refuses any more: a human is
//! not asked in vain.

use std::time::Duration;

use super::admission::{Told, Wish};
use super::pause::{Gate, Pause, Probes};
use super::state::State;
use super::ticket::Phase;
use super::{Batch, Refusal, Throttle, Ticket};
use crate::input::Arguments;

impl Throttle {
    /// Asks whether a call would be let through, which nothing counts for as long as it would.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, shape::{Ref, Shape}};
    /// # use tool_runtime::throttle::{Limits, Overrides, Policy, Throttle};
    /// # let mut policy = Policy::new(Limits::default());
    /// # let read = policy.tool("read", Ref::Static(Shape::ANY), &Overrides::NONE);
    /// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
    /// for _ in 0..100 {
    ///     throttle.ask(read, &"{}".into(), None)?;
    /// }
    /// assert!(throttle.admit(read, &"{}".into(), None).is_ok());
    /// # Ok::<(), tool_runtime::throttle::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// With what [`admit`](Self::admit) would say; then the call counts as one that was refused.
    pub fn ask(&self, tool: usize, arguments: &Arguments<'_>, batch: Option<Batch>) -> Result<(), Refusal> {
        let Some(subject) = self.policy.subject(tool) else { return Ok(()) };
        let limits = self.policy.of(subject);
        if limits.unlimited {
            return Ok(());
        }
        let now = self.clock.now();
        let (mut state, told) = self.told(tool, batch.is_some(), || Told::of(arguments, &subject.input));
        let wish = Wish { tool, subject, limits, batch: batch.map(|Batch(number)| number), now, told };
        let asked = state.ask(&self.policy, &wish);
        if asked.is_err() {
            state.minute.note(now);
            state.run.known();
            state.tool(tool).counters.throttled += 1;
        }
        asked.map(drop).map_err(|refusal| *refusal)
    }

    /// Lets a call through that the host has decided on, whatever the rules say; how it ends counts like the end of any other call.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, shape::{Ref, Shape}};
    /// # use tool_runtime::throttle::{Exit, Limits, Overrides, Policy, Throttle};
    /// # let mut policy = Policy::new(Limits::default());
    /// # let read = policy.tool("read", Ref::Static(Shape::ANY), &Overrides::NONE);
    /// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
    /// throttle.pass(read, &"{}".into(), None).report(&"{}".into(), Exit::Denied);
    /// assert_eq!(throttle.statistics().tools[0].undecided, 1);
    /// ```
    pub fn pass(&self, tool: usize, arguments: &Arguments<'_>, batch: Option<Batch>) -> Ticket<'_> {
        let now = self.clock.now();
        let mut ticket = self.ticket(tool, batch, now, Phase::Running);
        let Some(subject) = self.policy.subject(tool) else { return ticket };
        let (mut state, told) = self.told(tool, false, || Told::of(arguments, &subject.input));
        state.minute.note(now);
        state.run.known();
        if !self.policy.of(subject).unlimited {
            ticket.admitted.probes = state.pass(tool, now, told);
        }
        ticket
    }
}

impl State {
    /// What a call tells that nobody can refuse any more: where a pause is over, as much as its probe.
    fn pass(&mut self, tool: usize, now: Duration, told: Told) -> Probes {
        let is_over = |pause: &Pause| pause.gate(now) == Gate::Probe;
        let number = self.probes;
        let state = self.tool(tool);
        let at = if state.calls.is_empty() { None } else { state.find(told) };
        let paused_call = at.filter(|&at| is_over(&state.calls[at].pause));
        if !state.pause.as_ref().is_none_or(is_over) {
            return Probes::default();
        }
        let probes = state.begin_probes(paused_call, number, now);
        self.probes += u64::from(probes.of_tool || probes.of_call);
        probes
    }
}
