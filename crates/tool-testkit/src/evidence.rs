//! The data of a conversation with which expectations are compared: [`Evidence`].

use tool_chat::transcript::{Cost, Entry, Transcript};

use super::made::Made;

/// The calls in order, the last answer, and the cost of the conversation.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub(super) made: Vec<Made>,
    /// The answer to the last prompt, if the model gave one.
    pub(super) text: Option<String>,
    pub(super) cost: Cost,
    /// The number of each turn with its cost.
    pub(super) turns: Vec<(usize, Cost)>,
}

impl Evidence {
    pub(super) fn of(transcript: &Transcript) -> Self {
        // A text with calls, or a text of an earlier turn, is not an answer to the last prompt.
        let text = match transcript.entries().last() {
            Some(Entry::Said { text, .. }) => text,
            _ => "",
        };
        Self {
            made: transcript.calls().map(Made::new).collect(),
            text: (!text.is_empty()).then(|| text.to_owned()),
            cost: transcript.cost(),
            turns: transcript.turns().collect(),
        }
    }
}
