//! The rules that count failures of one tool: `consecutive_failures` and `same_error`.
//!
//! In: each success and each failure of the tool. Out: a warning or a pause when a count is reached. What always holds: a success begins
//! anew; of a batch at most one failure counts, and none where a call of the same batch succeeded; a refusal whose set of issues
//! changed begins `consecutive_failures` anew, but never `same_error`, and without getting fewer issues only so often, so that going
//! round between faults ends in a pause.

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
    /// The issues of the last refusal.
    refusal: Option<u64>,
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
        self.in_a_row = if self.is_progress(failed) { 1 } else { self.in_a_row.saturating_add(1) };
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
        self.errors.len()
    }

    fn is_progress(&mut self, failed: Failed) -> bool {
        let Some(issues) = failed.issues else { return false };
        let Some(before) = self.refusal.replace(failed.error) else {
            self.fewest = Some(issues);
            return false;
        };
        if before == failed.error {
            return false;
        }
        if self.fewest.is_some_and(|fewest| issues < fewest) {
            self.fewest = Some(issues);
            self.detours = 0;
            return true;
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
