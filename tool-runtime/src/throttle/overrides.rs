//! [`LimitOverrides`], the limits of one tool that differ from the limits of the session.
//!
//! If a tool does not override a setting, it has the setting of the session. All rules can be set in a `const`.

use super::limits::{RateLimit, SessionLimits, StreakLimits};
use super::rates::CountedRate;
use crate::failure::ThrottleRule;
use crate::shape::{SharedSlice, Text};

/// The limits of one tool that differ from the limits of the session.
///
/// ```
/// use tool_runtime::failure::ThrottleRule;
/// use tool_runtime::throttle::LimitOverrides;
/// use tool_runtime::{Toolbox, TypedTool, tool};
///
/// /// Returns the state of the build.
/// #[tool(polling)]
/// fn build_status() -> &'static str {
///     "running"
/// }
///
/// let same = LimitOverrides::NONE.disable_rule(ThrottleRule::IdenticalCall).disable_rule(ThrottleRule::AlternatingCalls);
/// assert_eq!(BuildStatusTool::SPEC.throttle, same);
/// let session = Toolbox::builder().tool(BuildStatusTool).build()?.session();
/// for _ in 0..4 {
///     // Without `polling`, the fourth call would be throttled.
///     assert_eq!(pollster::block_on(session.call("call_1", "build_status", "{}")).to_text(), "running");
/// }
/// // A rule for the whole session cannot be disabled for one tool.
/// assert_eq!(LimitOverrides::NONE.disable_rule(ThrottleRule::RunBudget), LimitOverrides::NONE);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitOverrides {
    rules: Rules,
    volatile: SharedSlice<Text>,
}

/// The overrides of the rules. The type has no destructor, so a `const fn` can assign its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Rules {
    consecutive_failures: Setting<StreakLimits>,
    same_error: Setting<StreakLimits>,
    identical_call: Setting<StreakLimits>,
    alternating_calls: Setting<StreakLimits>,
    same_tool_rate: Setting<RateLimit>,
    unlimited: bool,
}

impl LimitOverrides {
    /// Overrides nothing.
    pub const NONE: Self = Self {
        rules: Rules {
            consecutive_failures: Setting::Inherited,
            same_error: Setting::Inherited,
            identical_call: Setting::Inherited,
            alternating_calls: Setting::Inherited,
            same_tool_rate: Setting::Inherited,
            unlimited: false,
        },
        volatile: SharedSlice::EMPTY,
    };

    /// Overrides the limits for consecutive failures.
    #[must_use]
    pub const fn consecutive_failures(mut self, streak: StreakLimits) -> Self {
        self.rules.consecutive_failures = Setting::Own(streak);
        self
    }

    /// Overrides the limits for equal errors.
    #[must_use]
    pub const fn same_error(mut self, streak: StreakLimits) -> Self {
        self.rules.same_error = Setting::Own(streak);
        self
    }

    /// Overrides the limits for identical calls.
    #[must_use]
    pub const fn identical_call(mut self, streak: StreakLimits) -> Self {
        self.rules.identical_call = Setting::Own(streak);
        self
    }

    /// Overrides the limits for two alternating calls.
    #[must_use]
    pub const fn alternating_calls(mut self, streak: StreakLimits) -> Self {
        self.rules.alternating_calls = Setting::Own(streak);
        self
    }

    /// Overrides the rate of the tool.
    #[must_use]
    pub const fn same_tool_rate(mut self, rate: RateLimit) -> Self {
        self.rules.same_tool_rate = Setting::Own(rate);
        self
    }

    /// Disables a rule for this tool. Rules for the whole session still apply.
    #[must_use]
    pub const fn disable_rule(mut self, rule: ThrottleRule) -> Self {
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

    /// Allows identical calls, for a tool that is called repeatedly until its result changes. The rules about failures and rates still
    /// apply.
    #[must_use]
    pub const fn polling(self) -> Self {
        self.disable_rule(ThrottleRule::IdenticalCall).disable_rule(ThrottleRule::AlternatingCalls)
    }

    /// Disables all rules for this tool. Its calls and failures count only in the statistics.
    #[must_use]
    pub const fn unlimited(mut self) -> Self {
        self.rules.unlimited = true;
        self
    }

    /// Sets the members of results that always differ, such as `timestamp` or `request_id`, at any depth. Results that differ only in these
    /// members count as equal. Calling this method again replaces the list.
    #[must_use]
    pub fn volatile_result_fields(mut self, members: impl IntoIterator<Item: Into<Text>>) -> Self {
        self.volatile = members.into_iter().map(Into::into).collect::<Vec<_>>().into();
        self
    }

    /// Creates the overrides in code generated by a macro.
    pub(crate) const fn of_macro(rules: &Self, volatile: &'static [Text]) -> Self {
        Self { rules: rules.rules, volatile: SharedSlice::Static(volatile) }
    }

    pub(super) fn over(&self, session: &SessionLimits) -> ToolLimits {
        ToolLimits {
            consecutive_failures: self.rules.consecutive_failures.over(session.consecutive_failures),
            same_error: self.rules.same_error.over(session.same_error),
            identical_call: self.rules.identical_call.over(session.identical_call),
            alternating_calls: self.rules.alternating_calls.over(session.alternating_calls),
            same_tool_rate: self.rules.same_tool_rate.over(session.same_tool_rate).map(CountedRate::from_limit),
            unlimited: self.rules.unlimited,
            volatile: self.volatile.clone(),
        }
    }
}

/// A setting of one rule.
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
    pub(super) consecutive_failures: Option<StreakLimits>,
    pub(super) same_error: Option<StreakLimits>,
    pub(super) identical_call: Option<StreakLimits>,
    pub(super) alternating_calls: Option<StreakLimits>,
    pub(super) same_tool_rate: Option<CountedRate>,
    pub(super) unlimited: bool,
    pub(super) volatile: SharedSlice<Text>,
}
