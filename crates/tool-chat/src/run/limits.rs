//! The limits of a turn: [`TurnLimits`], and the amounts that a turn has used so far.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::TurnLimit;
use crate::model::Usage;

/// The limits of one turn; `None` means no limit.
///
/// ```
/// use tool_chat::conversation::TurnLimits;
///
/// let mut limits = TurnLimits::default();
/// assert_eq!((limits.steps, limits.calls, limits.corrections), (Some(25), Some(100), 3));
/// limits.tokens = Some(50_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TurnLimits {
    /// The maximum number of answers of the model.
    pub steps: Option<usize>,
    /// The maximum number of calls.
    pub calls: Option<usize>,
    /// The maximum number of input and output tokens. Only tokens that the model reports are counted.
    pub tokens: Option<u64>,
    /// The maximum duration, without the time in which the turn waits for the host.
    pub time: Option<Duration>,
    /// The number of times that the model may correct calls of the same tool without a success in between.
    pub corrections: usize,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self { steps: Some(25), calls: Some(100), tokens: None, time: None, corrections: 3 }
    }
}

/// The amounts that a turn has used so far.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Spent {
    /// The duration, without the time in which the turn waited for the host.
    pub(super) elapsed: Duration,
    pub(super) usage: Usage,
    pub(super) calls: usize,
}

impl TurnLimits {
    /// Returns the limit that prevents another request to the model.
    pub(super) fn reached(&self, steps: usize, spent: &Spent) -> Option<TurnLimit> {
        if let Some(most) = self.steps.filter(|most| steps >= *most) {
            return Some(TurnLimit::Steps(most));
        }
        if let Some(most) = self.tokens.filter(|most| spent.usage.total() >= *most) {
            return Some(TurnLimit::Tokens(most));
        }
        self.time.filter(|most| spent.elapsed >= *most).map(TurnLimit::Time)
    }

    /// Returns the limit that prevents this number of further calls.
    pub(super) fn calls_reached(&self, spent: &Spent, more: usize) -> Option<TurnLimit> {
        self.calls.filter(|most| spent.calls.saturating_add(more) > *most).map(TurnLimit::Calls)
    }

    /// Returns the remaining time if it is limited.
    pub(super) fn time_left(&self, spent: &Spent) -> Option<Duration> {
        Some(self.time?.saturating_sub(spent.elapsed))
    }
}
