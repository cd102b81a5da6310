//! The rules that count failures of one tool: `consecutive_failures` and `same_error`.
//!
//! A success resets both counts. At most one failure of a batch counts, and none counts if another call of the batch succeeded, in
//! whichever order the calls end. Unless [`CountingMode::Everything`] is set, a rejection is progress, and resets both counts, if its set of
//! issues did not occur since the last success. Returning to an earlier set of issues is not progress. A rejection that does not have fewer
//! issues than all rejections before it counts as progress at most [`DETOURS`] times in a row. So a model that alternates between mistakes is
//! still paused.

use std::time::Duration;

use super::limits::{CountingMode, SessionLimits};
use super::messages::{Finding, Reason};
use super::overrides::ToolLimits;
use crate::failure::ThrottleRule;
use crate::fast_hash::Mixer;

/// The maximum number of different errors that are remembered per tool.
pub(super) const ERRORS: usize = 16;
/// The maximum number of rejections in a row that count as progress without having fewer issues than the best rejection so far.
const DETOURS: u8 = 8;
/// The number of new results in the session after which an error of a tool is forgotten, because the model has moved on.
const MOVED_ON: u64 = 3;
/// The longest delay that a tool can request.
pub(super) const LONGEST_REQUEST: Duration = Duration::from_secs(60 * 60);

/// The failures of one tool since its last success.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub(super) in_a_row: u32,
    /// The hashes of the sets of issues of these rejections.
    pub(super) rejections: Vec<u64>,
    /// The smallest number of issues in one of these rejections; `None` before the first rejection.
    pub(super) fewest: Option<usize>,
    pub(super) detours: u8,
    pub(super) errors: Vec<SeenError>,
    /// The last batch in which a failure was counted.
    pub(super) failed: Option<u64>,
    pub(super) succeeded: Option<u64>,
    /// The time until which the tool asked not to be called.
    pub(super) until: Duration,
}

#[derive(Debug)]
pub(super) struct SeenError {
    pub(super) error: u64,
    pub(super) count: u32,
    pub(super) last: Duration,
    /// The number of new results in the session when the count began.
    pub(super) news: u64,
    /// The [values](super::argument_values_in_error) that the error quotes and that every counted call sent.
    pub(super) quoted: u64,
}

/// A failure as the rules see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed {
    /// The hash of the issues or of the error.
    pub(super) error: u64,
    /// The number of issues of a rejection; `None` if the tool itself failed.
    pub(super) issues: Option<usize>,
    /// The delay that the tool requested.
    pub(super) retry_after: Duration,
    /// The [values](super::argument_values_in_error) of the arguments that the error quotes.
    pub(super) quoted: u64,
}

/// The moment at which a call ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndTime {
    pub(super) batch: Option<u64>,
    /// The time in nanoseconds.
    pub(super) ended: u64,
    /// The number of new results in the session up to then.
    pub(super) news: u64,
}

impl EndTime {
    pub(super) const fn now(self) -> Duration {
        Duration::from_nanos(self.ended)
    }
}

/// Marks the hash of a failure as the one of a rejection or of another failure. As a part of the hash, the mark is saved with it.
pub(super) const fn marked(error: u64, is_rejection: bool) -> u64 {
    if is_rejection { error & !1 } else { error | 1 }
}

/// Returns `true` if the failure with this hash was a rejection of arguments, so that the tool did not run.
const fn is_rejection(error: u64) -> bool {
    error & 1 == 0
}

/// Returns the hash by which the remembered calls know the result of a call that failed with this error.
pub(super) fn failed_result(error: u64) -> u64 {
    Mixer::new().word(error).sum()
}

impl Failures {
    #[inline]
    pub(super) fn succeed(&mut self, batch: Option<u64>) {
        // Usually there is nothing to reset.
        if self.in_a_row > 0 || !self.errors.is_empty() {
            self.reset();
        }
        self.succeeded = batch;
    }

    #[cold]
    fn reset(&mut self) {
        *self = Self::default();
    }

    /// Returns `true` if the last counted failure belongs to the given batch.
    pub(super) fn failed_in(&self, batch: Option<u64>) -> bool {
        batch.is_some() && batch == self.failed
    }

    /// Updates and returns the time until which the tool asked not to be called.
    pub(super) fn until(&mut self, failed: Failed, now: Duration) -> Duration {
        self.until = self.until.max(now.saturating_add(failed.retry_after.min(LONGEST_REQUEST)));
        self.until
    }

    pub(super) fn fail(
        &mut self,
        limits: &ToolLimits,
        session: &SessionLimits,
        failed: Failed,
        moment: EndTime,
    ) -> Option<Finding> {
        let EndTime { batch, .. } = moment;
        if batch.is_some() && (batch == self.failed || batch == self.succeeded) {
            return None;
        }
        self.failed = batch;
        if session.counting == CountingMode::Unproductive && self.is_progress(failed) {
            self.in_a_row = 0;
            self.errors.clear();
        }
        self.in_a_row = self.in_a_row.saturating_add(1);
        let same = self.count(failed, moment, session);
        let admits_valid = is_rejection(failed.error);
        let same = Reason { admits_valid, ..Reason::new(ThrottleRule::SameError, same) };
        let in_a_row = self.in_a_row();
        let counts = [(in_a_row, limits.consecutive_failures), (same, limits.same_error)];
        let found = counts.into_iter().filter_map(|(reason, streak)| Some((reason, streak?)));
        let pause = found.clone().find(|(reason, streak)| streak.throttles(reason.count));
        // If both rules warn, the warning that is closer to its pause is reported.
        let warning = found
            .filter(|(reason, streak)| streak.warns(reason.count))
            .min_by_key(|(reason, streak)| streak.limit.saturating_sub(reason.count));
        pause
            .map(|(reason, streak)| Finding::Pause(reason, streak.pause))
            .or_else(|| warning.map(|(reason, streak)| Finding::Warn(reason, streak.limit)))
    }

    /// Counts the failure of a probe and returns the reason for which the pause continues.
    pub(super) fn fail_again(&mut self, failed: Failed, reason: Reason) -> Reason {
        self.in_a_row = self.in_a_row.saturating_add(1);
        let (all, admits_valid) = (self.in_a_row(), reason.admits_valid && is_rejection(failed.error));
        match self.errors.iter_mut().find(|seen| seen.error == failed.error && seen.count >= reason.count) {
            Some(seen) if reason.rule == ThrottleRule::SameError => {
                seen.count = seen.count.saturating_add(1);
                seen.quoted &= failed.quoted;
                Reason { count: seen.count, admits_valid, ..reason }
            }
            // The probe failed with a different error.
            _ => Reason { admits_valid: admits_valid && all.admits_valid, ..all },
        }
    }

    /// Returns the error for whose repetition the tool is paused.
    pub(super) fn repeated(&self, reason: Reason) -> Option<&SeenError> {
        let counted = self.errors.iter().filter(|seen| seen.count >= reason.count);
        counted.max_by_key(|seen| seen.last).filter(|_| reason.rule == ThrottleRule::SameError)
    }

    /// Returns `true` if the tool itself has also failed once with another error, so that other arguments have made a difference.
    pub(super) fn has_left_another(&self, error: u64) -> bool {
        self.errors.iter().any(|seen| seen.error != error && seen.count == 1 && !is_rejection(seen.error))
    }

    /// Returns the failures in a row as the reason of a pause.
    fn in_a_row(&self) -> Reason {
        let admits_valid = self.errors.iter().all(|seen| is_rejection(seen.error));
        Reason { admits_valid, ..Reason::new(ThrottleRule::ConsecutiveFailures, self.in_a_row) }
    }

    /// Returns the number of remembered errors.
    #[cfg(test)]
    pub(super) fn errors(&self) -> usize {
        self.errors.len().max(self.rejections.len())
    }

    fn is_progress(&mut self, failed: Failed) -> bool {
        let Some(issues) = failed.issues else { return false };
        if self.rejections.contains(&failed.error) {
            return false;
        }
        let is_first = self.rejections.is_empty();
        if self.rejections.len() == ERRORS {
            self.rejections.remove(0);
        }
        self.rejections.push(failed.error);
        if self.fewest.is_none_or(|fewest| issues < fewest) {
            self.fewest = Some(issues);
            self.detours = 0;
            return !is_first;
        }
        self.detours = self.detours.saturating_add(1);
        self.detours <= DETOURS
    }

    /// Counts an error, and returns how often it has occurred, including this time.
    fn count(&mut self, failed: Failed, moment: EndTime, session: &SessionLimits) -> u32 {
        let Failed { error, quoted, .. } = failed;
        let (now, news) = (moment.now(), moment.news);
        if let Some(seen) = self.errors.iter_mut().find(|seen| seen.error == error) {
            let is_old = now.saturating_sub(seen.last) > session.history;
            let has_moved_on = session.counting == CountingMode::Unproductive && news - seen.news >= MOVED_ON;
            if is_old || has_moved_on {
                (seen.count, seen.news, seen.quoted) = (0, news, quoted);
            }
            seen.quoted &= quoted;
            seen.count = seen.count.saturating_add(1);
            seen.last = now;
            return seen.count;
        }
        if self.errors.len() == ERRORS {
            let oldest = self.errors.iter().enumerate().min_by_key(|(_, seen)| seen.last).map(|(index, _)| index);
            oldest.map(|index| self.errors.remove(index));
        }
        self.errors.push(SeenError { error, count: 1, last: now, news, quoted });
        1
    }
}
