//! A scenario that makes sense: [`Prepared`], and how its last turn is to end: [`Ending`].
//!
//! In: what a [`Scenario`](super::Scenario) was told. Out: the transcript of one conversation, with the report. What always holds: each run
//! begins a conversation of its own; a turn that does not end as expected ends the run, and how it ended is told first.

use super::Report;
use crate::conversation::{Conversation, End};
use crate::testkit::Finding;
use crate::testkit::expectation::Expected;
use crate::transcript::Transcript;

/// How the last turn is to end; those before it are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Answered,
    Exhausted(String),
    Limited,
}

/// A scenario that makes sense.
pub(super) struct Prepared {
    pub(super) begin: Box<dyn Fn() -> Conversation + Send + Sync>,
    pub(super) instructions: Option<String>,
    pub(super) prompts: Vec<String>,
    pub(super) expected: Expected,
    pub(super) ending: Ending,
}

impl Prepared {
    /// Holds a conversation of its own and judges it.
    pub(super) async fn run(&self) -> (Transcript, Report) {
        let mut conversation = (self.begin)();
        if let Some(instructions) = &self.instructions {
            conversation = conversation.instructions(instructions.clone());
        }
        let mut finding = None;
        for (index, prompt) in self.prompts.iter().enumerate() {
            let end = conversation.ask(prompt.clone()).await;
            let is_last = index + 1 == self.prompts.len();
            finding = unexpected(if is_last { &self.ending } else { &Ending::Answered }, &end);
            if finding.is_some() {
                break;
            }
        }
        let report = self.expected.judge_after(finding, conversation.transcript(), conversation.session());
        (conversation.into_transcript(), report)
    }
}

/// What is wrong with the end of a turn.
fn unexpected(expected: &Ending, end: &End) -> Option<Finding> {
    let wanted = match (expected, end) {
        (Ending::Answered, End::Answered { .. }) | (Ending::Limited, End::Limited { .. }) => return None,
        (Ending::Exhausted(wanted), End::Exhausted { tool, .. }) if wanted == tool => return None,
        (Ending::Answered, _) => "Expected an answer".to_owned(),
        (Ending::Limited, _) => "Expected the turn to reach a limit".to_owned(),
        (Ending::Exhausted(tool), _) => format!("Expected the turn to end because calls of '{tool}' are refused"),
    };
    let but = match end {
        End::Answered { .. } => "the model answered".to_owned(),
        End::Exhausted { tool, attempts: 1, .. } => format!("a call of '{tool}' was refused"),
        End::Exhausted { tool, attempts, .. } => format!("calls of '{tool}' were refused {attempts} times in a row"),
        End::Limited { limit } => format!("the turn took all that it may: {limit:?}"),
        End::Deferred { call_ids } => format!("calls wait for the host: {}", call_ids.join(", ")),
        End::Failed { error } => format!("the model failed: {error}"),
    };
    Some(Finding::new(format!("{wanted}, but {but}.")))
}
