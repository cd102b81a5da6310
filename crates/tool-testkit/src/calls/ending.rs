//! How a call must end, and what the runtime did about it.

use tool_runtime::failure::{FailureKind, ThrottleRule};

use super::Calls;
use crate::condition::Condition;
use crate::matcher::Matcher;

impl Calls {
    /// The call has a result.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").succeeds()).build().is_ok());
    /// ```
    #[must_use]
    pub fn succeeds(self) -> Self {
        self.and(Condition::Succeeds)
    }

    /// The call has this result; a text is a JSON string here.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls, contains};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").returns(contains("sun"))).build().is_ok());
    /// ```
    #[must_use]
    pub fn returns(self, result: impl Into<Matcher>) -> Self {
        self.and(Condition::Returns(result.into()))
    }

    /// The call fails in this way.
    ///
    /// ```
    /// use tool_runtime::failure::FailureKind;
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("fetch").fails_with(FailureKind::Timeout)).build().is_ok());
    /// ```
    #[must_use]
    pub fn fails_with(self, kind: FailureKind) -> Self {
        self.and(Condition::FailsWith(kind))
    }

    /// The call is refused with a hint about this field.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").hinted("location")).build().is_ok());
    /// ```
    #[must_use]
    pub fn hinted(self, field: &str) -> Self {
        self.and(Condition::Hinted(field.to_owned()))
    }

    /// What stood at this place was read otherwise than it was written; `$` is the text as a whole, or the name.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").repaired("days")).build().is_ok());
    /// ```
    #[must_use]
    pub fn repaired(self, path: &str) -> Self {
        self.and(Condition::Repaired(path.to_owned()))
    }

    /// The call is refused by this rule against thrashing.
    ///
    /// ```
    /// use tool_runtime::failure::ThrottleRule;
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("load").throttled(ThrottleRule::IdenticalCall)).build().is_ok());
    /// ```
    #[must_use]
    pub fn throttled(self, rule: ThrottleRule) -> Self {
        self.and(Condition::Throttled(rule))
    }
}
