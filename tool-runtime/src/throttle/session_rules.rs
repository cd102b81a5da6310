//! The rules for the whole session: `unknown_tools` and `run_budget`.
//!
//! Only numbers are stored, never names. A call of an existing tool resets the count of unknown names. At most one unknown name and one
//! failure are counted per batch.

use super::limits::UnknownNameLimits;

/// The counts of a run.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) unknown_names: u32,
    pub(super) invented_in: Option<u64>,
    pub(super) failures: u32,
    pub(super) failed_in: Option<u64>,
}

/// The reaction to an unknown name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownNameReaction {
    Nothing,
    Warn(u32),
    /// The answer is reduced to the list of tools; contains the number of earlier unknown names.
    Shrink(u32),
}

impl Run {
    pub(super) fn known(&mut self) {
        self.unknown_names = 0;
    }

    pub(super) fn unknown_names(&mut self, limits: UnknownNameLimits, batch: Option<u64>) -> UnknownNameReaction {
        let limit = limits.limit.max(1);
        let before = self.unknown_names;
        let is_counted = batch.is_none() || batch != self.invented_in;
        if is_counted {
            self.unknown_names = before.saturating_add(1);
            self.invented_in = batch;
        }
        match self.unknown_names {
            count if count > limit => UnknownNameReaction::Shrink(if is_counted { before } else { before - 1 }),
            count if is_counted && count == limits.warn => UnknownNameReaction::Warn(count),
            _ => UnknownNameReaction::Nothing,
        }
    }

    pub(super) fn fail(&mut self, batch: Option<u64>) {
        if batch.is_none() || batch != self.failed_in {
            self.failures = self.failures.saturating_add(1);
            self.failed_in = batch;
        }
    }

    pub(super) const fn is_spent(&self, budget: u32) -> bool {
        // A budget of 0 would throttle every call.
        self.failures >= if budget == 0 { 1 } else { budget }
    }

    /// Starts a new run with all counts at zero.
    pub(super) fn begin(&mut self) {
        *self = Self::default();
    }
}
