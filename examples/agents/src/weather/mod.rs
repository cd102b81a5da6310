//! An agent that is asked about the weather: one tool, one question, a script that answers it offline.
//!
//! In: a model. Out: a conversation with the tool of the first example. Nothing is particular to the script: a real model gets the same.

mod script;

pub use script::forecaster;

use examples::weather::GetWeatherTool;
use tool_chat::conversation::Conversation;
use tool_chat::model::ChatModel;
use tool_runtime::{BuildError, Toolbox};

/// What is asked where nothing else is said.
pub const QUESTION: &str = "What is the weather in Paris and London?";

/// What the model is told about its task.
pub const INSTRUCTIONS: &str =
    "You answer questions about the weather. Ask the tools for it and never guess; say which unit you use.";

/// A conversation about the weather.
///
/// ```
/// let mut conversation = agents::weather::conversation(agents::weather::forecaster())?;
/// let end = pollster::block_on(conversation.ask("What is the weather in Tokyo?"));
/// assert_eq!(end.text(), Some("Tokyo: 22.5 °C."));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
///
/// # Errors
///
/// Where the toolbox is not sound; a test of this package holds that it is.
pub fn conversation(model: impl ChatModel + 'static) -> Result<Conversation, BuildError> {
    let toolbox = Toolbox::builder().tool(GetWeatherTool).build()?;
    Ok(Conversation::new(toolbox.session(), model).instructions(INSTRUCTIONS))
}
