//! What one tool has otherwise than its session: [`Overrides`], and the limits that come of both.
//!
//! In: what the author of a tool says of it. Out: the rules for that tool. What always holds: what a tool does not say is as the session
//! has it, and what is said of a rule can be written in a `const`.

use super::limits::{Limits, Rate, Streak};
use super::rates::Pace;
use crate::failure::ThrottleRule;
use crate::shape::{List, Text};

/// What one tool has otherwise than its session.
///
/// ```
/// use tool_runtime::failure::ThrottleRule;
/// use tool_runtime::throttle::{Overrides, Streak};
///
/// const BUILD_STATUS: Overrides = Overrides::NONE.polling();
/// const FLAKY: Overrides = Overrides::NONE
///     .consecutive_failures(Streak { warn: 8, refuse: 10, ..Streak::DEFAULT })
///     .without(ThrottleRule::SameError);
/// assert_ne!(BUILD_STATUS, FLAKY);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    rules: Rules,
    volatile: List<Text>,
}

/// What is said of the rules; nothing of it has to be dropped, so a `const` can overwrite it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Rules {
    consecutive_failures: Setting<Streak>,
    same_error: Setting<Streak>,
    identical_call: Setting<Streak>,
    alternating_calls: Setting<Streak>,
    same_tool_rate: Setting<Rate>,
    unlimited: bool,
}

impl Overrides {
    /// All as the session has it.
    ///
    /// ```
    /// # use tool_runtime::throttle::Overrides;
    /// assert_eq!(Overrides::NONE, Overrides::default());
    /// ```
    pub const NONE: Self = Self {
        rules: Rules {
            consecutive_failures: Setting::Inherited,
            same_error: Setting::Inherited,
            identical_call: Setting::Inherited,
            alternating_calls: Setting::Inherited,
            same_tool_rate: Setting::Inherited,
            unlimited: false,
        },
        volatile: List::EMPTY,
    };

    /// Its own count of failures in a row.
    ///
    /// ```
    /// # use tool_runtime::throttle::{Overrides, Streak};
    /// assert_ne!(Overrides::NONE.consecutive_failures(Streak::DEFAULT), Overrides::NONE);
    /// ```
    #[must_use]
    pub const fn consecutive_failures(mut self, streak: Streak) -> Self {
        self.rules.consecutive_failures = Setting::Own(streak);
        self
    }

    /// Its own count of the same error.
    ///
    /// ```
    /// # use tool_runtime::throttle::{Overrides, Streak};
    /// assert_ne!(Overrides::NONE.same_error(Streak::DEFAULT), Overrides::NONE);
    /// ```
    #[must_use]
    pub const fn same_error(mut self, streak: Streak) -> Self {
        self.rules.same_error = Setting::Own(streak);
        self
    }

    /// Its own count of identical calls.
    ///
    /// ```
    /// # use tool_runtime::throttle::{Overrides, Streak};
    /// assert_ne!(Overrides::NONE.identical_call(Streak::DEFAULT), Overrides::NONE);
    /// ```
    #[must_use]
    pub const fn identical_call(mut self, streak: Streak) -> Self {
        self.rules.identical_call = Setting::Own(streak);
        self
    }

    /// Its own count of rounds with another call.
    ///
    /// ```
    /// # use tool_runtime::throttle::{Overrides, Streak};
    /// assert_ne!(Overrides::NONE.alternating_calls(Streak::DEFAULT), Overrides::NONE);
    /// ```
    #[must_use]
    pub const fn alternating_calls(mut self, streak: Streak) -> Self {
        self.rules.alternating_calls = Setting::Own(streak);
        self
    }

    /// Its own rate.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_runtime::throttle::{Overrides, Rate};
    /// let rate = Rate { calls: 30, window: Duration::from_secs(10) };
    /// assert_ne!(Overrides::NONE.same_tool_rate(rate), Overrides::NONE);
    /// ```
    #[must_use]
    pub const fn same_tool_rate(mut self, rate: Rate) -> Self {
        self.rules.same_tool_rate = Setting::Own(rate);
        self
    }

    /// Without a rule that is about one tool. The rules about the whole session stay as they are.
    ///
    /// ```
    /// # use tool_runtime::{failure::ThrottleRule, throttle::Overrides};
    /// assert_ne!(Overrides::NONE.without(ThrottleRule::SameError), Overrides::NONE);
    /// assert_eq!(Overrides::NONE.without(ThrottleRule::RunBudget), Overrides::NONE);
    /// ```
    #[must_use]
    pub const fn without(mut self, rule: ThrottleRule) -> Self {
        match rule {
            ThrottleRule::ConsecutiveFailures => self.rules.consecutive_failures = Setting::Off,
            ThrottleRule::SameError => self.rules.same_error = Setting::Off,
            ThrottleRule::IdenticalCall => self.rules.identical_call = Setting::Off,
            ThrottleRule::AlternatingCalls => self.rules.alternating_calls = Setting::Off,
            ThrottleRule::SameToolRate => self.rules.same_tool_rate = Setting::Off,
            ThrottleRule::OverallRate | ThrottleRule::UnknownTools | ThrottleRule::RunBudget => {}
        }
        self
    }

    /// A tool that is asked again and again until something changes: the same call with the same result is right. Its failures and
    /// its rate still count.
    ///
    /// ```
    /// # use tool_runtime::{failure::ThrottleRule, throttle::Overrides};
    /// let same = Overrides::NONE.without(ThrottleRule::IdenticalCall).without(ThrottleRule::AlternatingCalls);
    /// assert_eq!(Overrides::NONE.polling(), same);
    /// ```
    #[must_use]
    pub const fn polling(self) -> Self {
        self.without(ThrottleRule::IdenticalCall).without(ThrottleRule::AlternatingCalls)
    }

    /// A tool that no rule ever refuses, and whose calls and failures count nowhere but in the statistics.
    ///
    /// ```
    /// # use tool_runtime::throttle::Overrides;
    /// assert_ne!(Overrides::NONE.unlimited(), Overrides::NONE);
    /// ```
    #[must_use]
    pub const fn unlimited(mut self) -> Self {
        self.rules.unlimited = true;
        self
    }

    /// Members of the result that always differ (`timestamp`, `request_id`), at any depth: results that differ in nothing else are the
    /// same. They take the place of those that were named before.
    ///
    /// ```
    /// # use tool_runtime::throttle::Overrides;
    /// assert_ne!(Overrides::NONE.volatile(["timestamp"]), Overrides::NONE);
    /// ```
    #[must_use]
    pub fn volatile(mut self, members: impl IntoIterator<Item: Into<Text>>) -> Self {
        self.volatile = members.into_iter().map(Into::into).collect::<Vec<_>>().into();
        self
    }

    /// What a macro wrote.
    pub(crate) const fn of_macro(rules: &Self, volatile: &'static [Text]) -> Self {
        Self { rules: rules.rules, volatile: List::Static(volatile) }
    }

    pub(super) fn over(&self, session: &Limits) -> ToolLimits {
        ToolLimits {
            consecutive_failures: self.rules.consecutive_failures.over(session.consecutive_failures),
            same_error: self.rules.same_error.over(session.same_error),
            identical_call: self.rules.identical_call.over(session.identical_call),
            alternating_calls: self.rules.alternating_calls.over(session.alternating_calls),
            same_tool_rate: self.rules.same_tool_rate.over(session.same_tool_rate).map(Pace::of),
            unlimited: self.rules.unlimited,
            volatile: self.volatile.clone(),
        }
    }
}

/// What a tool says of one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Setting<T> {
    #[default]
    Inherited,
    Off,
    Own(T),
}

impl<T> Setting<T> {
    fn over(self, session: Option<T>) -> Option<T> {
        match self {
            Self::Inherited => session,
            Self::Off => None,
            Self::Own(own) => Some(own),
        }
    }
}

/// The rules for one tool.
#[derive(Clone, Debug)]
pub(super) struct ToolLimits {
    pub(super) consecutive_failures: Option<Streak>,
    pub(super) same_error: Option<Streak>,
    pub(super) identical_call: Option<Streak>,
    pub(super) alternating_calls: Option<Streak>,
    pub(super) same_tool_rate: Option<Pace>,
    pub(super) unlimited: bool,
    pub(super) volatile: List<Text>,
}
