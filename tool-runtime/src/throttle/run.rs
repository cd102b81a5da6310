//! The rules about the whole session that know no tool: `unknown_tools` and `run_budget`.
//!
//! In: invented names, known names, failures. Out: a warning, or that it is enough. What always holds: no name is kept, only how many
//! there were; a name that exists begins the count of invented ones anew; of a batch one counts.

use super::limits::UnknownNames;

/// Counts of the run.
#[derive(Debug, Default)]
pub(super) struct Run {
    invented: u32,
    invented_in: Option<u64>,
    failures: u32,
    failed_in: Option<u64>,
}

/// What an invented name comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Invented {
    Nothing,
    Warn(u32),
    /// So many before this one were invented.
    Shrink(u32),
}

impl Run {
    pub(super) fn known(&mut self) {
        self.invented = 0;
    }

    pub(super) fn invented(&mut self, limits: UnknownNames, batch: Option<u64>) -> Invented {
        let refuse = limits.refuse.max(1);
        let before = self.invented;
        let is_counted = batch.is_none() || batch != self.invented_in;
        if is_counted {
            self.invented = before.saturating_add(1);
            self.invented_in = batch;
        }
        match self.invented {
            count if count > refuse => Invented::Shrink(if is_counted { before } else { before - 1 }),
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
        // With none at all no call could ever be made.
        self.failures >= if budget == 0 { 1 } else { budget }
    }

    /// A new run: its failures begin at zero.
    pub(super) fn begin(&mut self) {
        *self = Self::default();
    }
}
