//! What was said so far: [`Message`], with the calls of the model and the answers to them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message of a conversation.
///
/// ```
/// use tool_chat::model::Message;
///
/// let message = Message::User("What time is it?".to_owned());
/// assert_eq!(serde_json::to_string(&message)?, r#"{"user":"What time is it?"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// What the host tells the model.
    System(String),
    /// What the user says.
    User(String),
    /// An answer of the model, made from a [`Response`](super::Response).
    #[non_exhaustive]
    Assistant {
        /// The text; empty where it only called.
        text: String,
        /// The calls, in the order in which the model made them.
        calls: Vec<ToolCall>,
        /// What the provider wants back beside them; see [`Response::thoughts`](super::Response::thoughts).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        thoughts: Vec<Value>,
    },
    /// The answer to one call; made by [`Message::tool`].
    #[non_exhaustive]
    Tool {
        /// Which call.
        call_id: String,
        /// The name as it was called.
        name: String,
        /// What the model reads.
        text: String,
    },
}

impl Message {
    /// Makes the answer to one call, from its id, the name as it was called, and what the model reads.
    ///
    /// ```
    /// use tool_chat::model::Message;
    ///
    /// assert_eq!(Message::tool("call_1", "now", "12:00").text(), "12:00");
    /// ```
    pub fn tool(call_id: impl Into<String>, name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Tool { call_id: call_id.into(), name: name.into(), text: text.into() }
    }

    /// The text of the message, whoever speaks.
    ///
    /// ```
    /// use tool_chat::model::Message;
    ///
    /// assert_eq!(Message::System("Be brief.".to_owned()).text(), "Be brief.");
    /// ```
    pub fn text(&self) -> &str {
        match self {
            Self::System(text) | Self::User(text) | Self::Assistant { text, .. } | Self::Tool { text, .. } => text,
        }
    }
}

/// A call as the model made it.
///
/// ```
/// use tool_chat::model::ToolCall;
///
/// let call = ToolCall::new("call_1", "get_weather", r#"{"location": "Paris"}"#);
/// assert_eq!((call.id.as_str(), call.name.as_str()), ("call_1", "get_weather"));
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id under which it is answered.
    pub id: String,
    /// The name, as it was called.
    pub name: String,
    /// The arguments: the text as the model sent it, which need not be JSON.
    pub arguments: String,
}

impl ToolCall {
    /// A call.
    ///
    /// ```
    /// assert_eq!(tool_chat::model::ToolCall::new("call_1", "now", "{}").arguments, "{}");
    /// ```
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into() }
    }
}

/// The call as a session takes it, for [`call_batch`](tool_runtime::Session::call_batch).
///
/// ```
/// use tool_runtime::Toolbox;
/// use tool_chat::model::ToolCall;
///
/// let session = Toolbox::builder().build()?.session();
/// let calls = [ToolCall::new("call_1", "now", "{}"), ToolCall::new("call_2", "now", "{}")];
/// let batch = pollster::block_on(session.call_batch(&calls));
/// assert_eq!(batch.outcomes()[1].call_id(), "call_2");
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
impl<'a> From<&'a ToolCall> for tool_runtime::session::CallRequest<'a> {
    fn from(ToolCall { id, name, arguments }: &'a ToolCall) -> Self {
        Self::new(id.as_str(), name.as_str(), arguments.as_str())
    }
}

impl fmt::Debug for Message {
    /// Shows what was said. Of calls no argument is shown, and of what a provider wants back nothing but the count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(text) => f.debug_tuple("System").field(text).finish(),
            Self::User(text) => f.debug_tuple("User").field(text).finish(),
            Self::Assistant { text, calls, thoughts } => f
                .debug_struct("Assistant")
                .field("text", text)
                .field("calls", calls)
                .field("thoughts", &thoughts.len())
                .finish(),
            Self::Tool { call_id, name, text } => {
                f.debug_struct("Tool").field("call_id", call_id).field("name", name).field("text", text).finish()
            }
        }
    }
}

impl fmt::Debug for ToolCall {
    /// Shows no argument, because any may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("arguments_bytes", &self.arguments.len())
            .finish()
    }
}
