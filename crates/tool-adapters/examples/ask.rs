//! Asks a server that is compatible with `OpenAI`'s chat completions, and offers one tool to the model:
//!
//! ```text
//! TOOL_ENDPOINT=http://127.0.0.1:11434/v1 TOOL_MODEL=qwen3 cargo run -p tool-adapters --features genai --example ask -- "What is 19.5 and 22.5?"
//! ```
//!
//! Set `TOOL_KEY` if the server needs an API key.

use std::env;
use std::error::Error;

use tool_adapters::GenAi;
use tool_chat::conversation::Conversation;
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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (Ok(endpoint), Ok(model)) = (env::var("TOOL_ENDPOINT"), env::var("TOOL_MODEL")) else {
        return Err("set TOOL_ENDPOINT and TOOL_MODEL, for example to http://127.0.0.1:11434/v1 and qwen3".into());
    };
    let model = GenAi::openai_compatible(&endpoint, &model, env::var("TOOL_KEY").ok().as_deref());
    let prompt = env::args().nth(1).unwrap_or_else(|| "What is 19.5 and 22.5?".to_owned());

    let session = Toolbox::builder().tool(AddTool).build()?.session();
    let mut conversation = Conversation::new(session, model);
    let end = conversation.ask(prompt).await;
    for call in conversation.transcript().calls() {
        println!("{} {} -> {}", call.name, call.arguments, call.outcome.to_text());
    }
    match end.text() {
        Some(text) => println!("{text}"),
        None => println!("{end:?}"),
    }
    Ok(())
}
