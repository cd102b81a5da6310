//! What a model answered: [`Response`], what it cost, and why it ended.

use std::fmt;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Message, ToolCall};

/// One answer of a model.
///
/// ```
/// use tool_chat::model::{Response, StopReason, ToolCall};
///
/// let response = Response::calls([ToolCall::new("call_1", "now", "{}")]);
/// assert_eq!((response.calls.len(), response.stop), (1, StopReason::ToolCalls));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Response {
    /// What it says; empty where it only calls.
    pub text: String,
    /// What it calls, in its order.
    pub calls: Vec<ToolCall>,
    /// What the provider wants back with this answer: signatures of thoughts, or thoughts themselves. Nobody but the adapter that put it
    /// here looks into it; the turn loop sends it back unchanged, and a [`Recorder`](super::Recorder) writes it down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Value>,
    /// What it cost.
    pub usage: Usage,
    /// Why it ended.
    pub stop: StopReason,
}

impl fmt::Debug for Response {
    /// Shows what was said. Of calls no argument is shown, and of what a provider wants back nothing but the count.
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
    /// An answer in words.
    ///
    /// ```
    /// assert!(tool_chat::model::Response::text("Noon.").calls.is_empty());
    /// ```
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// An answer that only calls.
    ///
    /// ```
    /// use tool_chat::model::{Response, ToolCall};
    ///
    /// assert!(Response::calls([ToolCall::new("call_1", "now", "{}")]).text.is_empty());
    /// ```
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { calls: calls.into_iter().collect(), stop: StopReason::ToolCalls, ..Self::default() }
    }

    /// Sets what it calls beside what it says.
    ///
    /// ```
    /// use tool_chat::model::{Response, ToolCall};
    ///
    /// let response = Response::text("Let me look.").with_calls([ToolCall::new("call_1", "now", "{}")]);
    /// assert_eq!((response.text.as_str(), response.calls.len()), ("Let me look.", 1));
    /// ```
    #[must_use]
    pub fn with_calls(self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { calls: calls.into_iter().collect(), stop: StopReason::ToolCalls, ..self }
    }

    /// Sets [what the provider wants back](Self::thoughts).
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_chat::model::Response;
    ///
    /// assert_eq!(Response::text("Noon.").with_thoughts(vec![json!({"signature": "x"})]).thoughts.len(), 1);
    /// ```
    #[must_use]
    pub fn with_thoughts(self, thoughts: Vec<Value>) -> Self {
        Self { thoughts, ..self }
    }

    /// Sets why it ended.
    ///
    /// ```
    /// use tool_chat::model::{Response, StopReason};
    ///
    /// assert_eq!(Response::text("It is no").with_stop(StopReason::Length).stop, StopReason::Length);
    /// ```
    #[must_use]
    pub fn with_stop(self, stop: StopReason) -> Self {
        Self { stop, ..self }
    }

    /// Sets what it cost.
    ///
    /// ```
    /// use tool_chat::model::{Response, Usage};
    ///
    /// let response = Response::text("Noon.").with_usage(Usage::new(12, 3));
    /// assert_eq!(response.usage.total(), 15);
    /// ```
    #[must_use]
    pub fn with_usage(self, usage: Usage) -> Self {
        Self { usage, ..self }
    }
}

/// The answer of a model as it goes back to it.
///
/// ```
/// use tool_chat::model::{Message, Response};
///
/// assert_eq!(Message::from(Response::text("Noon.")).text(), "Noon.");
/// ```
impl From<Response> for Message {
    fn from(Response { text, calls, thoughts, .. }: Response) -> Self {
        Self::Assistant { text, calls, thoughts }
    }
}

/// What answers cost, in tokens.
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
    /// What the model read.
    pub input_tokens: u64,
    /// What it wrote.
    pub output_tokens: u64,
}

impl Usage {
    /// Creates the cost of one answer from the tokens that the model read and those that it wrote.
    ///
    /// ```
    /// assert_eq!(tool_chat::model::Usage::new(12, 3).output_tokens, 3);
    /// ```
    pub const fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens }
    }

    /// Both together.
    ///
    /// ```
    /// assert_eq!(tool_chat::model::Usage::new(1, 2).total(), 3);
    /// ```
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

/// Why an answer ended.
///
/// ```
/// use tool_chat::model::StopReason;
///
/// assert_eq!(StopReason::default(), StopReason::Finished);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model had said what it had to say.
    #[default]
    Finished,
    /// It waits for the answers to its calls.
    ToolCalls,
    /// It reached the limit of tokens: what it said last is cut off.
    Length,
    /// The provider withheld the rest.
    Filtered,
}
