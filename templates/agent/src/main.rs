//! An agent in the terminal. It asks any server that is compatible with `OpenAI`'s chat completions:
//!
//! ```text
//! TOOL_ENDPOINT=http://127.0.0.1:11434/v1 TOOL_MODEL=qwen3 cargo run
//! ```

use std::error::Error;
use std::io::{BufRead, Write};

use tool_adapters::GenAi;
use tool_chat::conversation::Conversation;
use tool_runtime::{BuildError, Toolbox, tool};

/// Adds two numbers.
#[tool(read_only)]
fn add(
    /// First summand.
    a: f64,
    /// Second summand.
    b: f64,
) -> f64 {
    a + b
}

fn toolbox() -> Result<Toolbox, BuildError> {
    Toolbox::builder().tool(AddTool).build()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (endpoint, model) = (std::env::var("TOOL_ENDPOINT")?, std::env::var("TOOL_MODEL")?);
    let model = GenAi::openai_compatible(&endpoint, &model, std::env::var("TOOL_KEY").ok().as_deref());
    let mut conversation = Conversation::new(toolbox()?.session(), model).instructions("Answer in one sentence.");
    print!("> ");
    std::io::stdout().flush()?;
    for line in std::io::stdin().lock().lines() {
        let end = conversation.ask(line?).await;
        match end.text() {
            Some(text) => println!("{text}"),
            // The conversation continues after every end.
            None => println!("No answer: {end:?}"),
        }
        print!("> ");
        std::io::stdout().flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tool_chat::model::ScriptedModel;
    use tool_testkit::{Scenario, calls, check_contracts, last_answer};

    #[test]
    fn the_tools_keep_their_contract() {
        assert_eq!(check_contracts(&toolbox().unwrap()), Ok(()));
    }

    /// With a scripted model, which costs nothing.
    #[tokio::test]
    async fn numbers_are_added() {
        let model = ScriptedModel::new().call("add", r#"{"a": 19.5, "b": "22.5"}"#).text("42.");
        Scenario::new(move || Conversation::new(toolbox().unwrap().session(), model.clone()))
            .prompt("What is 19.5 and 22.5?")
            .expect(calls("add").at("a", 19.5).returns(42.0))
            .expect(last_answer().contains("42"))
            .assert()
            .await;
    }
}
