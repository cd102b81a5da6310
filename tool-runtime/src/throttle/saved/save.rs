//! Writes the state of a throttle as data.

use std::sync::atomic::Ordering;

use super::format::{
    Details, Digest, SavedCall, SavedCounters, SavedError, SavedHint, SavedLast, SavedPause, SavedRun, SavedSighting,
    SavedThrottle, SavedTool, SavedTraces, SavedWindow,
};
use crate::throttle::Throttle;
use crate::throttle::failures::{Failures, SeenError};
use crate::throttle::pause_and_probe::Pause;
use crate::throttle::policy::ThrottlePolicy;
use crate::throttle::rates::{Window, nanoseconds};
use crate::throttle::recent_call::LastCall;
use crate::throttle::repeats::Repeats;
use crate::throttle::session_rules::Run;
use crate::throttle::state::{CallPause, State, ToolState};
use crate::throttle::statistics::{Counters, FieldHints};

/// A function from the number of a tool to the index under which the tool is saved.
type Index<'i> = dyn Fn(usize) -> Option<usize> + 'i;

impl Throttle {
    /// Returns the state as data, and separately the details of tools with sensitive parameters. Running calls are not included.
    pub(crate) fn save(&self, index: &Index<'_>, takes_secrets: &dyn Fn(usize) -> bool) -> (SavedThrottle, Details) {
        let now = self.clock.now();
        let batches = self.memory.batches.load(Ordering::Relaxed);
        let mut state = self.state();
        let (mut open, mut secret) = (Details::default(), Details::default());
        let mut tools = Vec::new();
        for (number, known) in state.tools.iter().enumerate() {
            let (Some(known), Some(tool)) = (known, index(number)) else { continue };
            tools.push(saved_tool(tool, known, index));
            let details = if takes_secrets(number) { &mut secret } else { &mut open };
            let traces = saved_traces(tool, known, index);
            if traces != (SavedTraces { tool, ..SavedTraces::default() }) {
                details.traces.push(traces);
            }
        }
        save_sightings(&mut state.repeats, &self.policy, index, |number, sighting| {
            if takes_secrets(number) { secret.sightings.push(sighting) } else { open.sightings.push(sighting) }
        });
        let State { repeats, overall, run, minute, unknown_names, probes, news, renewed, .. } = &*state;
        let saved = SavedThrottle {
            now: nanoseconds(now),
            tools,
            details: open,
            overall: saved_window(overall),
            run: saved_run(run),
            minute: minute.recent(now),
            unknown_names: *unknown_names,
            batches,
            probes: *probes,
            news: *news,
            renewed: *renewed,
            decision: repeats.decision,
            batch: repeats.batch,
            calls: saved_last(repeats.calls, index),
            changes: saved_last(repeats.changes, index),
        };
        (saved, secret)
    }
}

fn saved_tool(tool: usize, state: &ToolState, index: &Index<'_>) -> SavedTool {
    let Failures { in_a_row, fewest, detours, failed, succeeded, until, .. } = state.failures;
    SavedTool {
        tool,
        pause: state.pause.as_ref().map(|pause| saved_pause(pause, index)),
        window: saved_window(&state.window),
        batch: state.batch,
        renewed: state.renewed,
        in_a_row,
        fewest,
        detours,
        failed,
        succeeded,
        until: nanoseconds(until),
        counters: saved_counters(&state.counters),
    }
}

fn saved_traces(tool: usize, state: &ToolState, index: &Index<'_>) -> SavedTraces {
    let Failures { rejections, errors, .. } = &state.failures;
    let call = |CallPause { identity, pause, decision }: &CallPause| SavedCall {
        arguments: Digest(identity.arguments),
        value: identity.value.map(Digest),
        result: Digest(identity.result),
        pause: saved_pause(pause, index),
        decision: *decision,
    };
    let hint = |hint: &FieldHints| SavedHint { field: hint.field.clone(), given: hint.given, followed: hint.followed };
    SavedTraces {
        tool,
        rejections: rejections.iter().copied().map(Digest).collect(),
        errors: errors.iter().map(saved_error).collect(),
        calls: state.calls.iter().map(call).collect(),
        hints: state.counters.hints.iter().map(hint).collect(),
        paused: state.pause.as_ref().and_then(|pause| pause.throttled).map(Digest),
        named: state.counters.named.clone(),
    }
}

pub(super) fn saved_pause(pause: &Pause, index: &Index<'_>) -> SavedPause {
    let Pause { reason, backoff, length, until, .. } = pause;
    SavedPause {
        rule: reason.rule.as_str().to_owned(),
        count: reason.count,
        partner: reason.partner.and_then(index),
        is_apart: reason.is_apart,
        admits_valid: reason.admits_valid,
        admits_new: reason.admits_new,
        backoff: (nanoseconds(backoff.first), backoff.factor, nanoseconds(backoff.cap)),
        length: nanoseconds(*length),
        until: nanoseconds(*until),
    }
}

pub(super) fn saved_error(seen: &SeenError) -> SavedError {
    let &SeenError { error, count, last, news, quoted } = seen;
    SavedError { error: Digest(error), count, last: nanoseconds(last), news, quoted }
}

pub(super) fn saved_window(window: &Window) -> SavedWindow {
    SavedWindow { times: window.by_age().collect(), batch: window.batch }
}

fn saved_run(run: &Run) -> SavedRun {
    let Run { unknown_names, invented_in, failures, failed_in } = *run;
    SavedRun { invented: unknown_names, invented_in, failures, failed_in }
}

fn saved_last(last: LastCall, index: &Index<'_>) -> SavedLast {
    SavedLast { tool: index(last.tool), decision: last.decision, others: last.others }
}

fn saved_counters(counters: &Counters) -> SavedCounters {
    let &Counters { calls, failures, rejected, undecided, repaired, tries, first_tries, .. } = counters;
    let &Counters { time, argument_bytes, result_bytes, throttled, is_correcting, .. } = counters;
    SavedCounters {
        calls,
        failures,
        rejected,
        undecided,
        repaired,
        tries,
        first_tries,
        time,
        argument_bytes,
        result_bytes,
        throttled,
        is_correcting,
    }
}

/// Calls `pass` for each remembered call. The saved form of a call contains a hash instead of the text of its arguments.
fn save_sightings(
    repeats: &mut Repeats,
    policy: &ThrottlePolicy,
    index: &Index<'_>,
    mut pass: impl FnMut(usize, SavedSighting),
) {
    for (age, sighting) in repeats.sightings.iter_mut().enumerate() {
        let number = sighting.tool;
        let Some(tool) = index(number) else { continue };
        let value = policy.subject(number).and_then(|subject| sighting.value(&subject.input));
        let saved = SavedSighting {
            tool,
            at: age,
            age,
            arguments: Digest(sighting.arguments.hash()),
            result: Digest(sighting.result),
            value: value.map(Digest),
            has_text: false,
            decision: sighting.decision,
            seen: sighting.seen,
            in_a_row: sighting.in_a_row,
            is_apart: sighting.is_apart,
            rounds: sighting.rounds,
        };
        pass(number, saved);
    }
}
