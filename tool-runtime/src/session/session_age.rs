//! The time since a session began, for its events: [`SessionStart`].

use std::time::Duration;

use crate::toolbox::Parts;

/// The beginning of a session, from which the times of its events are counted.
#[derive(Clone, Copy)]
pub(super) struct SessionStart {
    /// The time at which the session began to use the toolbox, on the clock of that toolbox.
    at: Duration,
    /// The time that had passed under earlier toolboxes.
    earlier: Duration,
}

impl SessionStart {
    /// Starts counting now, from `earlier`. The clock is read only if the session has an observer.
    pub(super) fn start(parts: &Parts, earlier: Duration) -> Self {
        let at = if parts.settings.observer.is_some() { parts.settings.clock.now() } else { Duration::ZERO };
        Self { at, earlier }
    }

    /// Returns the time since the session began.
    pub(super) fn elapsed(self, parts: &Parts) -> Duration {
        self.earlier.saturating_add(parts.settings.clock.now().saturating_sub(self.at))
    }
}
