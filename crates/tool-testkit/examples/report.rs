//! The report about a model that does not meet the expectations of a scenario: `cargo run -p tool-testkit --example report`.

use tool_chat::conversation::Conversation;
use tool_chat::model::ScriptedModel;
use tool_runtime::{Toolbox, tool};
use tool_testkit::{Scenario, calls, last_answer, no_failures};

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let toolbox = Toolbox::builder().tool(AddTool).build()?;
    let model = ScriptedModel::new().call("add", r#"{"a": 1}"#).call("add", r#"{"a": 1, "b": 3}"#).text("Four.");
    let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
        .prompt("What is one and two?")
        .expect(calls("add").at("a", 1).at("b", 2))
        .expect(no_failures())
        .expect(last_answer().contains("Three"));
    if let Err(report) = pollster::block_on(scenario.run()) {
        println!("{report}");
    }
    Ok(())
}
