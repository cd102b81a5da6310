//! How often a function must be called, before and after what, and what must follow a failure.

use super::{Calls, Count, Course, Relation};
use crate::Misuse;

impl Calls {
    /// Exactly so many calls are like this.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").times(2)).build().is_ok());
    /// ```
    #[must_use]
    pub fn times(self, count: usize) -> Self {
        self.counted(Count::Times(count))
    }

    /// At least so many calls are like this. With [`at_most`](Self::at_most) it is a range.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("search").at_least(1)).build().is_ok());
    /// ```
    #[must_use]
    pub fn at_least(self, count: usize) -> Self {
        self.counted(Count::AtLeast(count))
    }

    /// At most so many calls are like this.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("search").at_most(3)).build().is_ok());
    /// ```
    #[must_use]
    pub fn at_most(self, count: usize) -> Self {
        self.counted(Count::AtMost(count))
    }

    /// No call is like this.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("write").at("path", "/etc/passwd").never()).build().is_ok());
    /// ```
    #[must_use]
    pub fn never(self) -> Self {
        self.times(0)
    }

    /// The first call like this was answered before the first of the others was made. Calls that were made side by side are in no order.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("confirm").before("delete")).build().is_ok());
    /// ```
    #[must_use]
    pub fn before(mut self, other: impl Into<Self>) -> Self {
        self.relations.push(Relation::Before(other.into()));
        self
    }

    /// The first call like this was made after the first of the others was answered.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("delete").after("confirm")).build().is_ok());
    /// ```
    #[must_use]
    pub fn after(mut self, other: impl Into<Self>) -> Self {
        self.relations.push(Relation::After(other.into()));
        self
    }

    /// A call of the function was refused in a way that the model can correct, and each such refusal was followed, within so many calls of
    /// the function, by one that succeeded and is like this.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").corrected_within(2)).build().is_ok());
    /// ```
    #[must_use]
    pub fn corrected_within(mut self, calls: usize) -> Self {
        if calls == 0 {
            self.misuses.push(Misuse::Empty("the number of corrections"));
        }
        self.courses.push(Course::CorrectedWithin(calls));
        self
    }

    /// A call of the function failed, in whatever way, and the next one of the function succeeded and is like this; so with each failure.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("fetch").succeeds_on_retry()).build().is_ok());
    /// ```
    #[must_use]
    pub fn succeeds_on_retry(mut self) -> Self {
        self.courses.push(Course::SucceedsOnRetry);
        self
    }

    /// With a count; a least and a most go together, any other two do not.
    fn counted(mut self, count: Count) -> Self {
        self.count = match (self.count, count) {
            (Count::OfItsOwn, count) => count,
            (Count::AtLeast(least), Count::AtMost(most)) | (Count::AtMost(most), Count::AtLeast(least)) => {
                if least > most {
                    self.misuses.push(Misuse::EmptyRange { name: self.name.clone(), least, most });
                }
                Count::Between(least, most)
            }
            (_, count) => {
                self.misuses.push(Misuse::TwoCounts(self.name.clone()));
                count
            }
        };
        self
    }
}
