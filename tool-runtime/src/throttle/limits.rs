//! The settings of the rules in `docs/wire.md`: the [`Limits`] of a session.
//!
//! A limit that would refuse every call forever (no calls allowed, an endless pause) is replaced by the nearest limit that does not.

use std::time::Duration;

/// The maximum length of a pause and of a window. Longer values are reduced to it.
pub(super) const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum number of calls in a window.
pub(super) const MOST_CALLS: u32 = 1_024;

/// The lengths of consecutive pauses: the length of the first pause, and the growth of later pauses.
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
    /// The length of the first pause.
    pub first: Duration,
    /// The factor between the lengths of consecutive pauses.
    pub factor: u32,
    /// The maximum length of a pause, at most one day.
    pub cap: Duration,
}

impl Backoff {
    /// Pauses of 30 seconds that double up to five minutes.
    pub const DEFAULT: Self = Self { first: Duration::from_secs(30), factor: 2, cap: Duration::from_secs(300) };

    pub(super) fn begin(&self) -> Duration {
        self.first.min(self.cap).min(LONGEST)
    }

    pub(super) fn after(&self, pause: Duration) -> Duration {
        pause.saturating_mul(self.factor.max(1)).max(self.begin()).min(self.cap).min(LONGEST)
    }
}

/// A rule that counts consecutive events.
///
/// ```
/// use tool_runtime::throttle::Streak;
///
/// let patient = Streak { refuse: 10, ..Streak::DEFAULT };
/// assert_eq!(patient.warn, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streak {
    /// The count at which a warning is issued. If this count is not below `refuse`, there is no warning.
    pub warn: u32,
    /// The count after which the next call is refused; 0 is treated as 1.
    pub refuse: u32,
    /// The length of the pause.
    pub pause: Backoff,
}

impl Streak {
    /// Warns at 2 and refuses after 3.
    pub const DEFAULT: Self = Self { warn: 2, refuse: 3, pause: Backoff::DEFAULT };

    /// Warns at 4 and refuses after 6. This is the default for consecutive failures, which may differ: a model that makes different
    /// mistakes needs more attempts than a model that repeats one mistake.
    pub const FAILURES: Self = Self { warn: 4, refuse: 6, pause: Backoff::DEFAULT };

    pub(super) fn refuses(&self, count: u32) -> bool {
        count >= self.refuse.max(1)
    }

    pub(super) fn warns(&self, count: u32) -> bool {
        count == self.warn && !self.refuses(count)
    }
}

/// A limit on the number of calls in a window of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The number of calls allowed in the window, from 1 to 1,024.
    pub calls: u32,
    /// The length of the window, at most one day.
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

/// The limits for calls with unknown tool names in a row.
///
/// ```
/// use tool_runtime::throttle::UnknownNames;
///
/// assert_eq!(UnknownNames::DEFAULT, UnknownNames { warn: 3, refuse: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownNames {
    /// The count at which a warning is issued.
    pub warn: u32,
    /// The count after which the answer is reduced to the list of tools.
    pub refuse: u32,
}

impl UnknownNames {
    /// The third unknown name is warned about. After the fifth, the answer is only the list of tools.
    pub const DEFAULT: Self = Self { warn: 3, refuse: 5 };
}

/// The choice of the calls and failures that the rules count.
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
    /// A call counts towards the rates when it ends, and only if it failed or returned nothing new. A refusal with a new set of issues
    /// resets the count of failures.
    ///
    /// A call returned nothing new in these cases: the same call returned the same result before; the result is the empty list `[]`; or the
    /// tool is read-only and returned the same result before, for any arguments. A call that is repeated within a batch counts before it
    /// runs.
    #[default]
    Unproductive,
    /// The rates count every call before it runs, and every failure counts. A batch of different calls is one decision of the model, and
    /// counts as one call.
    Everything,
}

/// The limits of a session. `None` turns a rule off.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::SimulatedClock;
/// use tool_runtime::throttle::{Limits, Rate};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Looks up a word.
/// #[tool]
/// fn look_up(
///     /// The word.
///     word: String,
/// ) -> String {
///     word
/// }
///
/// let mut limits = Limits::strict();
/// limits.overall_rate = Some(Rate { calls: 2, window: Duration::from_secs(5) });
/// let builder = Toolbox::builder().tool(LookUpTool).throttle(limits).clock(SimulatedClock::new());
/// let session = builder.build()?.session();
/// let call = |word: &str| pollster::block_on(session.call("call_1", "look_up", format!(r#"{{"word": "{word}"}}"#)));
/// assert!(call("tea").is_ok() && call("milk").is_ok());
/// assert_eq!(call("salt").failure().and_then(|failure| failure.retry_after()), Some(Duration::from_secs(5)));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The choice of the calls and failures that the rules count.
    pub counting: Counting,
    /// Consecutive failures of one tool, equal or different.
    pub consecutive_failures: Option<Streak>,
    /// Equal failures of one tool since its last success, for any arguments.
    pub same_error: Option<Streak>,
    /// Consecutive calls of one tool with equal arguments and results. A success of another tool ends the sequence, unless the other tool
    /// is read-only.
    pub identical_call: Option<Streak>,
    /// Rounds of two alternating calls without a new result.
    pub alternating_calls: Option<Streak>,
    /// Counted calls of one tool.
    pub same_tool_rate: Option<Rate>,
    /// Counted calls of all tools.
    pub overall_rate: Option<Rate>,
    /// Consecutive calls with unknown tool names.
    pub unknown_tools: Option<UnknownNames>,
    /// The maximum number of failures in a run; unlimited by default. 0 is treated as 1.
    pub run_budget: Option<u32>,
    /// The time after which a call with its result is forgotten, and so is an error, unless it occurs again.
    pub history: Duration,
}

impl Limits {
    /// Disables every rule: calls are counted but never refused.
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

    /// Returns strict limits: every call and every failure counts, and three consecutive failures of a tool pause it.
    ///
    /// The limits are 3 consecutive failures, 5 calls of one tool in 10 seconds, and 10 calls of all tools in 5 seconds. Pauses last 30
    /// seconds and double up to 5 minutes. [`Limits::default()`] [counts fewer calls](Counting) and allows 6 consecutive failures.
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
