//! [`Retry`], the settings for the attempts that the runtime itself makes when a tool is temporarily unavailable.
//!
//! The pauses between the attempts have no random part, and are never longer than the cap.

use std::time::Duration;

/// The number of attempts of a call, and the pauses between them.
///
/// Only `idempotent` tools are retried, and only if they report one of these errors: unavailable, rate limited, or timeout.
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
    /// The maximum number of attempts, including the first; 0 and 1 disable retries.
    pub attempts: u32,
    /// The length of the first pause.
    pub first: Duration,
    /// The factor by which each pause is longer than the pause before it; 0 is treated as 1.
    pub factor: u32,
    /// The maximum length of a pause. If a tool asks for a longer pause, it is not retried, and the model reads the requested pause.
    pub cap: Duration,
}

impl Retry {
    /// Three attempts, with a first pause of 200 milliseconds. Each later pause is twice as long, up to five seconds.
    pub const DEFAULT: Self =
        Self { attempts: 3, first: Duration::from_millis(200), factor: 2, cap: Duration::from_secs(5) };

    /// Returns the pause after this number of failed attempts, for a tool that does not ask for a longer pause.
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
