//! Conditions on the number of calls, on the order of calls, and on the calls after a failure.

use super::{CallExpectation, Count, Reaction, Relation};
use crate::SetupError;

impl CallExpectation {
    /// Requires that exactly this number of calls match.
    #[must_use]
    pub fn times(self, count: usize) -> Self {
        self.counted(Count::Times(count))
    }

    /// Requires that at least this number of calls match. Can be combined with [`at_most`](Self::at_most) to a range.
    #[must_use]
    pub fn at_least(self, count: usize) -> Self {
        self.counted(Count::AtLeast(count))
    }

    /// Requires that at most this number of calls match.
    #[must_use]
    pub fn at_most(self, count: usize) -> Self {
        self.counted(Count::AtMost(count))
    }

    /// Requires that no call matches.
    #[must_use]
    pub fn never(self) -> Self {
        self.times(0)
    }

    /// Requires that the first call that matches this expectation was answered before the first call that matches `other` was made.
    /// Parallel calls have no order.
    #[must_use]
    pub fn before(mut self, other: impl Into<Self>) -> Self {
        self.relations.push(Relation::Before(other.into()));
        self
    }

    /// Requires that the first call that matches this expectation was made after the first call that matches `other` was answered.
    #[must_use]
    pub fn after(mut self, other: impl Into<Self>) -> Self {
        self.relations.push(Relation::After(other.into()));
        self
    }

    /// Requires at least one call of the function that was rejected because of a mistake that the model can correct. After each such
    /// rejection, one of the next `calls` calls of the function must match this expectation and succeed.
    #[must_use]
    pub fn corrected_within(mut self, calls: usize) -> Self {
        if calls == 0 {
            self.errors.push(SetupError::Empty("the number of corrections"));
        }
        self.reactions.push(Reaction::CorrectedWithin(calls));
        self
    }

    /// Requires at least one call of the function that failed for any reason. After each failure, the next call of the function must match
    /// this expectation and succeed.
    #[must_use]
    pub fn succeeds_on_retry(mut self) -> Self {
        self.reactions.push(Reaction::SucceedsOnRetry);
        self
    }

    /// Sets the count. `at_least` and `at_most` together set a range. Any other combination of two counts is a mistake.
    fn counted(mut self, count: Count) -> Self {
        self.count = match (self.count, count) {
            (Count::OfItsOwn, count) => count,
            (Count::AtLeast(least), Count::AtMost(most)) | (Count::AtMost(most), Count::AtLeast(least)) => {
                if least > most {
                    self.errors.push(SetupError::EmptyRange { name: self.name.clone(), least, most });
                }
                Count::Between(least, most)
            }
            (_, count) => {
                self.errors.push(SetupError::TwoCounts(self.name.clone()));
                count
            }
        };
        self
    }
}
