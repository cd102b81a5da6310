//! What a conversation left behind, as expectations look at it: [`Evidence`].

use std::time::Duration;

use tool_chat::transcript::{Entry, Transcript};

use super::made::Made;

/// The calls in the order in which they were written, the last answer, and what it all took.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub(super) made: Vec<Made>,
    /// The answer to the last prompt, if there is one.
    pub(super) text: Option<String>,
    pub(super) tokens: u64,
    pub(super) elapsed: Duration,
}

impl Evidence {
    pub(super) fn of(transcript: &Transcript) -> Self {
        // What was said along with calls, or in an earlier turn, is no answer to the last prompt.
        let text = match transcript.entries().last() {
            Some(Entry::Said { text, .. }) => text,
            _ => "",
        };
        Self {
            made: transcript.calls().map(Made::new).collect(),
            text: (!text.is_empty()).then(|| text.to_owned()),
            tokens: transcript.usage().total(),
            elapsed: transcript.elapsed(),
        }
    }
}
