//! Required reactions to a failure: [`Reaction`].
//!
//! Invariant: a call that was made in parallel with the failed call does not count as a reaction to the failure.

use tool_runtime::failure::{Failure, Recovery};

use super::actual_call::ActualCall;
use super::calls::{CallExpectation, Reaction};
use super::sentence_parts::times;

impl Reaction {
    /// Returns a sentence if a failure was not followed by the required calls.
    pub(super) fn fault(self, calls: &CallExpectation, made: &[ActualCall]) -> Option<String> {
        let (name, most) = (calls.name(), self.most());
        let (mut has_failed, mut failed) = (false, None);
        for call in made.iter().filter(|made| calls.is_of(made)) {
            let Some((time, tries)) = failed else {
                if self.begins(call) {
                    has_failed = true;
                    failed = Some((call.time(), 0));
                }
                continue;
            };
            if call.time() == time {
                continue;
            }
            let is_good = call.outcome.is_ok() && calls.fits(call);
            if is_good && tries < most {
                failed = None;
            } else if is_good {
                return Some(format!("{}, but it took {}.", self.expected(name), times(tries + 1)));
            } else {
                failed = Some((time, tries + 1));
            }
        }
        match failed {
            None if has_failed => None,
            None => Some(format!("{}, but no call {}.", self.expected(name), self.lacks())),
            Some((_, 0)) => Some(format!("{}, but it was not called again.", self.expected(name))),
            Some((_, tries)) => Some(format!("{}, but {} did not help.", self.expected(name), calls_again(tries))),
        }
    }

    /// Returns `true` if this call requires a reaction.
    fn begins(self, made: &ActualCall) -> bool {
        let is_like = |failure: &Failure| self == Self::SucceedsOnRetry || failure.recovery() == Recovery::CorrectCall;
        made.has_failed() && made.outcome.failure().is_some_and(is_like)
    }

    const fn most(self) -> usize {
        match self {
            Self::CorrectedWithin(most) => most,
            Self::SucceedsOnRetry => 1,
        }
    }

    fn expected(self, name: &str) -> String {
        match self {
            Self::CorrectedWithin(most) => {
                format!("Expected a rejected call of function '{name}' to be corrected within {}", times(most))
            }
            Self::SucceedsOnRetry => {
                format!("Expected function '{name}' to succeed when it is called again after a failure")
            }
        }
    }

    const fn lacks(self) -> &'static str {
        match self {
            Self::CorrectedWithin(_) => "was rejected",
            Self::SucceedsOnRetry => "failed",
        }
    }
}

fn calls_again(tries: usize) -> String {
    if tries == 1 { "1 more call".to_owned() } else { format!("{tries} more calls") }
}
