//! The state of a session, and the application of the rules to a call that has ended.
//!
//! Invariant: the rules are applied in the order of the table in `docs/wire.md`, and only the first warning is reported. The module
//! `admission` decides whether a call may run.

use std::time::Duration;

use super::failures::{EndTime, Failed, Failures, failed_result, marked};
use super::limits::{CountingMode, SessionLimits};
use super::messages::{Finding, Reason, Warning, warning};
use super::outcome::CallEnd;
use super::overrides::ToolLimits;
use super::pause_and_probe::{Pause, Probes};
use super::policy::ThrottlePolicy;
use super::rates::{BatchCalls, Window};
use super::recent_call::{Call, Identity};
use super::repeats::{FoundCall, RecordedCall, Repeats};
use super::session_rules::Run;
use super::statistics::{Counters, Minute};
use crate::fast_hash::hash;

/// The maximum number of paused calls of one tool. A further pause replaces the oldest one.
pub(super) const PAUSED_CALLS: usize = 4;

/// The state of a session.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The state of each tool, indexed by the number of the tool; `None` until its first call.
    pub(super) tools: Vec<Option<Box<ToolState>>>,
    pub(super) repeats: Repeats,
    pub(super) overall: Window,
    pub(super) fan: BatchCalls,
    pub(super) run: Run,
    pub(super) minute: Minute,
    pub(super) unknown_names: u64,
    /// The number of probes so far. The next probe gets this number.
    pub(super) probes: u64,
    /// The number of calls that have returned something new.
    pub(super) news: u64,
    /// The number of the last decision in which a tool that is not read-only returned a new result.
    pub(super) renewed: u64,
    /// `true` if a tool or a call may be paused.
    pub(super) is_guarded: bool,
    /// The time in nanoseconds until which a full window may throttle calls.
    pub(super) crowded_until: u64,
}

/// The state of one tool.
#[derive(Debug, Default)]
pub(super) struct ToolState {
    pub(super) failures: Failures,
    pub(super) pause: Option<Pause>,
    pub(super) calls: Vec<CallPause>,
    pub(super) window: Window,
    /// The last batch with an admitted call of the tool.
    pub(super) batch: Option<u64>,
    /// The number of the last decision in which this tool returned a new result.
    pub(super) renewed: u64,
    pub(super) counters: Counters,
}

/// A pause that applies to one call: the tool is throttled only for the same arguments.
#[derive(Debug)]
pub(super) struct CallPause {
    pub(super) identity: Identity,
    pub(super) pause: Pause,
    /// The number of the decision in which the pause began.
    pub(super) decision: u64,
}

/// The numbers of decisions after which a paused call may have another result: the last decision of each of two kinds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changed {
    /// The last decision in which another tool that is not read-only succeeded.
    pub(super) by_others: u64,
    /// The last decision in which any tool that is not read-only returned a new result.
    pub(super) renewed: u64,
}

/// A call that has ended, with the facts that the rules need.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) call: Call<'a>,
    pub(super) exit: CallEnd<'a>,
    pub(super) failed: Option<Failed>,
    pub(super) argument_bytes: usize,
    pub(super) probes: Probes,
    /// The hash that identifies the call within its batch.
    pub(super) in_batch: u64,
}

impl State {
    pub(super) fn tool(&mut self, tool: usize) -> &mut ToolState {
        known(&mut self.tools, tool)
    }

    /// Counts a call that started at this time without asking, and belongs to no batch.
    #[inline]
    pub(super) fn started(&mut self, tool: usize, began: u64, is_unlimited: bool) {
        self.minute.note(began);
        self.run.known();
        if !is_unlimited {
            self.tool(tool).batch = None;
        }
    }

    /// Records the end of a call and returns the warning to add to its answer.
    #[expect(clippy::inline_always, reason = "most of the branches are left out for a success")]
    #[inline(always)]
    pub(super) fn conclude(
        &mut self,
        policy: &ThrottlePolicy,
        limits: &ToolLimits,
        end: End<'_>,
    ) -> Option<Box<Warning>> {
        let End { call, exit, failed, argument_bytes, probes, in_batch } = end;
        let Self { tools, repeats, run, news, renewed, is_guarded, .. } = self;
        let state = known(tools, call.tool);
        state.counters.note(exit, argument_bytes, call.ended.saturating_sub(call.began));
        if limits.unlimited {
            repeats.note_change(call, exit.is_neutral());
            return None;
        }
        if exit.is_neutral() {
            state.release(probes);
            return None;
        }
        if failed.is_some() {
            run.fail(call.batch);
        }
        let session = policy.limits();
        let noted = repeats.note(call, session.history);
        let moment = EndTime { batch: call.batch, ended: call.ended, news: *news };
        let is_new = end.is_new(noted);
        let was_paused = state.pause.is_some();
        let finding = state.judge(limits, session, failed, is_new, probes, moment);
        if failed.is_some() {
            state.note_variants(limits, repeats, call.tool, was_paused);
        }
        *is_guarded |= state.pause.is_some();
        let is_paused = !state.settle_calls(call, failed.is_some(), probes);
        if is_new {
            *news += 1;
            if !call.is_read_only && !noted.is_near {
                (state.renewed, *renewed) = (repeats.decision(), repeats.decision());
            }
        } else if session.counting == CountingMode::Unproductive {
            self.count_unproductive(policy, limits, call.tool, call.batch, call.ended, in_batch);
        }
        if is_paused || matches!(finding, Some(Finding::Pause(..))) {
            return warning_of(policy, call.tool, finding?);
        }
        let (repeats, input) = (&mut self.repeats, call.input);
        let identical = limits.identical_call.as_ref().filter(|_| failed.is_none());
        let found = repeats.identical(identical, input).or_else(|| {
            repeats.alternating(|tool| {
                let subject = policy.subject(tool)?;
                let limits = policy.limits_for(subject);
                Some((limits.alternating_calls.filter(|_| !limits.unlimited)?, &subject.input))
            })
        });
        let Some(found) = found else { return warning_of(policy, call.tool, finding?) };
        if let Finding::Pause(reason, backoff) = found.finding {
            self.pause_calls(&found, reason, &Pause::new(reason, backoff, call.ended()));
        }
        warning_of(policy, call.tool, finding.unwrap_or(found.finding))
    }

    /// Counts a call without a new result towards the rates.
    #[cold]
    fn count_unproductive(
        &mut self,
        policy: &ThrottlePolicy,
        limits: &ToolLimits,
        tool: usize,
        batch: Option<u64>,
        ended: u64,
        in_batch: u64,
    ) {
        if self.fan.is_repeated(batch, in_batch) {
            // The call was counted before it ran.
            return;
        }
        if let Some(pace) = &limits.same_tool_rate {
            let window = &mut known(&mut self.tools, tool).window;
            window.note_once(pace, batch, ended);
            self.crowded_until = self.crowded_until.max(window.full_until(pace));
        }
        if let Some(pace) = policy.overall() {
            self.overall.note_once(pace, batch, ended);
            self.crowded_until = self.crowded_until.max(self.overall.full_until(pace));
        }
    }

    fn pause_calls(&mut self, found: &FoundCall, reason: Reason, pause: &Pause) {
        self.is_guarded = true;
        let decision = self.repeats.decision();
        self.tool(found.call.tool).pause_call(found.call, pause.clone(), decision);
        if let Some(partner) = found.partner {
            let reason = Reason { partner: Some(found.call.tool), ..reason };
            self.tool(partner.tool).pause_call(partner, pause.clone().because(reason), decision);
        }
    }

    /// Returns the time in nanoseconds from which no pause and no full window can throttle a call.
    pub(super) const fn open_from(&self) -> u64 {
        if self.is_guarded { u64::MAX } else { self.crowded_until }
    }

    /// Remembers that a window is full until this time.
    pub(super) fn mark_window_full(&mut self, until: u64) {
        self.crowded_until = self.crowded_until.max(until);
    }

    /// Looks for pauses; does nothing if none were recorded.
    #[inline]
    pub(super) fn apply_pauses(&mut self) {
        if self.is_guarded {
            self.is_guarded = self.tools.iter().flatten().any(|tool| tool.pause.is_some() || !tool.calls.is_empty());
        }
    }

    /// Shortens the windows to the limits of a policy.
    pub(super) fn fit(&mut self, policy: &ThrottlePolicy) {
        self.is_guarded = true;
        if let Some(pace) = policy.overall() {
            self.overall.fit(pace);
            self.crowded_until = self.crowded_until.max(self.overall.full_until(pace));
        }
        for (tool, state) in self.tools.iter_mut().enumerate() {
            let pace = policy.subject(tool).and_then(|subject| policy.limits_for(subject).same_tool_rate.as_ref());
            if let (Some(state), Some(pace)) = (state, pace) {
                state.window.fit(pace);
                self.crowded_until = self.crowded_until.max(state.window.full_until(pace));
            }
        }
    }

    /// Returns `true` if the decision about the next call of this tool depends on its arguments.
    #[inline]
    pub(super) fn compares(&self, tool: usize) -> bool {
        let Some(Some(state)) = self.tools.get(tool) else { return false };
        !state.calls.is_empty() || state.pause.as_ref().is_some_and(|pause| pause.reason.depends_on_arguments())
    }
}

impl End<'_> {
    /// Returns `true` if the call returned something new.
    #[inline]
    fn is_new(self, noted: RecordedCall) -> bool {
        let CallEnd::Succeeded { result, .. } = self.exit else { return false };
        // An empty list means that nothing was found, so it is never new.
        let is_known = noted.is_known || (noted.is_near && self.call.is_read_only);
        !is_known && result != "[]"
    }
}

impl ToolState {
    /// If this call was a probe, allows another probe, because the end of the call says nothing about the tool.
    pub(super) fn release(&mut self, probes: Probes) {
        if let Some(pause) = self.pause.as_mut().filter(|pause| pause.is_probe(probes.tool())) {
            pause.release();
        }
        for call in self.calls.iter_mut().filter(|call| call.pause.is_probe(probes.call())) {
            call.pause.release();
        }
    }

    /// Applies the rules about failures, which may begin, end or extend a pause.
    #[expect(clippy::inline_always, reason = "most of the branches are left out for a success")]
    #[inline(always)]
    pub(super) fn judge(
        &mut self,
        limits: &ToolLimits,
        session: &SessionLimits,
        failed: Option<Failed>,
        is_new: bool,
        probes: Probes,
        moment: EndTime,
    ) -> Option<Finding> {
        let EndTime { batch, .. } = moment;
        let Some(failed) = failed else {
            match &mut self.pause {
                // Otherwise, a model that repeats one valid call between its mistakes would never be paused.
                Some(pause) if pause.is_early_probe(probes.tool()) && !is_new => pause.release(),
                // The call is not the probe, so it was admitted before the pause began. Its success does not end the pause, unless the
                // failure that began the pause was in the same batch.
                Some(pause) if !pause.is_probe(probes.tool()) && !self.failures.failed_in(batch) => {}
                _ => {
                    self.pause = None;
                    self.failures.succeed(batch);
                }
            }
            return None;
        };
        let now = moment.now();
        let finding = match &mut self.pause {
            // The failure counts as if there had been no pause. It counts as one of the tool itself, because the arguments were valid.
            Some(pause) if pause.is_early_probe(probes.tool()) => {
                let failed = Failed { error: marked(failed.error, false), ..failed };
                let finding = self.failures.fail(limits, session, failed, moment);
                match finding {
                    Some(Finding::Pause(reason, _)) => {
                        let admits_new = pause.reason.admits_new;
                        pause.lengthen(Reason { admits_new, ..reason }, now);
                    }
                    _ => self.pause = None,
                }
                finding
            }
            Some(pause) if pause.is_probe(probes.tool()) => {
                let reason = self.failures.fail_again(failed, pause.reason);
                pause.lengthen(reason, now);
                None
            }
            Some(_) => None,
            None => {
                let finding = self.failures.fail(limits, session, failed, moment);
                if let Some(Finding::Pause(reason, backoff)) = finding {
                    self.pause = Some(Pause::new(reason, backoff, now));
                }
                finding
            }
        };
        let until = self.failures.until(failed, now);
        if let Some(pause) = &mut self.pause {
            pause.last_until(until);
        }
        finding
    }

    /// Decides whether a pause because of the same error applies to arguments that were never tried. It does once the error has come for as
    /// many different arguments as are needed for a pause.
    #[cold]
    fn note_variants(&mut self, limits: &ToolLimits, repeats: &Repeats, tool: usize, was_paused: bool) {
        let Some(pause) = &mut self.pause else { return };
        let Some(error) = self.failures.repeated(pause.reason).map(|seen| seen.error) else { return };
        let is_few = |limit: u32| repeats.variants(tool, failed_result(error)) < limit as usize;
        // Later, the calls with this error may be forgotten.
        pause.reason.admits_new =
            (pause.reason.admits_new || !was_paused) && limits.same_error.is_some_and(|streak| is_few(streak.limit));
    }

    /// Updates the pause of this call. Returns `true` if the call is not paused now.
    #[inline]
    fn settle_calls(&mut self, call: Call<'_>, has_failed: bool, probes: Probes) -> bool {
        self.calls.is_empty() || self.settle_paused_calls(call, has_failed, probes)
    }

    #[cold]
    fn settle_paused_calls(&mut self, call: Call<'_>, has_failed: bool, probes: Probes) -> bool {
        let probe = self.calls.iter().position(|paused| paused.pause.is_probe(probes.call()));
        match probe {
            Some(at) if has_failed || self.calls[at].identity.result == call.result => {
                let pause = &mut self.calls[at].pause;
                let count = pause.reason.count.saturating_add(1);
                pause.lengthen(Reason { count, ..pause.reason }, call.ended());
                false
            }
            Some(at) => {
                self.calls.remove(at);
                true
            }
            None => {
                let arguments = hash(call.arguments);
                !self.calls.iter().any(|paused| paused.identity.arguments == arguments)
            }
        }
    }

    /// Ends the pauses of calls that the model no longer repeats, and the pauses of calls that may have another result because something
    /// has changed.
    pub(super) fn end_pauses(&mut self, changed: Changed, now: Duration, history: Duration) {
        let by_call = changed.by_others.max(self.renewed);
        self.calls.retain(|call| {
            // Two alternating calls would end each other's pauses, because each succeeds. So only a new result ends these pauses.
            let changed = if call.pause.reason.partner.is_some() { changed.renewed } else { by_call };
            call.decision >= changed && !call.pause.is_forgotten(now, history)
        });
    }

    fn pause_call(&mut self, identity: Identity, pause: Pause, decision: u64) {
        self.calls.retain(|call| call.identity.arguments != identity.arguments);
        if self.calls.len() == PAUSED_CALLS {
            self.calls.remove(0);
        }
        self.calls.push(CallPause { identity, pause, decision });
    }
}

/// Returns the state of a tool, and creates it at the first call.
#[inline]
pub(super) fn known(tools: &mut Vec<Option<Box<ToolState>>>, tool: usize) -> &mut ToolState {
    if tools.len() <= tool {
        make_room(tools, tool);
    }
    tools[tool].get_or_insert_with(first_called)
}

#[cold]
fn make_room(tools: &mut Vec<Option<Box<ToolState>>>, tool: usize) {
    tools.resize_with(tool + 1, || None);
}

#[cold]
fn first_called() -> Box<ToolState> {
    Box::default()
}

/// Returns the warning for the answer to a call. It is boxed, because nearly every call has none. A pause needs no warning, because the
/// next call is throttled.
#[cold]
fn warning_of(policy: &ThrottlePolicy, tool: usize, finding: Finding) -> Option<Box<Warning>> {
    let Finding::Warn(reason, limit) = finding else { return None };
    let partner = reason.partner.and_then(|partner| policy.name_of_tool(partner));
    Some(Box::new(warning(policy.name_of_tool(tool)?, reason, limit, partner)))
}
