//! An agent for questions about the weather: one tool, and a script that answers offline.
//!
//! Nothing depends on the script: a real model can be used in the same conversation.

mod script;

pub use script::forecaster;

use examples::weather::GetWeatherTool;
use tool_chat::conversation::Conversation;
use tool_chat::model::ChatModel;
use tool_runtime::{BuildError, FeedbackForm, Toolbox};

/// The default question.
pub const QUESTION: &str = "What is the weather in Paris and London?";

/// The instructions for the model.
pub const INSTRUCTIONS: &str =
    "You answer questions about the weather. Ask the tools for it and never guess; say which unit you use.";

/// Creates a conversation about the weather.
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
/// Returns an error if the toolbox is invalid, which the tests of this package rule out.
pub fn conversation(model: impl ChatModel + 'static) -> Result<Conversation, BuildError> {
    // The scripted models are programs, which read members.
    let toolbox = Toolbox::builder().tool(GetWeatherTool).feedback(FeedbackForm::Json).build()?;
    Ok(Conversation::new(toolbox.session(), model).instructions(INSTRUCTIONS))
}
