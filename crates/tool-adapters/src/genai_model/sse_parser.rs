//! A parser for the raw events of a server: [`SseParser`].
//!
//! Answers in the dialects of `OpenAI` are parsed completely. For other dialects, only thoughts are parsed, and genai parses the rest.
//!
//! Invariants: an event is parsed once. Unknown events are ignored.

use serde_json::Value;
use tool_chat::model::{Delta, ModelError};

use super::{chat_completions, convert_error, responses_api_parser, thought_signatures};

/// A parser for streams.
#[derive(Default)]
pub(super) struct SseParser {
    chat: chat_completions::Reader,
    responses: responses_api_parser::Reader,
    thinking: thought_signatures::ReasoningBlocks,
    is_done: bool,
}

impl SseParser {
    /// Creates a parser. `search` is the name of the tool that is sent as a `tool_search`.
    pub(super) fn new(search: &str) -> Self {
        Self { responses: responses_api_parser::Reader::new(search), ..Self::default() }
    }

    /// Returns `true` if the stream so far is in a dialect that is parsed completely, so genai's own parser is not needed.
    pub(super) const fn is_spoken(&self) -> bool {
        self.chat.is_spoken() || self.responses.is_spoken()
    }

    /// Returns `true` if the answer has ended.
    pub(super) const fn is_ended(&self) -> bool {
        self.is_done || self.chat.is_ended() || self.responses.is_ended()
    }

    /// Parses the pieces of the answer in one event.
    pub(super) fn read(&mut self, data: &str, mut give: impl FnMut(Delta)) -> Result<(), ModelError> {
        if data == "[DONE]" {
            self.chat.end(&mut give);
            self.is_done = true;
            return Ok(());
        }
        let event = match serde_json::from_str::<Value>(data) {
            Ok(event) => event,
            // In this dialect, genai ignores an event that is not valid JSON. In others, it reports an error itself.
            Err(error) if self.responses.is_spoken() => return Err(convert_error::malformed(&error.to_string())),
            Err(_) => return Ok(()),
        };
        if let Some(choices) = event.get("choices").and_then(Value::as_array) {
            if let Some(error) = chat_completions::failed(&event) {
                return Err(error);
            }
            self.chat.read(&event, choices, give);
            return Ok(());
        }
        match event.get("type").and_then(Value::as_str) {
            Some(kind) if kind.starts_with("response.") => self.responses.read(kind, &event, give),
            _ => {
                self.thinking.read(&event, give);
                Ok(())
            }
        }
    }
}
