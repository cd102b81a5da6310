//! The rules for the whole session: `unknown_tools` and `run_budget`.
//!
//! Only numbers are stored, never names. A call of an existing tool resets the count of unknown names. At most one unknown name and one
//! failure are counted per batch.

use super::limits::UnknownNameLimits;

/// The counts of a run.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) invented: u32,
    pub(super) invented_in: Option<u64>,
    pub(super) failures: u32,
    pub(super) failed_in: Option<u64>,
}

/// The reaction to an unknown name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Invented {
    Nothing,
    Warn(u32),
    /// The answer is reduced to the list of tools; contains the number of earlier unknown names.
    Shrink(u32),
}

impl Run {
    pub(super) fn known(&mut self) {
        self.invented = 0;
    }

    pub(super) fn invented(&mut self, limits: UnknownNameLimits, batch: Option<u64>) -> Invented {
        let limit = limits.limit.max(1);
        let before = self.invented;
        let is_counted = batch.is_none() || batch != self.invented_in;
        if is_counted {
            self.invented = before.saturating_add(1);
            self.invented_in = batch;
        }
        match self.invented {
            count if count > limit => Invented::Shrink(if is_counted { before } else { before - 1 }),
            count if is_counted && count == limits.warn => Invented::Warn(count),
            _ => Invented::Nothing,
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
