//! The events of a server as they are, whatever genai makes of them: [`Events`].
//!
//! In: the data of one event after the other. Out: deltas, in the dialects that are read here, and the thoughts of the others. What always
//! holds: an event is read once; what nobody knows is passed over.

use serde_json::Value;
use tool_chat::model::{Delta, ModelError};

use super::{chat_completions, error, responses, thoughts};

/// Reads a stream, event by event.
#[derive(Default)]
pub(super) struct Events {
    chat: chat_completions::Reader,
    responses: responses::Reader,
    thinking: thoughts::Blocks,
    is_done: bool,
}

impl Events {
    /// Whether the events say it all, as far as they have come.
    pub(super) const fn is_spoken(&self) -> bool {
        self.chat.is_spoken() || self.responses.is_spoken()
    }

    /// Whether the answer has come to its end.
    pub(super) const fn is_ended(&self) -> bool {
        self.is_done || self.chat.is_ended() || self.responses.is_ended()
    }

    /// The pieces in one event.
    pub(super) fn read(&mut self, data: &str, mut give: impl FnMut(Delta)) -> Result<(), ModelError> {
        if data == "[DONE]" {
            self.chat.end(&mut give);
            self.is_done = true;
            return Ok(());
        }
        let event = match serde_json::from_str::<Value>(data) {
            Ok(event) => event,
            // genai passes over it here, and complains of it elsewhere.
            Err(error) if self.responses.is_spoken() => return Err(error::malformed(&error.to_string())),
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
