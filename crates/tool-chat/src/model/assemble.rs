//! Assembly of deltas into an answer: [`Assembler`].
//!
//! Invariants: the text of arguments is exactly what was sent. Calls are in the order in which they began. The time to add a piece depends
//! only on the length of the piece.

use std::collections::HashMap;
use std::fmt;

use serde_json::Value;

use super::{Delta, Response, StopReason, ToolCall, Usage};

/// Assembles an answer from its pieces.
///
/// ```
/// use tool_chat::model::{Assembler, Delta, ToolCall};
///
/// let piece = |id: Option<&str>, name: Option<&str>, arguments: &str| Delta::Call {
///     index: 0,
///     id: id.map(str::to_owned),
///     name: name.map(str::to_owned),
///     arguments: arguments.to_owned(),
/// };
/// let mut assembler = Assembler::new();
/// assembler.push(piece(Some("call_1"), Some("get_weather"), ""));
/// assembler.push(piece(None, None, "{\"location\": "));
/// assembler.push(piece(None, None, "\"Paris\"}"));
/// assert_eq!(assembler.finish().calls, [ToolCall::new("call_1", "get_weather", r#"{"location": "Paris"}"#)]);
/// ```
#[derive(Clone, Default)]
pub struct Assembler {
    text: String,
    calls: Vec<ToolCall>,
    thoughts: Vec<Value>,
    /// The index in `calls`, keyed by the provider's index.
    places: HashMap<usize, usize>,
    usage: Usage,
    stop: Option<StopReason>,
}

impl fmt::Debug for Assembler {
    /// Shows the amount of data, but no arguments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler")
            .field("text_bytes", &self.text.len())
            .field("calls", &self.calls)
            .finish_non_exhaustive()
    }
}

impl Assembler {
    /// Creates an empty answer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next piece.
    ///
    /// Some providers use the same index for all calls. Therefore a new call begins if a name arrives with a new id, even at a known index,
    /// or if a different name arrives after arguments. A new id without a name does not begin a call, because some providers send a new id
    /// with each piece. Each reported usage is a total, so the largest value is kept.
    ///
    /// ```
    /// use tool_chat::model::{Assembler, Delta};
    ///
    /// let mut assembler = Assembler::new();
    /// for id in ["call_1", "call_2"] {
    ///     assembler.push(Delta::Call { index: 0, id: Some(id.to_owned()), name: Some("now".to_owned()), arguments: "{}".to_owned() });
    /// }
    /// assert_eq!(assembler.finish().calls.len(), 2);
    /// ```
    pub fn push(&mut self, delta: Delta) {
        match delta {
            Delta::Text(text) => self.text.push_str(&text),
            Delta::Call { index, id, name, arguments } => {
                let [id, name] = [id, name].map(|text| text.filter(|text| !text.is_empty()));
                let call = self.call(index, id, name.as_deref());
                if let Some(name) = name.filter(|name| *name != call.name) {
                    call.name.push_str(&name);
                }
                call.arguments.push_str(&arguments);
            }
            Delta::Thought(thought) => self.thoughts.push(thought),
            Delta::Usage(usage) => {
                self.usage.input_tokens = self.usage.input_tokens.max(usage.input_tokens);
                self.usage.output_tokens = self.usage.output_tokens.max(usage.output_tokens);
            }
            Delta::Stop(stop) => self.stop = Some(stop),
        }
    }

    fn call(&mut self, index: usize, id: Option<String>, name: Option<&str>) -> &mut ToolCall {
        let known = self.places.get(&index).copied().filter(|&place| {
            let (known, Some(name)) = (&self.calls[place], name) else { return true };
            let has_other_id = id.as_ref().is_some_and(|id| !known.id.is_empty() && known.id != *id);
            let has_other_name = !known.name.is_empty() && known.name != name && !known.arguments.is_empty();
            !has_other_id && !has_other_name
        });
        let place = known.unwrap_or_else(|| {
            self.calls.push(ToolCall::new("", "", ""));
            self.places.insert(index, self.calls.len() - 1);
            self.calls.len() - 1
        });
        let call = &mut self.calls[place];
        if let Some(id) = id.filter(|_| call.id.is_empty()) {
            call.id = id;
        }
        call
    }

    /// Returns the call with this index of the provider, as assembled so far, and its index in the answer.
    pub(crate) fn at(&self, index: usize) -> Option<(usize, &ToolCall)> {
        let place = *self.places.get(&index)?;
        Some((place, &self.calls[place]))
    }

    /// Returns the answer. A call without an id gets an id made from its position. If the provider sent no stop reason, the stop reason is
    /// [`ToolCalls`](StopReason::ToolCalls) if there are calls, and [`Finished`](StopReason::Finished) otherwise.
    ///
    /// ```
    /// use tool_chat::model::{Assembler, Delta, StopReason};
    ///
    /// let mut assembler = Assembler::new();
    /// assembler.push(Delta::Call { index: 0, id: None, name: Some("now".to_owned()), arguments: String::new() });
    /// let response = assembler.finish();
    /// assert_eq!((response.calls[0].id.as_str(), response.stop), ("call_1", StopReason::ToolCalls));
    /// ```
    pub fn finish(mut self) -> Response {
        for (place, call) in self.calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{}", place + 1);
            }
        }
        let implied = if self.calls.is_empty() { StopReason::Finished } else { StopReason::ToolCalls };
        let stop = self.stop.unwrap_or(implied);
        Response { text: self.text, calls: self.calls, thoughts: self.thoughts, usage: self.usage, stop }
    }
}
