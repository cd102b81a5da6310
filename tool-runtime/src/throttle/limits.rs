//! The settings of the rules in `docs/wire.md`: the [`SessionLimits`] of a session.
//!
//! A limit that would throttle every call forever (no calls allowed, an endless pause) is replaced by the nearest limit that does not.

use std::time::Duration;

/// The maximum length of a pause and of a window. Longer values are reduced to it.
pub(super) const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum number of calls in a window.
pub(super) const MOST_CALLS: u32 = 1_024;

/// The lengths of consecutive pauses, given by the length of the first pause, a factor, and a maximum.
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
    /// The factor by which each pause is longer than the pause before it; 0 is treated as 1.
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
/// use tool_runtime::throttle::StreakLimits;
///
/// let patient = StreakLimits { limit: 10, ..StreakLimits::DEFAULT };
/// assert_eq!(patient.warn, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreakLimits {
    /// The count at which a warning is issued. If this count is not below `limit`, there is no warning.
    pub warn: u32,
    /// The count after which the next call is throttled; 0 is treated as 1.
    pub limit: u32,
    /// The length of the pause.
    pub pause: Backoff,
}

impl StreakLimits {
    /// Warns after two consecutive events, and throttles the next call after three.
    pub const DEFAULT: Self = Self { warn: 2, limit: 3, pause: Backoff::DEFAULT };

    /// Warns after four consecutive events, and throttles the next call after six. This is the default for consecutive failures with equal or
    /// different errors, because a model that makes different mistakes needs more attempts than a model that repeats one mistake.
    pub const FAILURES: Self = Self { warn: 4, limit: 6, pause: Backoff::DEFAULT };

    pub(super) fn throttles(&self, count: u32) -> bool {
        count >= self.limit.max(1)
    }

    pub(super) fn warns(&self, count: u32) -> bool {
        count == self.warn && !self.throttles(count)
    }
}

/// A limit on the number of calls in a window of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// The number of calls allowed in the window, from 1 to 1,024.
    pub calls: u32,
    /// The length of the window, at most one day.
    pub window: Duration,
}

impl RateLimit {
    pub(super) fn calls(&self) -> usize {
        self.calls.clamp(1, MOST_CALLS) as usize
    }

    pub(super) fn window(&self) -> Duration {
        self.window.min(LONGEST)
    }
}

/// The limits for consecutive calls with unknown tool names.
///
/// ```
/// use tool_runtime::throttle::UnknownNameLimits;
///
/// assert_eq!(UnknownNameLimits::DEFAULT, UnknownNameLimits { warn: 3, limit: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownNameLimits {
    /// The count at which a warning is issued.
    pub warn: u32,
    /// The count after which the answer to another unknown name is only the list of tools.
    pub limit: u32,
}

impl UnknownNameLimits {
    /// Warns after three consecutive unknown names. After five, the answer to another unknown name is only the list of tools.
    pub const DEFAULT: Self = Self { warn: 3, limit: 5 };
}

/// The choice of the calls and failures that the rules count.
///
/// ```
/// use tool_runtime::throttle::{CountingMode, SessionLimits};
///
/// assert_eq!(SessionLimits::default().counting, CountingMode::Unproductive);
/// assert_eq!(SessionLimits::strict().counting, CountingMode::Everything);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CountingMode {
    /// A call counts towards the rates when it ends, and only if it failed or returned nothing new. A rejection with a new set of issues
    /// resets the count of failures.
    ///
    /// A call returned nothing new in these cases: the same call returned the same result before; the result is the empty list `[]`; or the
    /// tool is read-only and returned the same result before, for any arguments. The repetition of a call within a batch counts before it
    /// runs.
    #[default]
    Unproductive,
    /// The rates count every call before it runs, and every failure counts. A batch of different calls counts as one call.
    Everything,
}

/// The limits of a session. `None` turns a rule off.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::SimulatedClock;
/// use tool_runtime::throttle::{SessionLimits, RateLimit};
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
/// let mut limits = SessionLimits::strict();
/// limits.overall_rate = Some(RateLimit { calls: 2, window: Duration::from_secs(5) });
/// let builder = Toolbox::builder().tool(LookUpTool).throttle(limits).clock(SimulatedClock::new());
/// let session = builder.build()?.session();
/// let call = |word: &str| pollster::block_on(session.call("call_1", "look_up", format!(r#"{{"word": "{word}"}}"#)));
/// assert!(call("tea").is_ok() && call("milk").is_ok());
/// assert_eq!(call("salt").failure().and_then(|failure| failure.retry_after()), Some(Duration::from_secs(5)));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// The choice of the calls and failures that the rules count.
    pub counting: CountingMode,
    /// The rule for consecutive failures of one tool, whether their errors are equal or different.
    pub consecutive_failures: Option<StreakLimits>,
    /// The rule for equal errors of one tool since its last success, whatever the arguments were. Arguments that were never tried may run during
    /// the pause, unless the error comes for any arguments.
    pub same_error: Option<StreakLimits>,
    /// The rule for consecutive calls of one tool with equal arguments and results. A success of another tool ends the sequence, unless the
    /// other tool is read-only.
    pub identical_call: Option<StreakLimits>,
    /// The rule for two calls that alternate without a new result. It counts the rounds.
    pub alternating_calls: Option<StreakLimits>,
    /// The maximum rate of calls of one tool. [`counting`](Self::counting) selects the calls that are counted.
    pub same_tool_rate: Option<RateLimit>,
    /// The maximum rate of calls of all tools together. [`counting`](Self::counting) selects the calls that are counted.
    pub overall_rate: Option<RateLimit>,
    /// The rule for consecutive calls with unknown tool names.
    pub unknown_tools: Option<UnknownNameLimits>,
    /// The maximum number of failures in a run; unlimited by default. 0 is treated as 1.
    pub run_budget: Option<u32>,
    /// The time for which an error, or a call with its result, is remembered. The time starts again with each repetition.
    pub history: Duration,
}

impl SessionLimits {
    /// Disables every rule: calls are counted but never throttled.
    pub const NONE: Self = Self {
        counting: CountingMode::Unproductive,
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
    /// seconds and double up to 5 minutes. [`SessionLimits::default()`] [counts fewer calls](CountingMode) and allows 6 consecutive failures.
    pub fn strict() -> Self {
        Self {
            counting: CountingMode::Everything,
            consecutive_failures: Some(StreakLimits::DEFAULT),
            ..Self::default()
        }
    }
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            consecutive_failures: Some(StreakLimits::FAILURES),
            same_error: Some(StreakLimits::DEFAULT),
            identical_call: Some(StreakLimits::DEFAULT),
            alternating_calls: Some(StreakLimits::DEFAULT),
            same_tool_rate: Some(RateLimit { calls: 5, window: Duration::from_secs(10) }),
            overall_rate: Some(RateLimit { calls: 10, window: Duration::from_secs(5) }),
            unknown_tools: Some(UnknownNameLimits::DEFAULT),
            ..Self::NONE
        }
    }
}
