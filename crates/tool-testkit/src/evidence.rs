//! The data of a conversation that expectations are compared with: [`Evidence`].

use std::time::Duration;

use tool_chat::transcript::{Entry, Transcript};

use super::made::Made;

/// The calls in order, the last answer, and the cost of the conversation.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub(super) made: Vec<Made>,
    /// The answer to the last prompt, if the model gave one.
    pub(super) text: Option<String>,
    pub(super) tokens: u64,
    /// The part of the tokens that the model wrote.
    pub(super) written_tokens: u64,
    pub(super) elapsed: Duration,
}

impl Evidence {
    pub(super) fn of(transcript: &Transcript) -> Self {
        // Text beside calls, and text of an earlier turn, is not an answer to the last prompt.
        let text = match transcript.entries().last() {
            Some(Entry::Said { text, .. }) => text,
            _ => "",
        };
        Self {
            made: transcript.calls().map(Made::new).collect(),
            text: (!text.is_empty()).then(|| text.to_owned()),
            tokens: transcript.usage().total(),
            written_tokens: transcript.usage().output_tokens,
            elapsed: transcript.elapsed(),
        }
    }
}
