//! The rules that count failures of one tool: `consecutive_failures` and `same_error`.
//!
//! In: each success and each failure of the tool. Out: a warning or a pause when a count is reached. What always holds: a success begins
//! anew; of a batch at most one failure counts, and none where a call of the same batch succeeded, whichever of them ended first; a
//! refusal whose set of issues changed to one that was not there since the last success is progress and begins both counts anew, unless
//! everything counts. Going back to an earlier set is none, and without getting fewer issues there is progress only so often, so that
//! going round between faults ends in a pause.

use std::time::Duration;

use super::limits::{Counting, Limits};
use super::overrides::ToolLimits;
use super::words::{Finding, Reason};
use crate::failure::ThrottleRule;

/// How many different errors of a tool are remembered.
const ERRORS: usize = 16;
/// How often in a row a refusal is progress that has no fewer issues than the best so far.
const DETOURS: u8 = 8;
/// How many new results of other tools make an error a thing of the past: the model has gone on with something else.
const MOVED_ON: u64 = 3;
/// The longest time that a tool can ask to be left alone for.
const LONGEST_REQUEST: Duration = Duration::from_secs(60 * 60);

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
    /// The time until which the tool asked to be left alone.
    until: Duration,
}

#[derive(Debug)]
struct Seen {
    error: u64,
    count: u32,
    last: Duration,
    /// How many new results the session had by then.
    news: u64,
}

/// A failure, as the rules see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed {
    /// The same for the same issues or the same error.
    pub(super) error: u64,
    /// How many issues a refusal has; `None` where the tool itself failed.
    pub(super) issues: Option<usize>,
    /// How long the tool asked to be left alone.
    pub(super) retry_after: Duration,
}

/// When a call ended, in time and in what the session has learned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) batch: Option<u64>,
    pub(super) now: Duration,
    /// How many new results the session had so far.
    pub(super) news: u64,
}

impl Failures {
    pub(super) fn succeed(&mut self, batch: Option<u64>) {
        // Nearly always there is nothing to forget.
        if self.in_a_row > 0 || !self.errors.is_empty() {
            *self = Self::default();
        }
        self.succeeded = batch;
    }

    /// Whether the last failure that counted was one of this batch.
    pub(super) fn failed_in(&self, batch: Option<u64>) -> bool {
        batch.is_some() && batch == self.failed
    }

    /// The time until which the tool asked to be left alone, with what this failure asks for.
    pub(super) fn until(&mut self, failed: Failed, now: Duration) -> Duration {
        self.until = self.until.max(now.saturating_add(failed.retry_after.min(LONGEST_REQUEST)));
        self.until
    }

    pub(super) fn fail(
        &mut self,
        limits: &ToolLimits,
        session: &Limits,
        failed: Failed,
        moment: Moment,
    ) -> Option<Finding> {
        let Moment { batch, .. } = moment;
        if batch.is_some() && (batch == self.failed || batch == self.succeeded) {
            return None;
        }
        self.failed = batch;
        if session.counting == Counting::Unproductive && self.is_progress(failed) {
            self.in_a_row = 0;
            self.errors.clear();
        }
        self.in_a_row = self.in_a_row.saturating_add(1);
        let same = self.count(failed.error, moment, session);
        let counts = [
            (ThrottleRule::ConsecutiveFailures, limits.consecutive_failures, self.in_a_row),
            (ThrottleRule::SameError, limits.same_error, same),
        ];
        let found = counts.into_iter().filter_map(|(rule, streak, count)| Some((Reason::new(rule, count), streak?)));
        let pause = found.clone().find(|(reason, streak)| streak.refuses(reason.count));
        // Of two warnings the one whose pause is nearer.
        let warning = found
            .filter(|(reason, streak)| streak.warns(reason.count))
            .min_by_key(|(reason, streak)| streak.refuse.saturating_sub(reason.count));
        pause
            .map(|(reason, streak)| Finding::Pause(reason, streak.pause))
            .or_else(|| warning.map(|(reason, streak)| Finding::Warn(reason, streak.refuse)))
    }

    /// The probe of a pause has failed: why the pause goes on.
    pub(super) fn fail_again(&mut self, failed: Failed, reason: Reason) -> Reason {
        self.in_a_row = self.in_a_row.saturating_add(1);
        match self.errors.iter_mut().find(|seen| seen.error == failed.error && seen.count >= reason.count) {
            Some(seen) if reason.rule == ThrottleRule::SameError => {
                seen.count = seen.count.saturating_add(1);
                Reason { count: seen.count, ..reason }
            }
            // It failed otherwise than before.
            _ => Reason { rule: ThrottleRule::ConsecutiveFailures, count: self.in_a_row, ..reason },
        }
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
    fn count(&mut self, error: u64, moment: Moment, session: &Limits) -> u32 {
        let Moment { now, news, .. } = moment;
        if let Some(seen) = self.errors.iter_mut().find(|seen| seen.error == error) {
            let is_old = now.saturating_sub(seen.last) > session.history;
            let has_moved_on = session.counting == Counting::Unproductive && news - seen.news >= MOVED_ON;
            seen.count = if is_old || has_moved_on { 1 } else { seen.count.saturating_add(1) };
            (seen.last, seen.news) = (now, news);
            return seen.count;
        }
        if self.errors.len() == ERRORS {
            let oldest = self.errors.iter().enumerate().min_by_key(|(_, seen)| seen.last).map(|(index, _)| index);
            oldest.map(|index| self.errors.remove(index));
        }
        self.errors.push(Seen { error, count: 1, last: now, news });
        1
    }
}
