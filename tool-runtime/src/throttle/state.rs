//! What a session remembers of its calls, and the order in which the rules are asked.
//!
//! In: a call that wants to run, and how it ended. Out: whether it may, and what is to be said beside its answer. What always holds: a
//! refused call changes nothing but the statistics; the rules are asked in the order of the table in WIRE §5, so that the first one is
//! the one that speaks.

use std::time::Duration;

use super::failures::{Failed, Failures};
use super::limits::Rate;
use super::overrides::ToolLimits;
use super::pause::{Gate, Pause, Probes};
use super::policy::{Policy, Subject};
use super::rates::{Fan, Place, Window, nanoseconds};
use super::repeats::{Call, Found, Identity, Repeats};
use super::run::Run;
use super::statistics::{Counters, Minute};
use super::words::{Finding, Reason, Refusal, Warning, paused, spent, too_fast, warning};
use crate::failure::ThrottleRule;
use crate::hash::Mixer;

/// How many calls of one tool can be paused at a time; the one that was paused first gives way.
const PAUSED_CALLS: usize = 4;

/// All that a session remembers.
#[derive(Debug, Default)]
pub(super) struct State {
    /// By the number of the tool; made when it is called first.
    pub(super) tools: Vec<Option<Box<ToolState>>>,
    pub(super) repeats: Repeats,
    pub(super) overall: Window,
    pub(super) fan: Fan,
    pub(super) run: Run,
    pub(super) minute: Minute,
    pub(super) unknown_names: u64,
    /// How many probes there were; numbers them.
    pub(super) probes: u64,
}

/// What is remembered of one tool.
#[derive(Debug, Default)]
pub(super) struct ToolState {
    pub(super) failures: Failures,
    pub(super) pause: Option<Pause>,
    pub(super) calls: Vec<CallPause>,
    pub(super) window: Window,
    /// The last batch that counted for the window.
    batch: Option<u64>,
    pub(super) counters: Counters,
}

/// A pause of one call: of a tool with certain arguments.
#[derive(Debug)]
pub(super) struct CallPause {
    identity: Identity,
    pub(super) pause: Pause,
}

/// A call that wants to run.
pub(super) struct Wish<'a> {
    pub(super) tool: usize,
    pub(super) subject: &'a Subject,
    pub(super) limits: &'a ToolLimits,
    pub(super) batch: Option<u64>,
    pub(super) now: Duration,
}

/// What is known of a call that may run, to count it.
pub(super) struct Passing {
    paused_call: Option<usize>,
    /// Tells it from the others of its batch.
    call: u64,
    /// The rates that it counts for.
    rate: Option<Rate>,
    all: Option<Rate>,
}

impl State {
    pub(super) fn tool(&mut self, tool: usize) -> &mut ToolState {
        known(&mut self.tools, tool)
    }

    /// Whether the call may run; where it may, it does from here on. `arguments` tells the hash of its arguments, `value`, which is asked
    /// for less often, that of their value.
    pub(super) fn admit(
        &mut self,
        policy: &Policy,
        wish: &Wish<'_>,
        arguments: impl FnMut() -> u64,
        value: impl FnMut() -> Option<u64>,
    ) -> Result<Probes, Refusal> {
        let Wish { tool, batch, now, .. } = *wish;
        let Passing { paused_call, call, rate, all } = self.ask(policy, wish, arguments, value)?;
        let Self { tools, overall, fan, probes: number, .. } = self;
        let (state, passing) = (known(tools, tool), nanoseconds(now));
        fan.note(batch, call);
        if let Some(rate) = all {
            overall.note(rate, passing);
        }
        state.batch = batch;
        if let Some(rate) = rate {
            state.window.note(rate, passing);
        }
        let probes = state.begin_probes(paused_call, *number, now);
        *number += u64::from(probes.of_tool || probes.of_call);
        Ok(probes)
    }

    /// Whether the call may run. Nothing counts for it.
    pub(super) fn ask(
        &mut self,
        policy: &Policy,
        wish: &Wish<'_>,
        mut arguments: impl FnMut() -> u64,
        value: impl FnMut() -> Option<u64>,
    ) -> Result<Passing, Refusal> {
        let Wish { tool, subject, limits, batch, now } = *wish;
        let session = policy.limits();
        let refusal = |rule, message, retry_after| Refusal { tool: subject.name.clone(), rule, message, retry_after };
        let Self { tools, overall, fan, run, .. } = self;
        if let Some(budget) = session.run_budget.filter(|&budget| run.is_spent(budget)) {
            return Err(refusal(ThrottleRule::RunBudget, spent(budget), None));
        }
        let closed = |reason: Reason, gate| {
            let partner = reason.partner.and_then(|partner| policy.name(partner));
            let (retry_after, is_probing) = match gate {
                Gate::Closed(wait) => (wait, false),
                Gate::Probing(wait) => (wait, true),
                Gate::Probe => return Ok(()),
            };
            let message = paused(&subject.name, reason, partner, is_probing);
            Err(refusal(reason.rule, message, Some(retry_after)))
        };
        let state = known(tools, tool);
        if let Some(pause) = &state.pause {
            closed(pause.reason, pause.gate(now))?;
        }
        let mut paused_call = None;
        if !state.calls.is_empty() {
            state.calls.retain(|call| !call.pause.is_forgotten(now, session.history));
            paused_call = state.find(arguments(), value);
            if let Some(at) = paused_call {
                let pause = &state.calls[at].pause;
                closed(pause.reason, pause.gate(now))?;
            }
        }
        let call = if batch.is_some() { Mixer::new().word(tool as u64).word(arguments()).sum() } else { 0 };
        let place = fan.place(batch, call);
        let passing = nanoseconds(now);
        let counts = batch.is_none() || place == Place::Again || state.batch != batch;
        let rate = limits.same_tool_rate.filter(|_| counts);
        if let Some((rate, wait)) = rate.and_then(|rate| Some((rate, state.window.wait(rate, passing)?))) {
            let rule = ThrottleRule::SameToolRate;
            return Err(refusal(rule, too_fast(&subject.name, rule, rate), Some(wait)));
        }
        let all = session.overall_rate.filter(|_| place != Place::Another);
        if let Some((rate, wait)) = all.and_then(|rate| Some((rate, overall.wait(rate, passing)?))) {
            let rule = ThrottleRule::OverallRate;
            return Err(refusal(rule, too_fast(&subject.name, rule, rate), Some(wait)));
        }
        Ok(Passing { paused_call, call, rate, all })
    }

    /// A call ended without a verdict on the tool or on the call.
    pub(super) fn release(&mut self, tool: usize, probes: Probes) {
        let state = self.tool(tool);
        if let Some(pause) = state.pause.as_mut().filter(|pause| pause.is_probe(probes.tool())) {
            pause.release();
        }
        for call in state.calls.iter_mut().filter(|call| call.pause.is_probe(probes.call())) {
            call.pause.release();
        }
    }

    /// A call ended; what is to be said beside its answer.
    pub(super) fn conclude(
        &mut self,
        policy: &Policy,
        limits: &ToolLimits,
        call: &Call<'_>,
        failed: Option<Failed>,
        probes: Probes,
    ) -> Option<Warning> {
        let Self { tools, repeats, run, .. } = self;
        if failed.is_some() {
            run.fail(call.batch);
        }
        let history = policy.limits().history;
        let state = known(tools, call.tool);
        let finding = state.judge(limits, call, failed, probes, history);
        let at = repeats.note(call, history);
        let input = call.input;
        if !state.settle_calls(call, failed.is_some(), probes) || matches!(finding, Some(Finding::Pause(..))) {
            return said(policy, call.tool, finding?);
        }
        let identical = limits.identical_call.filter(|_| failed.is_none());
        let found = repeats.identical(at, identical, input).or_else(|| {
            repeats.alternating(at, |tool| {
                let subject = policy.subject(tool)?;
                let limits = policy.of(subject);
                Some((limits.alternating_calls.filter(|_| !limits.unlimited)?, &subject.input))
            })
        });
        let Some(found) = found else { return said(policy, call.tool, finding?) };
        if let Finding::Pause(reason, backoff) = found.finding {
            self.pause_calls(&found, reason, &Pause::new(reason, backoff, call.ended));
        }
        said(policy, call.tool, finding.unwrap_or(found.finding))
    }

    fn pause_calls(&mut self, found: &Found, reason: Reason, pause: &Pause) {
        self.tool(found.call.tool).pause_call(found.call, pause.clone());
        if let Some(partner) = found.partner {
            let reason = Reason { partner: Some(found.call.tool), ..reason };
            self.tool(partner.tool).pause_call(partner, pause.clone().because(reason));
        }
    }
}

impl ToolState {
    /// What the rules about failures say; a pause begins, ends or grows.
    fn judge(
        &mut self,
        limits: &ToolLimits,
        call: &Call<'_>,
        failed: Option<Failed>,
        probes: Probes,
        history: Duration,
    ) -> Option<Finding> {
        let Some(failed) = failed else {
            match &self.pause {
                // Let through before the pause began: it tells of then, not of now.
                Some(pause) if !pause.is_probe(probes.tool()) => {}
                _ => {
                    self.pause = None;
                    self.failures.succeed(call.batch);
                }
            }
            return None;
        };
        match &mut self.pause {
            Some(pause) if pause.is_probe(probes.tool()) => pause.lengthen(call.ended),
            Some(_) => {}
            None => {
                let finding = self.failures.fail(limits, failed, call.batch, call.ended, history);
                if let Some(Finding::Pause(reason, backoff)) = finding {
                    self.pause = Some(Pause::new(reason, backoff, call.ended));
                }
                return finding;
            }
        }
        None
    }

    /// What became of the pause of this very call; false where there is one, so that it needs no other.
    fn settle_calls(&mut self, call: &Call<'_>, has_failed: bool, probes: Probes) -> bool {
        if self.calls.is_empty() {
            return true;
        }
        let probe = self.calls.iter().position(|paused| paused.pause.is_probe(probes.call()));
        match probe {
            Some(at) if has_failed || self.calls[at].identity.result == call.result => {
                self.calls[at].pause.lengthen(call.ended);
                false
            }
            Some(at) => {
                self.calls.remove(at);
                true
            }
            None => !self.calls.iter().any(|paused| paused.identity.arguments == call.arguments),
        }
    }

    pub(super) fn find(&self, arguments: u64, mut value: impl FnMut() -> Option<u64>) -> Option<usize> {
        let same = self.calls.iter().position(|call| call.identity.arguments == arguments);
        same.or_else(|| {
            let value = value()?;
            self.calls.iter().position(|call| call.identity.value == Some(value))
        })
    }

    pub(super) fn begin_probes(&mut self, paused_call: Option<usize>, number: u64, now: Duration) -> Probes {
        let mut probes = Probes { number, ..Probes::default() };
        if let Some(pause) = &mut self.pause {
            pause.begin(number, now);
            probes.of_tool = true;
        }
        if let Some(call) = paused_call.and_then(|at| self.calls.get_mut(at)) {
            call.pause.begin(number, now);
            probes.of_call = true;
        }
        probes
    }

    fn pause_call(&mut self, identity: Identity, pause: Pause) {
        self.calls.retain(|call| call.identity.arguments != identity.arguments);
        if self.calls.len() == PAUSED_CALLS {
            self.calls.remove(0);
        }
        self.calls.push(CallPause { identity, pause });
    }
}

/// The state of a tool, made where it was never called.
#[inline]
fn known(tools: &mut Vec<Option<Box<ToolState>>>, tool: usize) -> &mut ToolState {
    if tools.len() <= tool {
        tools.resize_with(tool + 1, || None);
    }
    tools[tool].get_or_insert_default()
}

/// What is said beside the answer; a pause is said to the next call.
fn said(policy: &Policy, tool: usize, finding: Finding) -> Option<Warning> {
    let Finding::Warn(reason, refuse) = finding else { return None };
    let partner = reason.partner.and_then(|partner| policy.name(partner));
    Some(warning(policy.name(tool)?, reason, refuse, partner))
}
