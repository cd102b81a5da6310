//! [`Retry`], the further attempts that the runtime itself makes when a tool is temporarily unavailable.
//!
//! Pauses are deterministic, without jitter, and never longer than the cap.

use std::time::Duration;

/// The number of attempts of a call, and the pauses between them.
///
/// Only `idempotent` tools are retried, and only if they report that they are unavailable, rate limited, or too slow.
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
    /// The largest number of attempts, including the first; 0 and 1 disable retries.
    pub attempts: u32,
    /// The length of the first pause.
    pub first: Duration,
    /// The factor by which each later pause is longer; 0 is treated as 1.
    pub factor: u32,
    /// The length of the longest pause. If a tool asks for a longer one, it is not retried, and the model sees the requested delay.
    pub cap: Duration,
}

impl Retry {
    /// Three attempts, with pauses of 200 milliseconds that double up to five seconds.
    pub const DEFAULT: Self =
        Self { attempts: 3, first: Duration::from_millis(200), factor: 2, cap: Duration::from_secs(5) };

    /// Returns the pause after a number of failed attempts, unless the tool asks for a longer one.
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
