//! A pause and its probe: what a rule does once it has had enough.
//!
//! In: the time, and what became of the probe. Out: whether a call may pass. What always holds: a pause ends by itself; after it one
//! call passes to try, and the others wait for what becomes of it; a probe that is never heard of again stands in nobody's way for
//! longer than the pause before it was.

use std::time::Duration;

use super::limits::Backoff;
use super::words::Reason;

/// A pause of a tool, or of one of its calls.
#[derive(Clone, Debug)]
pub(super) struct Pause {
    pub(super) reason: Reason,
    backoff: Backoff,
    length: Duration,
    until: Duration,
    probe: Option<Probe>,
}

/// The one call that tries.
#[derive(Clone, Copy, Debug)]
struct Probe {
    number: u64,
    /// When another may try, if nothing was heard of this one.
    expires: Duration,
}

/// The probes that a call is.
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

/// Whether a call may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gate {
    /// It may, as the probe.
    Probe,
    /// It is refused for this long.
    Closed(Duration),
    /// It is refused while the probe runs; after this long another may try.
    Probing(Duration),
}

impl Pause {
    pub(super) fn new(reason: Reason, backoff: Backoff, now: Duration) -> Self {
        let length = backoff.begin();
        Self { reason, backoff, length, until: now.saturating_add(length), probe: None }
    }

    /// Makes the pause last until then, if it would end before.
    pub(super) fn last_until(&mut self, until: Duration) {
        self.until = self.until.max(until);
    }

    /// The same pause with another reason.
    pub(super) fn because(self, reason: Reason) -> Self {
        Self { reason, ..self }
    }

    pub(super) fn gate(&self, now: Duration) -> Gate {
        match self.probe {
            _ if now < self.until => Gate::Closed(self.until.saturating_sub(now)),
            Some(probe) if now < probe.expires => Gate::Probing(probe.expires.saturating_sub(now)),
            _ => Gate::Probe,
        }
    }

    /// Lets the probe with this number pass.
    pub(super) fn begin(&mut self, number: u64, now: Duration) {
        self.probe = Some(Probe { number, expires: now.saturating_add(self.length) });
    }

    /// Whether this call is the probe that counts.
    pub(super) fn is_probe(&self, number: Option<u64>) -> bool {
        self.probe.is_some_and(|probe| Some(probe.number) == number)
    }

    /// The probe failed: a longer pause.
    pub(super) fn lengthen(&mut self, reason: Reason, now: Duration) {
        self.length = self.backoff.after(self.length);
        self.until = now.saturating_add(self.length);
        self.reason = reason;
        self.probe = None;
    }

    /// The probe told nothing: another may try.
    pub(super) fn release(&mut self) {
        self.probe = None;
    }

    /// Whether nobody has asked for it for this long after it ended.
    pub(super) fn is_forgotten(&self, now: Duration, history: Duration) -> bool {
        self.probe.is_none_or(|probe| now >= probe.expires) && now > self.until.saturating_add(history)
    }
}
