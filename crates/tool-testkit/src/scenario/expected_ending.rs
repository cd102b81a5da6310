//! The required end of the last turn: [`ExpectedEnding`].
//!
//! By default, every turn must end with an answer.

use tool_chat::conversation::TurnEnd;

use crate::FailedExpectation;
use crate::sentence_parts::listed;

/// The required end of the last turn. Earlier turns must end with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExpectedEnding {
    Answered,
    Exhausted(String),
    Rejected,
    Limited,
    Deferred(String),
}

impl ExpectedEnding {
    /// Returns a finding if a turn did not end as required. `waiting` are the functions of deferred calls.
    pub(super) fn fault(&self, end: &TurnEnd, waiting: &[&str]) -> Option<FailedExpectation> {
        let is_met = match (self, end) {
            (Self::Answered, TurnEnd::Answered { .. })
            | (Self::Limited, TurnEnd::Limited { .. })
            | (Self::Rejected, TurnEnd::Rejected { .. }) => true,
            (Self::Exhausted(wanted), TurnEnd::Exhausted { tool, .. }) => wanted == tool,
            (Self::Deferred(wanted), TurnEnd::Deferred { .. }) => waiting.contains(&wanted.as_str()),
            _ => false,
        };
        let wanted = match self {
            Self::Answered => "Expected an answer".to_owned(),
            Self::Limited => "Expected the turn to reach a limit".to_owned(),
            Self::Rejected => "Expected the turn to end because the answers are rejected".to_owned(),
            Self::Exhausted(tool) => format!("Expected the turn to end because calls of '{tool}' are rejected"),
            Self::Deferred(tool) => waits(tool),
        };
        (!is_met).then(|| FailedExpectation::new(format!("{wanted}, but {}.", came(end, waiting))))
    }
}

/// Returns the beginning of the sentence about a required deferred call of this function.
pub(super) fn waits(tool: &str) -> String {
    format!("Expected a call of function '{tool}' to wait for the host")
}

/// Returns the end of a turn as a clause to put after "but".
pub(super) fn came(end: &TurnEnd, waiting: &[&str]) -> String {
    match end {
        TurnEnd::Answered { .. } => "the model answered".to_owned(),
        TurnEnd::Exhausted { tool, attempts: 1, .. } => format!("a call of '{tool}' was rejected"),
        TurnEnd::Exhausted { tool, attempts, .. } => {
            format!("calls of '{tool}' were rejected {attempts} times in a row")
        }
        TurnEnd::Rejected { attempts: 1, .. } => "the answer was rejected".to_owned(),
        TurnEnd::Rejected { attempts, .. } => format!("{attempts} answers were rejected"),
        TurnEnd::Limited { limit } => format!("the turn reached a limit: {limit:?}"),
        TurnEnd::Deferred { .. } => format!("calls wait for the host: {}", listed(waiting)),
        TurnEnd::Failed { error } => format!("the model failed: {error}"),
        _ => "the turn ended in another way".to_owned(),
    }
}
