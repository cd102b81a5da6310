//! Every number of the rules (WIRE §5): [`Limits`] of a session.
//!
//! In: nothing, or other numbers. Out: what the rules compare with. What always holds: a limit that would refuse everything for ever (no
//! call at all, a pause without end) is read as the nearest one that does not.

use std::time::Duration;

/// The longest pause and the longest window; longer ones are read as this.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// The most calls that a window can count.
const MOST_CALLS: u32 = 1_024;

/// How long a pause is: the first, and how the next ones grow.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::throttle::Backoff;
///
/// let Backoff { first, factor, cap } = Backoff::DEFAULT;
/// assert_eq!((first, factor, cap), (Duration::from_secs(30), 2, Duration::from_secs(300)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The first pause.
    pub first: Duration,
    /// How many times longer the next is.
    pub factor: u32,
    /// The longest; at most a day.
    pub cap: Duration,
}

impl Backoff {
    /// 30 seconds, twice as long each time, five minutes at most.
    ///
    /// ```
    /// assert_eq!(tool_runtime::throttle::Backoff::DEFAULT.factor, 2);
    /// ```
    pub const DEFAULT: Self = Self { first: Duration::from_secs(30), factor: 2, cap: Duration::from_secs(300) };

    pub(super) fn begin(&self) -> Duration {
        self.first.min(self.cap).min(LONGEST)
    }

    pub(super) fn after(&self, pause: Duration) -> Duration {
        pause.saturating_mul(self.factor.max(1)).max(self.begin()).min(self.cap).min(LONGEST)
    }
}

/// A rule that counts what happens in a row.
///
/// ```
/// use tool_runtime::throttle::Streak;
///
/// let patient = Streak { refuse: 10, ..Streak::DEFAULT };
/// assert_eq!(patient.warn, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streak {
    /// The count that warns; none below the count that pauses means no warning.
    pub warn: u32,
    /// The count after which the next call is refused; 0 is read as 1.
    pub refuse: u32,
    /// How long.
    pub pause: Backoff,
}

impl Streak {
    /// Warns at 2 and refuses after 3.
    ///
    /// ```
    /// assert_eq!(tool_runtime::throttle::Streak::DEFAULT.refuse, 3);
    /// ```
    pub const DEFAULT: Self = Self { warn: 2, refuse: 3, pause: Backoff::DEFAULT };

    /// Warns at 4 and refuses after 6: failures in a row that differ, which a model needs more of than equal ones.
    ///
    /// ```
    /// assert_eq!(tool_runtime::throttle::Streak::FAILURES.refuse, 6);
    /// ```
    pub const FAILURES: Self = Self { warn: 4, refuse: 6, pause: Backoff::DEFAULT };

    pub(super) fn refuses(&self, count: u32) -> bool {
        count >= self.refuse.max(1)
    }

    pub(super) fn warns(&self, count: u32) -> bool {
        count == self.warn && !self.refuses(count)
    }
}

/// A rule that counts calls in a window of time.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::throttle::Rate;
///
/// let rate = Rate { calls: 20, window: Duration::from_secs(60) };
/// assert_ne!(rate, Rate { calls: 5, window: Duration::from_secs(10) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many calls the window holds, from 1 to 1,024.
    pub calls: u32,
    /// How long it is; at most a day.
    pub window: Duration,
}

impl Rate {
    pub(super) fn calls(&self) -> usize {
        self.calls.clamp(1, MOST_CALLS) as usize
    }

    pub(super) fn window(&self) -> Duration {
        self.window.min(LONGEST)
    }
}

/// How many invented names in a row a session bears.
///
/// ```
/// use tool_runtime::throttle::UnknownNames;
///
/// assert_eq!(UnknownNames::DEFAULT, UnknownNames { warn: 3, refuse: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownNames {
    /// The count that warns.
    pub warn: u32,
    /// The count after which the answer shrinks to the list of tools.
    pub refuse: u32,
}

impl UnknownNames {
    /// Warns at 3, shrinks the answer after 5.
    ///
    /// ```
    /// assert_eq!(tool_runtime::throttle::UnknownNames::DEFAULT.refuse, 5);
    /// ```
    pub const DEFAULT: Self = Self { warn: 3, refuse: 5 };
}

/// What the rules count.
///
/// ```
/// use tool_runtime::throttle::{Counting, Limits};
///
/// assert_eq!(Limits::default().counting, Counting::Unproductive);
/// assert_eq!(Limits::strict().counting, Counting::Everything);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counting {
    /// The rates count calls that failed or brought nothing new; a call counts when it has ended. A refusal with other issues than before
    /// begins the count of failures anew.
    ///
    /// A call brought nothing new if the same call gave this result before, if it gave the empty list `[]`, or if its tool is read-only
    /// and gave this result before, whatever the arguments. A call that is repeated within a batch counts before it runs.
    #[default]
    Unproductive,
    /// The rates count every call, before it runs; every failure counts. A batch of different calls is one decision of the model and counts
    /// once.
    Everything,
}

/// The limits of a session. `None` turns a rule off.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::throttle::{Limits, Rate};
///
/// let mut limits = Limits::default();
/// limits.overall_rate = Some(Rate { calls: 50, window: Duration::from_secs(5) });
/// limits.run_budget = Some(40);
/// assert!(limits.same_error.is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// What the rates and the failures count.
    pub counting: Counting,
    /// Failures of one tool in a row, whatever they say.
    pub consecutive_failures: Option<Streak>,
    /// The same issues or error of one tool since its last success, whatever the arguments.
    pub same_error: Option<Streak>,
    /// The same tool, arguments and result in a row. A success of another tool ends the row, unless that tool is read-only.
    pub identical_call: Option<Streak>,
    /// Two calls in turn without a new result; counts rounds.
    pub alternating_calls: Option<Streak>,
    /// Calls of one tool, as far as they count.
    pub same_tool_rate: Option<Rate>,
    /// Calls of all tools, as far as they count.
    pub overall_rate: Option<Rate>,
    /// Invented names in a row.
    pub unknown_tools: Option<UnknownNames>,
    /// How many failures the run may have; off by default, and 0 is read as 1.
    pub run_budget: Option<u32>,
    /// How long a call and its result, or an error, are remembered after they were last seen.
    pub history: Duration,
}

impl Limits {
    /// No rule at all: everything is counted, nothing is refused.
    ///
    /// ```
    /// use tool_runtime::throttle::Limits;
    ///
    /// assert_eq!(Limits::NONE.consecutive_failures, None);
    /// ```
    pub const NONE: Self = Self {
        counting: Counting::Unproductive,
        consecutive_failures: None,
        same_error: None,
        identical_call: None,
        alternating_calls: None,
        same_tool_rate: None,
        overall_rate: None,
        unknown_tools: None,
        run_budget: None,
        history: Duration::from_secs(60),
    };

    /// The strict limits: every call and every failure counts, and three failures of a tool in a row pause it.
    ///
    /// The numbers are 3 failures in a row, 5 calls of a tool in 10 seconds, 10 calls in 5 seconds, and pauses of 30 seconds that double up
    /// to 5 minutes. [`Limits::default()`] differs in what it [counts](Counting) and in the 6 failures that it allows in a row.
    ///
    /// ```
    /// use tool_runtime::throttle::{Limits, Rate, Streak};
    ///
    /// let strict = Limits::strict();
    /// assert_eq!(strict.consecutive_failures, Some(Streak::DEFAULT));
    /// assert_eq!(strict.same_tool_rate, Limits::default().same_tool_rate);
    /// ```
    pub fn strict() -> Self {
        Self { counting: Counting::Everything, consecutive_failures: Some(Streak::DEFAULT), ..Self::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            consecutive_failures: Some(Streak::FAILURES),
            same_error: Some(Streak::DEFAULT),
            identical_call: Some(Streak::DEFAULT),
            alternating_calls: Some(Streak::DEFAULT),
            same_tool_rate: Some(Rate { calls: 5, window: Duration::from_secs(10) }),
            overall_rate: Some(Rate { calls: 10, window: Duration::from_secs(5) }),
            unknown_tools: Some(UnknownNames::DEFAULT),
            ..Self::NONE
        }
    }
}
