//! Typed answers: whatever a model sends, the result is the value or every issue, and never another value.

mod cases;
mod corpora;
mod faults;
mod hostile;
mod peers;
mod reports;
mod requests;
mod types;

use tool_chat::conversation::{AnswerError, Conversation, TurnLimits};
use tool_chat::model::ScriptedModel;
use tool_runtime::Dialect;
use tool_runtime::tool_schema::{AnswerForm, ToolInput};

use self::types::no_tools;

/// Asks for an answer, which the model gives once, as a text or as a call of the tool that stands for the answer.
fn answered<T: ToolInput>(form: &AnswerForm<T>, dialect: Dialect, text: &str) -> Result<T, AnswerError> {
    let model = ScriptedModel::new().in_dialect(dialect);
    let model = match form.tool_name() {
        Some(tool) => model.call(tool, text),
        None => model.text(text),
    };
    let mut limits = TurnLimits::default();
    limits.corrections = 0;
    let mut conversation = Conversation::new(no_tools(), model).limits(limits);
    pollster::block_on(conversation.answer::<T>("Go."))
}
