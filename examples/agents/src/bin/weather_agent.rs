//! Asks about the weather and prints calls, repairs, corrections and the answer.
//!
//! ```sh
//! cargo run -p agents --bin weather_agent                                   # with a scripted model
//! cargo run -p agents --bin weather_agent -- "How warm is it in Tokyo?"
//! AGENT_ENDPOINT=http://localhost:11434/v1 AGENT_MODEL=qwen3 cargo run -p agents --bin weather_agent
//! ```
//!
//! The exit code is 1 if the model gave no answer, and 2 if the arguments of the program are wrong.

use std::error::Error;
use std::process::ExitCode;

use agents::endpoint::{self, Endpoint};
use agents::exchange::{Exchange, Noted, is_answered};
use agents::{program, weather};
use clap::Parser;

/// Asks about the weather, with a scripted model unless the environment names a server.
#[derive(Parser)]
#[command(after_help = agents::endpoint::VARIABLES)]
struct Arguments {
    /// The question.
    #[arg(default_value = weather::QUESTION)]
    question: String,
    /// Prints one line of JSON for each entry.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    program::run("weather_agent", hold(&arguments))
}

async fn hold(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let endpoint = Endpoint::from_env()?;
    let mut conversation = weather::conversation(endpoint::model(endpoint.as_ref(), weather::forecaster))?;
    let end = conversation.ask(&arguments.question).await;

    Exchange::new(&mut anstream::stdout(), arguments.json).turn(&conversation, &Noted::default(), 0, &end)?;
    Ok(is_answered(&end))
}
