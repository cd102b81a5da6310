//! Messages of a conversation: [`Message`], with calls and their answers.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_runtime::tool::ContentParts;

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
    /// Instructions of the host.
    System(String),
    /// A prompt of the user.
    User(String),
    /// An answer of the model, created from a [`Response`](super::Response).
    #[non_exhaustive]
    Assistant {
        /// The text; empty if the model only made calls.
        text: String,
        /// The calls, in order.
        calls: Vec<ToolCall>,
        /// Data that must be sent back to the provider; see [`Response::thoughts`](super::Response::thoughts).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        thoughts: Vec<Value>,
    },
    /// The answer to one call, created by [`Message::tool`].
    #[non_exhaustive]
    Tool {
        /// The id of the call.
        call_id: String,
        /// The name in the call.
        name: String,
        /// The text that the model reads.
        text: String,
        /// The parts of the result, if it is not only a text. `text` describes them in words, for a model that does not
        /// accept parts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parts: Option<ContentParts>,
        /// The names of the deferred tools that the provider has to load with this answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        loaded: Vec<String>,
        /// The definitions of these tools as a JSON array, if they are not in the list of tools.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        definitions: Option<String>,
    },
}

impl Message {
    /// Creates the answer to one call, from the id of the call, the name in the call, and the text that the model reads.
    pub fn tool(call_id: impl Into<String>, name: impl Into<String>, text: impl Into<String>) -> Self {
        let (call_id, name, text) = (call_id.into(), name.into(), text.into());
        Self::Tool { call_id, name, text, parts: None, loaded: Vec::new(), definitions: None }
    }

    /// Creates the answer to one call. The result has several parts, such as texts and images.
    pub fn tool_parts(call_id: impl Into<String>, name: impl Into<String>, parts: ContentParts) -> Self {
        let (call_id, name, text) = (call_id.into(), name.into(), parts.as_str().to_owned());
        Self::Tool { call_id, name, text, parts: Some(parts), loaded: Vec::new(), definitions: None }
    }

    /// Returns the text of the message.
    pub fn text(&self) -> &str {
        match self {
            Self::System(text) | Self::User(text) | Self::Assistant { text, .. } | Self::Tool { text, .. } => text,
        }
    }
}

/// A call as the model made it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id of the call, which is repeated in its answer.
    pub id: String,
    /// The name of the tool, as the model wrote it. In the messages of a [`Run`](crate::run::Run), a name that providers do not accept is
    /// replaced: the provider that sent it would reject every later request.
    pub name: String,
    /// The arguments as the model sent them; they may not be valid JSON.
    pub arguments: String,
}

impl ToolCall {
    /// Creates a call.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into() }
    }
}

/// Converts a call for [`call_batch`](tool_runtime::Session::call_batch).
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
    /// Shows the texts and the number of `thoughts`, but no arguments of calls.
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
            Self::Tool { call_id, name, text, parts, loaded, .. } => {
                let mut tool = f.debug_struct("Tool");
                tool.field("call_id", call_id).field("name", name).field("text", text);
                if let Some(parts) = parts {
                    tool.field("parts", parts);
                }
                if !loaded.is_empty() {
                    tool.field("loaded", loaded);
                }
                tool.finish()
            }
        }
    }
}

impl fmt::Debug for ToolCall {
    /// Shows no arguments, because they may contain a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("arguments_bytes", &self.arguments.len())
            .finish()
    }
}
