//! Requests to a model: [`Request`] and its [`Options`].

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_runtime::tool_schema::dialect::Definitions;

use super::Message;

/// A request to a model.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The messages so far, oldest first.
    pub messages: &'a [Message],
    /// The definitions of the tools, in the dialect of the toolbox, or else in that of the model
    /// ([`ChatModel::dialect`](super::ChatModel::dialect)).
    pub tools: &'a Definitions,
    /// The options of the answer.
    pub options: &'a Options,
}

impl<'a> Request<'a> {
    /// Creates a request from the messages so far, the tools, and the options.
    pub const fn new(messages: &'a [Message], tools: &'a Definitions, options: &'a Options) -> Self {
        Self { messages, tools, options }
    }
}

/// The options of an answer; `None` means the provider's default.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::{Options, ScriptedModel, ToolChoice};
/// use tool_runtime::Toolbox;
///
/// let mut options = Options::default();
/// options.temperature = Some(0.0);
/// let model = ScriptedModel::new().text("Noon.");
/// let session = Toolbox::builder().build()?.session();
/// let mut conversation = Conversation::new(session, model.clone()).request_options(options);
/// pollster::block_on(conversation.ask("What time is it?"));
/// let sent = &model.requests()[0].options;
/// assert_eq!((sent.temperature, &sent.tool_choice), (Some(0.0), &ToolChoice::Auto));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Options {
    /// The sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The maximum number of tokens of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// The seed, for providers that can give reproducible answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The keys of the request body that ask for an answer in a schema, in the form of the provider. They are only set for models that
    /// [send them](super::ChatModel::has_answer_forms). Models write the properties of an answer in the order of the schema, and a `Value`
    /// sorts them. So a client that sends them should turn on the feature `preserve_order` of `serde_json`, as `genai` does. They are boxed,
    /// because the options are copied for each request, and most requests have no such keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<Value>>,
    /// The tool choice.
    pub tool_choice: ToolChoice,
}

/// The tool choice: it says whether the model may, must or must not make a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model must answer with text.
    None,
    /// The model must make a call.
    Required,
    /// The model must call this tool.
    Tool(String),
}
