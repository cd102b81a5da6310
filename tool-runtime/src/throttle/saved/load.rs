//! Reads the state of a throttle from data, which may be damaged or hostile.
//!
//! Invariants: counts are limited, so that further counting cannot overflow. Times in the past stay in the past. Pauses and requested
//! delays are not longer than the rules allow.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::format::{
    Details, Digest, SavedCall, SavedCounters, SavedError, SavedLast, SavedPause, SavedSighting, SavedThrottle,
    SavedTool, SavedTraces, SavedWindow,
};
use super::resumed_clock::ResumedClock;
use crate::bounded;
use crate::failure::ThrottleRule;
use crate::throttle::failures::{ERRORS, Failures, LONGEST_REQUEST, SeenError};
use crate::throttle::limits::{Backoff, LONGEST, MOST_CALLS};
use crate::throttle::messages::Reason;
use crate::throttle::pause_and_probe::Pause;
use crate::throttle::rates::Window;
use crate::throttle::recent_call::{CALLS, Identity, KeptArguments, LastCall, RecentCall};
use crate::throttle::repeats::Repeats;
use crate::throttle::session_rules::Run;
use crate::throttle::state::{CallPause, PAUSED_CALLS, State, ToolState, known};
use crate::throttle::statistics::{Counters, FIELDS, FieldHints, Minute, NAMED};
use crate::throttle::{Memory, Throttle};

/// The maximum count that is loaded. No session reaches it, and further counting cannot overflow.
const MOST: u64 = 1 << 53;
/// The maximum time of a session that is loaded, about a hundred years.
const LATEST: u64 = 100 * 366 * 24 * 60 * 60 * 1_000_000_000;

/// An error that names the part of a saved state that cannot be loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damaged(pub(crate) &'static str);

/// Limits a count from outside.
pub(crate) fn count(number: u64) -> u64 {
    number.min(MOST)
}

/// Checks the length of a list from outside.
pub(crate) fn at_most<T>(list: &[T], most: usize, what: &'static str) -> Result<(), Damaged> {
    if list.len() <= most { Ok(()) } else { Err(Damaged(what)) }
}

/// The facts that loading needs: the time of the session when it was saved, the counts at that time, and the number of tools.
pub(super) struct Loading {
    now: u64,
    decision: u64,
    news: u64,
    tools: usize,
}

impl Throttle {
    /// Continues with a saved state. `passed` is the time since it was saved. The number of each tool is its index in the saved session,
    /// and the numbers in `fresh` belong to new tools.
    pub(crate) fn load(
        self,
        saved: SavedThrottle,
        secret: Details,
        passed: Duration,
        tools: usize,
        fresh: &[usize],
    ) -> Result<Self, Damaged> {
        let Self { policy, clock, .. } = self;
        let now = saved.now.min(LATEST);
        let loading = Loading { now, decision: count(saved.decision), news: count(saved.news), tools };
        let mut state = State {
            repeats: loading.repeats(&saved, secret.sightings)?,
            overall: loading.window(saved.overall)?,
            run: Run {
                unknown_names: saved.run.invented,
                invented_in: saved.run.invented_in,
                failures: saved.run.failures,
                failed_in: saved.run.failed_in,
            },
            minute: Minute::from_counts(&saved.minute, Duration::from_nanos(now)),
            unknown_names: count(saved.unknown_names),
            probes: count(saved.probes),
            news: loading.news,
            renewed: saved.renewed.min(loading.decision),
            ..State::default()
        };
        for tool in saved.tools {
            let number = tool.tool;
            *loading.known(&mut state, number)? = loading.tool(tool)?;
        }
        for traces in saved.details.traces.into_iter().chain(secret.traces) {
            let tool = loading.known(&mut state, traces.tool)?;
            loading.add_traces(tool, traces)?;
        }
        state.fit(&policy);
        let open_from = AtomicU64::new(state.open_from());
        let memory = Memory { batches: AtomicU64::new(count(saved.batches)), state: Mutex::new(state), open_from };
        let clock = Arc::new(ResumedClock::new(clock, Duration::from_nanos(now).saturating_add(passed)));
        let loaded = Self::with(policy, clock, memory);
        fresh.iter().filter(|&&number| number < tools).for_each(|&number| loaded.reset_tool(number));
        Ok(loaded)
    }
}

impl Loading {
    /// Creates the facts for one tool whose times are corrected later.
    pub(super) const fn of_one_tool() -> Self {
        Self { now: LATEST, decision: 0, news: 0, tools: 1 }
    }

    /// Returns a time, or the current time of the session if the given time is later.
    fn past(&self, time: u64) -> u64 {
        time.min(self.now)
    }

    /// Returns a time, limited to at most `most` after the current time of the session.
    fn future(&self, time: u64, most: Duration) -> Duration {
        Duration::from_nanos(time).min(Duration::from_nanos(self.now).saturating_add(most))
    }

    fn number(&self, tool: usize) -> Result<usize, Damaged> {
        if tool < self.tools { Ok(tool) } else { Err(Damaged("a tool has no name")) }
    }

    fn known<'s>(&self, state: &'s mut State, tool: usize) -> Result<&'s mut ToolState, Damaged> {
        Ok(known(&mut state.tools, self.number(tool)?))
    }

    fn tool(&self, saved: SavedTool) -> Result<ToolState, Damaged> {
        Ok(ToolState {
            failures: Failures {
                in_a_row: saved.in_a_row,
                fewest: saved.fewest,
                detours: saved.detours,
                failed: saved.failed,
                succeeded: saved.succeeded,
                until: self.future(saved.until, LONGEST_REQUEST),
                ..Failures::default()
            },
            pause: saved.pause.map(|pause| self.pause(&pause)).transpose()?,
            calls: Vec::new(),
            window: self.window(saved.window)?,
            batch: saved.batch,
            renewed: saved.renewed.min(self.decision),
            counters: counters(&saved.counters),
        })
    }

    fn add_traces(&self, state: &mut ToolState, saved: SavedTraces) -> Result<(), Damaged> {
        at_most(&saved.rejections, ERRORS, "a tool has too many rejections")?;
        at_most(&saved.errors, ERRORS, "a tool has too many errors")?;
        at_most(&saved.calls, PAUSED_CALLS, "a tool has too many paused calls")?;
        at_most(&saved.hints, FIELDS, "a tool has too many hints")?;
        at_most(&saved.named, NAMED, "an answer named too many fields")?;
        state.failures.errors = saved.errors.iter().map(|error| self.error(error)).collect();
        state.failures.rejections = saved.rejections.iter().map(|digest| digest.0).collect();
        if let Some(pause) = &mut state.pause {
            pause.throttled = saved.paused.map(|digest| digest.0);
        }
        let calls = saved.calls.into_iter().map(|call| self.call(saved.tool, call));
        state.calls = calls.collect::<Result<_, _>>()?;
        let hints = saved.hints.into_iter().map(|hint| FieldHints {
            field: bounded::name(&hint.field).into_owned(),
            given: count(hint.given),
            followed: count(hint.followed),
        });
        state.counters.hints = hints.collect();
        if saved.named.iter().any(|&field| field >= state.counters.hints.len()) {
            return Err(Damaged("an answer named an unknown field"));
        }
        state.counters.named = saved.named;
        Ok(())
    }

    pub(super) fn error(&self, saved: &SavedError) -> SeenError {
        let &SavedError { error: Digest(error), count, last, news, quoted } = saved;
        SeenError { error, count, last: Duration::from_nanos(self.past(last)), news: news.min(self.news), quoted }
    }

    fn call(&self, tool: usize, saved: SavedCall) -> Result<CallPause, Damaged> {
        let identity = Identity {
            tool,
            arguments: saved.arguments.0,
            value: saved.value.map(|digest| digest.0),
            result: saved.result.0,
        };
        let (pause, decision) = (self.pause(&saved.pause)?, saved.decision.min(self.decision));
        Ok(CallPause { identity, pause, decision })
    }

    /// Loads a pause. If a probe was running, it is forgotten, so that another call can become the probe.
    pub(super) fn pause(&self, saved: &SavedPause) -> Result<Pause, Damaged> {
        let (first, factor, cap) = saved.backoff;
        let backoff = Backoff { first: Duration::from_nanos(first), factor, cap: Duration::from_nanos(cap) };
        let reason = Reason {
            rule: rule(&saved.rule).ok_or(Damaged("a pause has an unknown rule"))?,
            count: saved.count,
            partner: saved.partner.map(|partner| self.number(partner)).transpose()?,
            is_apart: saved.is_apart,
            admits_valid: saved.admits_valid,
            admits_new: saved.admits_new,
        };
        let length = Duration::from_nanos(saved.length).min(LONGEST);
        Ok(Pause { reason, backoff, length, until: self.future(saved.until, LONGEST), probe: None, throttled: None })
    }

    pub(super) fn window(&self, saved: SavedWindow) -> Result<Window, Damaged> {
        at_most(&saved.times, MOST_CALLS as usize, "a rate has too many calls")?;
        Ok(Window::from_times(saved.times.into_iter().map(|time| self.past(time)).collect(), saved.batch))
    }

    fn last(&self, saved: &SavedLast) -> Result<LastCall, Damaged> {
        let tool = saved.tool.map(|tool| self.number(tool)).transpose()?.unwrap_or(usize::MAX);
        Ok(LastCall { tool, decision: saved.decision.min(self.decision), others: saved.others.min(self.decision) })
    }

    fn repeats(&self, saved: &SavedThrottle, secret: Vec<SavedSighting>) -> Result<Repeats, Damaged> {
        let (calls, changes) = (self.last(&saved.calls)?, self.last(&saved.changes)?);
        let mut repeats = Repeats { decision: self.decision, batch: saved.batch, calls, changes, ..Repeats::default() };
        let mut all: Vec<_> = saved.details.sightings.iter().cloned().chain(secret).collect();
        at_most(&all, CALLS, "there are too many remembered calls")?;
        all.sort_by_key(|sighting| sighting.age);
        repeats.sightings = all.iter().map(|sighting| self.sighting(sighting)).collect::<Result<_, _>>()?;
        Ok(repeats)
    }

    fn sighting(&self, saved: &SavedSighting) -> Result<RecentCall, Damaged> {
        Ok(RecentCall {
            tool: self.number(saved.tool)?,
            arguments: KeptArguments::Hash(saved.arguments.0),
            result: saved.result.0,
            value: saved.value.map(|Digest(value)| value),
            decision: saved.decision.min(self.decision),
            seen: self.past(saved.seen),
            in_a_row: saved.in_a_row,
            is_apart: saved.is_apart,
            rounds: saved.rounds,
        })
    }
}

fn counters(saved: &SavedCounters) -> Counters {
    Counters {
        calls: count(saved.calls),
        failures: count(saved.failures),
        rejected: count(saved.rejected),
        undecided: count(saved.undecided),
        repaired: count(saved.repaired),
        tries: count(saved.tries),
        first_tries: count(saved.first_tries),
        time: saved.time,
        argument_bytes: count(saved.argument_bytes),
        result_bytes: count(saved.result_bytes),
        throttled: count(saved.throttled),
        is_correcting: saved.is_correcting,
        ..Counters::default()
    }
}

/// Returns the rule with this name, if this rule pauses tools or calls.
fn rule(name: &str) -> Option<ThrottleRule> {
    use ThrottleRule::{AlternatingCalls, ConsecutiveFailures, IdenticalCall, SameError};
    [ConsecutiveFailures, SameError, IdenticalCall, AlternatingCalls].into_iter().find(|rule| rule.as_str() == name)
}
