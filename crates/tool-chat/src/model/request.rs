//! What a model is asked: [`Request`], and its [`Options`].

use serde::{Deserialize, Serialize};
use tool_runtime::tool_schema::schema::Definitions;

use super::Message;

/// What a model is asked.
///
/// ```
/// use tool_chat::model::{Message, Options, Request};
///
/// let messages = [Message::User("What time is it?".to_owned())];
/// let (tools, options) = (Default::default(), Options::default());
/// let request = Request::new(&messages, &tools, &options);
/// assert!(request.tools.is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// What was said so far, oldest first.
    pub messages: &'a [Message],
    /// What the model may call, in the form that [`ChatModel::format`](super::ChatModel::format) asks for.
    pub tools: &'a Definitions,
    /// How it is to answer.
    pub options: &'a Options,
}

impl<'a> Request<'a> {
    /// Creates a request from what was said so far, the tools, and the options.
    ///
    /// ```
    /// use tool_chat::model::{Options, Request};
    ///
    /// assert!(Request::new(&[], &Default::default(), &Options::default()).messages.is_empty());
    /// ```
    pub const fn new(messages: &'a [Message], tools: &'a Definitions, options: &'a Options) -> Self {
        Self { messages, tools, options }
    }
}

/// How a model is to answer; `None` is the provider's own default.
///
/// ```
/// use tool_chat::model::{Options, ToolChoice};
///
/// let mut options = Options::default();
/// options.temperature = Some(0.0);
/// assert_eq!(options.tool_choice, ToolChoice::Auto);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Options {
    /// How freely it chooses its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// How many tokens the answer may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// For providers that can repeat themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether it may, must or must not call.
    pub tool_choice: ToolChoice,
}

/// Whether a model may, must or must not call a tool.
///
/// ```
/// use tool_chat::model::ToolChoice;
///
/// assert_eq!(ToolChoice::default(), ToolChoice::Auto);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChoice {
    /// As it likes.
    #[default]
    Auto,
    /// It must answer in words.
    None,
    /// It must call something.
    Required,
    /// It must call this tool.
    Tool(String),
}
