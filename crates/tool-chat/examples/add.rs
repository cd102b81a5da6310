//! A conversation with a scripted model: `cargo run -p tool-chat --example add`.

use tool_chat::conversation::Conversation;
use tool_chat::model::ScriptedModel;
use tool_runtime::{Toolbox, tool};

/// Adds two numbers.
#[tool]
fn add(
    /// First summand.
    a: f64,
    /// Second summand.
    b: f64,
) -> f64 {
    a + b
}

fn main() -> Result<(), tool_runtime::BuildError> {
    let model = ScriptedModel::new().call("add", r#"{"a": 1}"#).call("add", r#"{"a": 1, "b": 2}"#).text("Three.");
    let session = Toolbox::builder().tool(AddTool).build()?.session();
    let mut conversation = Conversation::new(session, model);
    let end = pollster::block_on(conversation.ask("What is one and two?"));
    for call in conversation.transcript().calls() {
        println!("{} {}\n  {}", call.name, call.arguments, call.outcome.to_text());
    }
    println!("{}", end.text().unwrap_or("no answer"));
    Ok(())
}
