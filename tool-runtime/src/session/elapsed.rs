//! The time since a session began, for its events: [`Beginning`].

use std::time::Duration;

use crate::toolbox::Parts;

/// The beginning of a session, as its events tell the time.
#[derive(Clone, Copy)]
pub(super) struct Beginning {
    /// When the toolbox came into use, by its own clock.
    at: Duration,
    /// The time that had passed before.
    earlier: Duration,
}

impl Beginning {
    /// Begins now, or goes on after `earlier`. Where nobody observes the session, no clock is read.
    pub(super) fn of(parts: &Parts, earlier: Duration) -> Self {
        let at = if parts.settings.observer.is_some() { parts.settings.clock.now() } else { Duration::ZERO };
        Self { at, earlier }
    }

    /// The time since the session began.
    pub(super) fn elapsed(self, parts: &Parts) -> Duration {
        self.earlier.saturating_add(parts.settings.clock.now().saturating_sub(self.at))
    }
}
