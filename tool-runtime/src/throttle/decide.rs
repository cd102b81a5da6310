//! Decides whether a call may run.
//!
//! Invariants: a throttled call only changes the statistics. The rules are checked in the order of the table in `docs/wire.md`. If neither
//! the tool nor a call of it is paused, the decision only accesses two windows, and the arguments are not parsed.

use std::time::Duration;

use super::failures::failed_result;
use super::limits::CountingMode;
use super::messages::{ThrottledCall, paused, spent, too_fast};
use super::overrides::ToolLimits;
use super::pause_and_probe::{Breaker, Pause, Probes};
use super::policy::{Subject, ThrottlePolicy};
use super::rates::{CountedRate, Place};
use super::recent_call::{CallIdentity, Check};
use super::repeats::Repeats;
use super::state::{Changed, State, ToolState, known};
use crate::failure::ThrottleRule;

/// The maximum number of equal errors of a paused tool up to which arguments that were never tried may run, as a multiple of the number
/// that pauses the tool.
const MOST_TRIES: u32 = 2;

/// A request to run a call.
#[derive(Clone, Copy)]
pub(super) struct AdmissionRequest<'a> {
    pub(super) tool: usize,
    pub(super) subject: &'a Subject,
    pub(super) limits: &'a ToolLimits,
    pub(super) batch: Option<u64>,
    /// The time in nanoseconds.
    pub(super) now: u64,
    /// The identity of the call; the default value if no rule needs it.
    pub(super) identity: CallIdentity,
}

/// A call that may run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Admitted {
    pub(super) probes: Probes,
    /// The hash that distinguishes the call from other calls of its batch.
    pub(super) in_batch: u64,
    /// The number of times that the call was counted as a repetition within its batch.
    pub(super) repeated: u32,
}

/// The facts about a call that may run, used to count it.
pub(super) struct AdmittedCall<'p> {
    /// `true` if the tool or any of its calls is paused.
    is_paused: bool,
    paused_call: Option<usize>,
    /// `true` if the pause of the tool does not apply to the arguments of the call.
    is_early: bool,
    in_batch: u64,
    /// The rate of the called tool, if the call counts towards this rate.
    own: Option<&'p CountedRate>,
    /// The rate of the session, if the call counts towards this rate.
    all: Option<&'p CountedRate>,
}

impl State {
    /// Decides whether the call may run. If it may, counts the call.
    #[inline]
    pub(super) fn admit(
        &mut self,
        policy: &ThrottlePolicy,
        request: &AdmissionRequest<'_>,
    ) -> Result<Admitted, Box<ThrottledCall>> {
        let AdmittedCall { is_paused, paused_call, is_early, in_batch, own, all } = self.ask(policy, request)?;
        let AdmissionRequest { tool, batch, now, .. } = *request;
        let repeated = self.fan.note(batch, in_batch);
        let state = known(&mut self.tools, tool);
        state.batch = batch;
        if policy.limits().counting == CountingMode::Everything {
            if let Some(pace) = all {
                self.overall.note(pace, now);
            }
            if let Some(pace) = own {
                state.window.note(pace, now);
            }
        } else if repeated > 0 {
            self.count_repeated(policy, request, repeated);
        }
        if !is_paused {
            return Ok(Admitted { probes: Probes::default(), in_batch, repeated });
        }
        let state = known(&mut self.tools, tool);
        let probes = state.begin_probes(paused_call, is_early, self.probes, Duration::from_nanos(now));
        self.probes += u64::from(probes.of_tool || probes.of_call);
        Ok(Admitted { probes, in_batch, repeated })
    }

    /// Withdraws a call that was admitted at the time `at` and never started.
    #[cold]
    pub(super) fn withdraw(&mut self, tool: usize, admitted: Admitted, at: u64) {
        let Admitted { probes, repeated, .. } = admitted;
        self.overall.take_back(at, repeated);
        if let Some(Some(state)) = self.tools.get_mut(tool) {
            state.window.take_back(at, repeated);
            state.release(probes);
        }
    }

    /// Counts a call that repeats another call of its batch, because it cannot return a new result.
    #[cold]
    fn count_repeated(&mut self, policy: &ThrottlePolicy, request: &AdmissionRequest<'_>, times: u32) {
        let mut full_until = 0;
        let own =
            request.limits.same_tool_rate.as_ref().map(|pace| (pace, &mut known(&mut self.tools, request.tool).window));
        let all = policy.overall().map(|pace| (pace, &mut self.overall));
        for (pace, window) in own.into_iter().chain(all) {
            window.batch = request.batch;
            (0..times).for_each(|_| window.note(pace, request.now));
            full_until = full_until.max(window.full_until(pace));
        }
        self.mark_window_full(full_until);
    }

    /// Decides whether the call may run, without counting it.
    #[expect(clippy::inline_always, reason = "its result, handed on in memory, costs every call")]
    #[inline(always)]
    pub(super) fn ask<'p>(
        &mut self,
        policy: &'p ThrottlePolicy,
        request: &AdmissionRequest<'p>,
    ) -> Result<AdmittedCall<'p>, Box<ThrottledCall>> {
        let AdmissionRequest { tool, limits, batch, now, identity, .. } = *request;
        let Self { tools, overall, fan, run, repeats, renewed, .. } = self;
        if let Some(budget) = policy.limits().run_budget
            && run.is_spent(budget)
        {
            return Err(request.throttled(ThrottleRule::RunBudget, budget, spent(budget), None));
        }
        let state = known(tools, tool);
        let is_paused = state.pause.is_some() || !state.calls.is_empty();
        let (paused_call, is_early) =
            if is_paused { state.pass_gates(policy, request, repeats, *renewed)? } else { (None, false) };
        let in_batch = if batch.is_some() { identity.within(tool) } else { 0 };
        let place = fan.place(batch, in_batch);
        let counts = batch.is_none() || place == Place::Again || state.batch != batch;
        let own = limits.same_tool_rate.as_ref().filter(|_| counts);
        if let Some((pace, wait)) = own.and_then(|pace| Some((pace, state.window.wait(pace, now)?))) {
            return Err(request.too_fast(ThrottleRule::SameToolRate, pace, wait));
        }
        let all = policy.overall().filter(|_| place != Place::Another);
        if let Some((pace, wait)) = all.and_then(|pace| Some((pace, overall.wait(pace, now)?))) {
            return Err(request.too_fast(ThrottleRule::OverallRate, pace, wait));
        }
        Ok(AdmittedCall { is_paused, paused_call, is_early, in_batch, own, all })
    }
}

#[allow(clippy::unnecessary_box_returns)] // A throttled call is large, and calls that pass should not reserve space for it.
impl AdmissionRequest<'_> {
    #[cold]
    fn throttled(
        &self,
        rule: ThrottleRule,
        count: u32,
        message: String,
        retry_after: Option<Duration>,
    ) -> Box<ThrottledCall> {
        Box::new(ThrottledCall {
            tool: self.subject.name.clone(),
            rule,
            count,
            message,
            retry_after,
            admits_others: false,
        })
    }

    #[cold]
    fn too_fast(&self, rule: ThrottleRule, pace: &CountedRate, wait: Duration) -> Box<ThrottledCall> {
        let calls = u32::try_from(pace.rate.calls()).unwrap_or(u32::MAX);
        self.throttled(rule, calls, too_fast(&self.subject.name, rule, pace.rate), Some(wait))
    }
}

impl ToolState {
    /// Decides whether the pause of the tool and the pause of this particular call admit the call. If there is a pause of this particular
    /// call, returns its index, and the call becomes its probe. Also returns whether the pause of the tool does not apply to the arguments.
    #[cold]
    fn pass_gates(
        &mut self,
        policy: &ThrottlePolicy,
        request: &AdmissionRequest<'_>,
        repeats: &mut Repeats,
        renewed: u64,
    ) -> Result<(Option<usize>, bool), Box<ThrottledCall>> {
        let now = Duration::from_nanos(request.now);
        let pass = |pause: &Pause, gate: Breaker, admits_others: bool| {
            let reason = pause.reason;
            let (retry_after, is_probing) = match gate {
                Breaker::Open(wait) => (wait, false),
                Breaker::HalfOpen(wait) => (wait, true),
                Breaker::Probe => return Ok(()),
            };
            let partner = reason.partner.and_then(|partner| policy.name_of_tool(partner));
            let message = paused(&request.subject.name, reason, partner, is_probing);
            let throttled = request.throttled(reason.rule, reason.count, message, Some(retry_after));
            Err(Box::new(ThrottledCall { admits_others: admits_others && !is_probing, ..*throttled }))
        };
        let mut is_early = false;
        if let Some(pause) = &self.pause {
            let (gate, is_asked_again) = (pause.gate(now), request.identity.check == Check::Later);
            let admits = !matches!(gate, Breaker::HalfOpen(_)) && self.admits_early(policy, request, repeats);
            is_early = admits && !is_asked_again && pause.is_early(now);
            let gate = match gate {
                Breaker::Open(_) if admits && is_asked_again => Breaker::Probe,
                Breaker::Open(_) if admits => pause.probing(now).map_or(Breaker::Probe, Breaker::HalfOpen),
                gate => gate,
            };
            let admits_others = pause.probing(now).is_none()
                && self.admits_early(policy, &AdmissionRequest { identity: CallIdentity::LATER, ..*request }, repeats);
            if let Err(throttled) = pass(pause, gate, admits_others) {
                if let (Some(pause), Check::Open | Check::Passed) = (&mut self.pause, request.identity.check) {
                    pause.throttled.get_or_insert(request.identity.arguments);
                }
                return Err(throttled);
            }
        }
        let changed = Changed { by_others: repeats.changed(request.tool), renewed };
        self.end_pauses(changed, now, policy.limits().history);
        let paused_call = self.find(request.identity);
        if let Some(at) = paused_call {
            let pause = &self.calls[at].pause;
            pass(pause, pause.gate(now), true)?;
        }
        Ok((paused_call, is_early))
    }

    /// Returns `true` if the tool is paused, but the pause does not apply to the arguments of this call, so that it may run as an early probe.
    /// If the arguments will be checked later, returns `true` if there may be such arguments.
    ///
    /// - If only rejected arguments have caused the pause, it does not apply to valid arguments.
    /// - If the same error has caused it, it does not apply to arguments that were never tried, as long as few different arguments had this
    ///   error, if the tool has worked before, or if it has once failed with another error. But if each of the last decisions had the error, one call is throttled
    ///   first.
    /// - If the error quotes values that every call with this error has sent, it does not apply to arguments that lack one of them.
    ///
    /// A tool that has asked for a delay is never called early.
    pub(super) fn admits_early(
        &self,
        policy: &ThrottlePolicy,
        request: &AdmissionRequest<'_>,
        repeats: &mut Repeats,
    ) -> bool {
        let AdmissionRequest { tool, subject, limits, now, identity, .. } = *request;
        let Some(Pause { reason, throttled, .. }) = &self.pause else { return false };
        if Duration::from_nanos(now) < self.failures.until || matches!(identity.check, Check::Unknown | Check::Rejected)
        {
            return false;
        }
        if reason.admits_valid && identity.check != Check::Open {
            return true;
        }
        let Some((limit, seen)) =
            limits.same_error.map(|streak| streak.limit.max(1)).zip(self.failures.repeated(*reason))
        else {
            return false;
        };
        let is_later = identity.check == Check::Later;
        let differs = if is_later { seen.quoted != 0 } else { seen.quoted & !identity.values != 0 };
        let reacts = self.counters.has_worked() || self.failures.has_left_another(seen.error);
        let may_differ = reason.admits_new || reacts || differs;
        let is_limited = policy.limits().counting == CountingMode::Everything;
        if !may_differ || is_limited || reason.count >= limit.saturating_mul(MOST_TRIES) {
            return false;
        }
        let is_free = || {
            let was_throttled = throttled.is_some_and(|throttled| throttled != identity.arguments);
            was_throttled || differs || !repeats.is_stuck(tool, failed_result(seen.error), limit)
        };
        is_later || is_free() && !repeats.has_tried(tool, identity, &subject.input)
    }

    pub(super) fn find(&self, identity: CallIdentity) -> Option<usize> {
        let same = self.calls.iter().position(|call| call.identity.arguments == identity.arguments);
        same.or_else(|| {
            let value = identity.value?;
            self.calls.iter().position(|call| call.identity.value == Some(value))
        })
    }

    pub(super) fn begin_probes(
        &mut self,
        paused_call: Option<usize>,
        is_early: bool,
        number: u64,
        now: Duration,
    ) -> Probes {
        let mut probes = Probes { number, ..Probes::default() };
        if let Some(pause) = &mut self.pause {
            pause.begin(number, is_early, now);
            probes.of_tool = true;
        }
        if let Some(call) = paused_call.and_then(|at| self.calls.get_mut(at)) {
            call.pause.begin(number, false, now);
            probes.of_call = true;
        }
        probes
    }
}
