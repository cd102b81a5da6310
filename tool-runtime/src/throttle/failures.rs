//! The rules that count failures of one tool: `consecutive_failures` and `same_error`.
//!
//! In: each success and each failure of the tool. Out: a warning or a pause when a count is reached. What always holds: a success begins
//! anew; of a batch at most one failure counts, and none where a call of the same batch succeeded; a refusal whose set of issues
//! changed to one that was not there since the last success is progress and begins both counts anew. Going back to an earlier set is
//! none, and without getting fewer issues there is progress only so often, so that going round between faults ends in a pause.

use std::time::Duration;

use super::overrides::ToolLimits;
use super::words::{Finding, Reason};
use crate::failure::ThrottleRule;

/// How many different errors of a tool are remembered.
const ERRORS: usize = 16;
/// How often in a row a refusal is progress that has no fewer issues than the best so far.
const DETOURS: u8 = 8;

/// The failures of one tool since its last success.
#[derive(Debug, Default)]
pub(super) struct Failures {
    in_a_row: u32,
    /// The sets of issues that refusals had.
    refusals: Vec<u64>,
    /// The fewest issues that a refusal had.
    fewest: Option<usize>,
    detours: u8,
    errors: Vec<Seen>,
    /// The batches that have had their failure and their success.
    failed: Option<u64>,
    succeeded: Option<u64>,
}

#[derive(Debug)]
struct Seen {
    error: u64,
    count: u32,
    last: Duration,
}

/// A failure, as the rules see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed {
    /// The same for the same issues or the same error.
    pub(super) error: u64,
    /// How many issues a refusal has; `None` where the tool itself failed.
    pub(super) issues: Option<usize>,
}

impl Failures {
    pub(super) fn succeed(&mut self, batch: Option<u64>) {
        // Nearly always there is nothing to forget.
        if self.in_a_row > 0 || !self.errors.is_empty() {
            *self = Self::default();
        }
        self.succeeded = batch;
    }

    pub(super) fn fail(
        &mut self,
        limits: &ToolLimits,
        failed: Failed,
        batch: Option<u64>,
        now: Duration,
        history: Duration,
    ) -> Option<Finding> {
        if batch.is_some() && (batch == self.failed || batch == self.succeeded) {
            return None;
        }
        self.failed = batch;
        if self.is_progress(failed) {
            self.in_a_row = 0;
            self.errors.clear();
        }
        self.in_a_row = self.in_a_row.saturating_add(1);
        let same = self.count(failed.error, now, history);
        let counts = [
            (ThrottleRule::ConsecutiveFailures, limits.consecutive_failures, self.in_a_row),
            (ThrottleRule::SameError, limits.same_error, same),
        ];
        let found = |(rule, streak, count)| Some((Reason { rule, count, partner: None }, streak?));
        let pause = counts.into_iter().filter_map(found).find(|(reason, streak)| streak.refuses(reason.count));
        let warning = || counts.into_iter().filter_map(found).find(|(reason, streak)| streak.warns(reason.count));
        pause
            .map(|(reason, streak)| Finding::Pause(reason, streak.pause))
            .or_else(|| warning().map(|(reason, streak)| Finding::Warn(reason, streak.refuse)))
    }

    /// How many errors are remembered.
    #[cfg(test)]
    pub(super) fn errors(&self) -> usize {
        self.errors.len().max(self.refusals.len())
    }

    fn is_progress(&mut self, failed: Failed) -> bool {
        let Some(issues) = failed.issues else { return false };
        if self.refusals.contains(&failed.error) {
            return false;
        }
        let is_first = self.refusals.is_empty();
        if self.refusals.len() == ERRORS {
            self.refusals.remove(0);
        }
        self.refusals.push(failed.error);
        if self.fewest.is_none_or(|fewest| issues < fewest) {
            self.fewest = Some(issues);
            self.detours = 0;
            return !is_first;
        }
        self.detours = self.detours.saturating_add(1);
        self.detours <= DETOURS
    }

    /// How often this error was seen, this time included.
    fn count(&mut self, error: u64, now: Duration, history: Duration) -> u32 {
        if let Some(seen) = self.errors.iter_mut().find(|seen| seen.error == error) {
            let is_old = now.saturating_sub(seen.last) > history;
            seen.count = if is_old { 1 } else { seen.count.saturating_add(1) };
            seen.last = now;
            return seen.count;
        }
        if self.errors.len() == ERRORS {
            let oldest = self.errors.iter().enumerate().min_by_key(|(_, seen)| seen.last).map(|(index, _)| index);
            oldest.map(|index| self.errors.remove(index));
        }
        self.errors.push(Seen { error, count: 1, last: now });
        1
    }
}
