//! The data of a conversation with which expectations are compared: [`Evidence`].

use tool_chat::transcript::{Entry, Totals, Transcript};

use super::actual_call::ActualCall;

/// The calls in order, the last answer, and the cost of the conversation.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub(super) made: Vec<ActualCall>,
    /// The answer to the last prompt, if the model gave one.
    pub(super) text: Option<String>,
    /// The answers to the last prompt that were not followed by calls: those that were rejected, and the last one.
    pub(super) answers: Vec<SaidAnswer>,
    pub(super) cost: Totals,
    /// The number of each turn with its cost.
    pub(super) turns: Vec<(usize, Totals)>,
}

/// A text of the model that may be a typed answer.
#[derive(Clone, Debug)]
pub(super) struct SaidAnswer {
    pub(super) text: String,
    /// `true` if the model was told to answer again.
    pub(super) is_rejected: bool,
}

/// Returns the answers of the last turn, in order.
fn answers(transcript: &Transcript) -> Vec<SaidAnswer> {
    let entries = transcript.entries();
    let first = entries.iter().rposition(|entry| matches!(entry, Entry::Prompt { .. })).unwrap_or_default();
    let answer = |index: usize| match (&entries[index], entries.get(index + 1)) {
        (Entry::Answer { text, .. }, Some(Entry::Rejected { .. })) => {
            Some(SaidAnswer { text: text.clone(), is_rejected: true })
        }
        (Entry::Answer { text, .. }, None) => Some(SaidAnswer { text: text.clone(), is_rejected: false }),
        // An empty text has no entry of its own.
        (Entry::Prompt { .. } | Entry::Called(_) | Entry::Rejected { .. }, Some(Entry::Rejected { .. })) => {
            Some(SaidAnswer { text: String::new(), is_rejected: true })
        }
        _ => None,
    };
    (first..entries.len()).filter_map(answer).collect()
}

impl Evidence {
    pub(super) fn of(transcript: &Transcript) -> Self {
        // A text with calls, or a text of an earlier turn, is not an answer to the last prompt.
        let text = match transcript.entries().last() {
            Some(Entry::Answer { text, .. }) => text,
            _ => "",
        };
        Self {
            made: transcript.calls().map(ActualCall::new).collect(),
            text: (!text.is_empty()).then(|| text.to_owned()),
            answers: answers(transcript),
            cost: transcript.totals(),
            turns: transcript.turn_totals().collect(),
        }
    }
}
