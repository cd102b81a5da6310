//! How often the runtime itself calls a tool again that cannot answer at the moment, and how long it waits: [`Retry`].
//!
//! In: numbers of a tool's author or of a host. Out: the pause before each further attempt. What always holds: no pause is longer than
//! the cap, and the pauses of equal numbers are equal: there is no chance in them.

use std::time::Duration;

/// How often a tool is called in all, and how long the runtime waits in between.
///
/// Only a tool that is `idempotent` is called again, and only where it was unavailable, rate limited or too slow by its own account.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::tool::Retry;
///
/// let retry = Retry { attempts: 5, ..Retry::DEFAULT };
/// let pauses: Vec<_> = (1..5).map(|failed| retry.pause(failed).as_millis()).collect();
/// assert_eq!(pauses, [200, 400, 800, 1600]);
/// assert_eq!(retry.pause(9), Duration::from_secs(5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How often the tool is called at most, the first time included; 0 and 1 mean that it is never called again.
    pub attempts: u32,
    /// The first pause.
    pub first: Duration,
    /// How many times longer the next one is; 0 is read as 1.
    pub factor: u32,
    /// The longest pause. A tool that asks for a longer one is not called again, and the model learns what it asked for.
    pub cap: Duration,
}

impl Retry {
    /// Three attempts; 200 milliseconds, twice as long each time, five seconds at most.
    ///
    /// ```
    /// assert_eq!(tool_runtime::tool::Retry::DEFAULT.attempts, 3);
    /// ```
    pub const DEFAULT: Self =
        Self { attempts: 3, first: Duration::from_millis(200), factor: 2, cap: Duration::from_secs(5) };

    /// The pause after so many failed attempts, as long as the tool asks for no longer one.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_runtime::tool::Retry;
    /// assert_eq!(Retry::DEFAULT.pause(1), Duration::from_millis(200));
    /// assert_eq!(Retry::DEFAULT.pause(u32::MAX), Duration::from_secs(5));
    /// ```
    pub fn pause(&self, failed: u32) -> Duration {
        let times = self.factor.max(1).saturating_pow(failed.saturating_sub(1));
        self.first.saturating_mul(times).min(self.cap)
    }
}

impl Default for Retry {
    fn default() -> Self {
        Self::DEFAULT
    }
}
