//! Answers of a model: [`Response`], its cost, and the reason why it ended.

use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::find_call_markup::call_markup;
use super::{Message, ToolCall};

/// One answer of a model.
///
/// ```
/// use tool_chat::model::{Response, StopReason, ToolCall};
///
/// let response = Response::from_calls([ToolCall::new("call_1", "now", "{}")]);
/// assert_eq!((response.calls.len(), response.stop), (1, StopReason::ToolCalls));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Response {
    /// The text; empty if the model only makes calls.
    pub text: String,
    /// The calls, in order.
    pub calls: Vec<ToolCall>,
    /// Data that must be sent back to the provider with this answer, such as signed reasoning. Only the adapter that put the data here
    /// interprets it. The turn loop sends it back unchanged, and a [`RecordingModel`](super::RecordingModel) writes it to the recording.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Value>,
    /// The cost of the answer, in tokens.
    pub usage: Usage,
    /// The reason why the answer ended.
    pub stop: StopReason,
}

impl fmt::Debug for Response {
    /// Shows the text and the number of `thoughts`, but no arguments of calls.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("text", &self.text)
            .field("calls", &self.calls)
            .field("thoughts", &self.thoughts.len())
            .field("usage", &self.usage)
            .field("stop", &self.stop)
            .finish()
    }
}

impl Response {
    /// Creates an answer with text only.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Creates an answer with calls only.
    pub fn from_calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { calls: calls.into_iter().collect(), stop: StopReason::ToolCalls, ..Self::default() }
    }

    /// Returns the mark by which the text shows that it contains a call, if the answer has no calls: `<tool_call>`, `[TOOL_CALLS]` and other
    /// markup in which models write calls. Servers pass it on as text if they do not recognize the format of the model. Markup in code, in
    /// quotation marks and in a block of reasoning does not count.
    ///
    /// ```
    /// use tool_chat::model::Response;
    ///
    /// let response = Response::from_text("<tool_call>{\"name\": \"now\"}</tool_call>");
    /// assert_eq!(response.call_markup(), Some("<tool_call>"));
    /// assert_eq!(Response::from_text("Hermes writes `<tool_call>`.").call_markup(), None);
    /// ```
    pub fn call_markup(&self) -> Option<&'static str> {
        if self.calls.is_empty() { call_markup(&self.text) } else { None }
    }

    /// Sets the calls.
    #[must_use]
    pub fn with_calls(self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { calls: calls.into_iter().collect(), stop: StopReason::ToolCalls, ..self }
    }

    /// Sets the [data that must be sent back to the provider](Self::thoughts).
    #[must_use]
    pub fn with_thoughts(self, thoughts: Vec<Value>) -> Self {
        Self { thoughts, ..self }
    }

    /// Sets the reason why the answer ended.
    #[must_use]
    pub fn with_stop(self, stop: StopReason) -> Self {
        Self { stop, ..self }
    }

    /// Sets the cost.
    #[must_use]
    pub fn with_usage(self, usage: Usage) -> Self {
        Self { usage, ..self }
    }
}

/// Converts an answer of a model to a message for the next request.
impl From<Response> for Message {
    fn from(Response { text, calls, thoughts, .. }: Response) -> Self {
        Self::Assistant { text, calls, thoughts }
    }
}

/// The cost of answers, in tokens.
///
/// ```
/// use tool_chat::model::Usage;
///
/// let mut usage = Usage::default();
/// usage += Usage::new(12, 3);
/// assert_eq!(usage.total(), 15);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// The tokens that the model read.
    pub input_tokens: u64,
    /// The tokens that the model wrote.
    pub output_tokens: u64,
}

impl Usage {
    /// Creates the cost of one answer from its input and output tokens.
    pub const fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens }
    }

    /// Returns the sum of the input and output tokens.
    pub const fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.input_tokens = self.input_tokens.saturating_add(more.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(more.output_tokens);
    }
}

/// The reason why an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model finished its answer.
    #[default]
    Finished,
    /// The model waits for the results of its calls.
    ToolCalls,
    /// The token limit was reached, so the answer is cut off.
    Length,
    /// The provider withheld the rest of the answer.
    Filtered,
}
