//! A pause and its probe.
//!
//! Every pause ends by itself. After it, one call runs as the probe, and other calls are throttled until the probe has an outcome. A probe
//! that never reports blocks other calls for no longer than the preceding pause. Some pauses allow the probe earlier, depending on its
//! arguments (`decide.rs`).

use std::time::Duration;

use super::limits::Backoff;
use super::messages::Reason;

/// A pause of a tool, or of one of its calls.
#[derive(Clone, Debug)]
pub(super) struct Pause {
    pub(super) reason: Reason,
    pub(super) backoff: Backoff,
    pub(super) length: Duration,
    pub(super) until: Duration,
    pub(super) probe: Option<Probe>,
    /// The hash of the arguments of the first call that was throttled since the pause began, if they were known.
    pub(super) throttled: Option<u64>,
}

/// The one call that is allowed after a pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub(super) number: u64,
    /// The time from which another probe is allowed, if this probe has not reported by then.
    pub(super) expires: Duration,
    /// `true` if the pause does not apply to the arguments of the probe, which may have started before the end of the pause.
    pub(super) is_early: bool,
}

/// The pauses that one call probes: the pause of its tool, the pause of the call itself, or both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Probes {
    pub(super) number: u64,
    pub(super) of_tool: bool,
    pub(super) of_call: bool,
}

impl Probes {
    pub(super) fn tool(self) -> Option<u64> {
        self.of_tool.then_some(self.number)
    }

    pub(super) fn call(self) -> Option<u64> {
        self.of_call.then_some(self.number)
    }
}

/// The decision about a call that is paused, or whose tool is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breaker {
    /// The call is allowed as the probe.
    Probe,
    /// The call is throttled, because the pause lasts for this time.
    Open(Duration),
    /// The call is throttled because the probe runs. Another probe is allowed after this time.
    HalfOpen(Duration),
}

impl Pause {
    pub(super) fn new(reason: Reason, backoff: Backoff, now: Duration) -> Self {
        let length = backoff.begin();
        Self { reason, backoff, length, until: now.saturating_add(length), probe: None, throttled: None }
    }

    /// Extends the pause until the given time, if it would end earlier.
    pub(super) fn last_until(&mut self, until: Duration) {
        self.until = self.until.max(until);
    }

    /// Limits the remaining times of the pause and of its probe, in case the clock has jumped back.
    pub(super) fn limit(&mut self, now: Duration, left: Duration) {
        self.until = self.until.min(now.saturating_add(left));
        if let Some(probe) = &mut self.probe {
            probe.expires = probe.expires.min(now.saturating_add(self.length));
        }
    }

    /// Returns the same pause with another reason.
    pub(super) fn because(self, reason: Reason) -> Self {
        Self { reason, ..self }
    }

    pub(super) fn gate(&self, now: Duration) -> Breaker {
        if now < self.until {
            return Breaker::Open(self.until.saturating_sub(now));
        }
        self.probing(now).map_or(Breaker::Probe, Breaker::HalfOpen)
    }

    /// Returns the time after which another probe is allowed, if there is one.
    pub(super) fn probing(&self, now: Duration) -> Option<Duration> {
        let probe = self.probe.filter(|probe| now < probe.expires)?;
        Some(probe.expires.saturating_sub(now))
    }

    /// Returns `true` if a probe that the pause admits early counts as such now. After a pause that only rejected arguments have caused, it is
    /// an ordinary probe: the end of the pause was not needed to admit it.
    pub(super) fn is_early(&self, now: Duration) -> bool {
        now < self.until || !self.reason.admits_valid
    }

    /// Allows the probe with the given number.
    pub(super) fn begin(&mut self, number: u64, is_early: bool, now: Duration) {
        self.probe = Some(Probe { number, expires: now.saturating_add(self.length), is_early });
    }

    /// Returns `true` if the call is the current probe, and the pause does not apply to its arguments.
    pub(super) fn is_early_probe(&self, number: Option<u64>) -> bool {
        self.is_probe(number) && self.probe.is_some_and(|probe| probe.is_early)
    }

    /// Returns `true` if the call is the current probe.
    pub(super) fn is_probe(&self, number: Option<u64>) -> bool {
        self.probe.is_some_and(|probe| Some(probe.number) == number)
    }

    /// Starts a longer pause after a failed probe.
    pub(super) fn lengthen(&mut self, reason: Reason, now: Duration) {
        self.length = self.backoff.after(self.length);
        self.until = now.saturating_add(self.length);
        self.reason = reason;
        (self.probe, self.throttled) = (None, None);
    }

    /// Allows another probe, because the last one had no meaningful outcome.
    pub(super) fn release(&mut self) {
        self.probe = None;
    }

    /// Returns `true` if no probe is running and the pause ended more than `history` ago.
    pub(super) fn is_forgotten(&self, now: Duration, history: Duration) -> bool {
        self.probe.is_none_or(|probe| now >= probe.expires) && now > self.until.saturating_add(history)
    }
}
