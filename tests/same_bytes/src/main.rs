//! Prints definitions, and the outcomes of recorded calls with everything that a model or a host reads of them.
//!
//! `tests/tests/same_bytes.rs` builds it with each combination of our optional crates and compares what it prints.

#[cfg(feature = "adapters")]
use tool_adapters as _;
#[cfg(feature = "chat")]
use tool_chat as _;
#[cfg(feature = "dynamic")]
use tool_dynamic as _;
#[cfg(feature = "testkit")]
use tool_testkit as _;
#[cfg(feature = "toolbox")]
use toolbox as _;

use std::time::Duration;

use examples::{math::Math, trouble, weather};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{Dialect, Toolbox, tool};

/// The calls that `cargo run` replays.
const TOUR: &str = include_str!("../../../examples/transcripts/tour.jsonl");

/// Calls with results that do not fit an output schema, with hidden values, broken JSON and every kind of fault.
const MORE: &[(&str, &str)] = &[
    ("measure", r#"{"level": 9}"#),
    ("measure", r#"{"level": "9",}"#),
    ("measure", "```json\n{'level': 3}\n```"),
    ("measure", r#"{"level": 1e400}"#),
    ("log_in", r#"{"pin": 1234, "b": {"z": 1, "a": [1.0, 1e2]}}"#),
    ("log_in", r#"{"pin": "12", "pn": "34"}"#),
    ("mesure", "{}"),
    ("add", r#"{"a": 1}"#),
];

/// A measured value.
#[derive(Serialize, JsonSchema)]
struct Reading {
    #[schemars(range(max = 5))]
    level: u8,
}

/// Measures a level.
#[tool(output_schema)]
fn measure(
    /// The level.
    level: u8,
) -> Reading {
    Reading { level }
}

/// Logs the user in.
#[tool]
fn log_in(
    /// The PIN.
    #[tool(sensitive, length(equal = 4))]
    pin: String,
) {
    drop(pin);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    std::panic::set_hook(Box::new(|_| ()));
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        replay(form)?;
    }
    Ok(())
}

fn replay(form: FeedbackForm) -> Result<(), Box<dyn std::error::Error>> {
    let clock = SimulatedClock::new();
    let toolbox = Toolbox::builder()
        .clock(clock.clone())
        .feedback(form)
        .tool(weather::GetWeatherTool)
        .tool(weather::WeatherAlongTool)
        .tool(MeasureTool)
        .tool(LogInTool)
        .container(Math)
        .container(trouble::Attic)
        .tool(trouble::AskOfflineTool)
        .tool(trouble::AskBrokenTool)
        .build()?;
    let session = toolbox.session();
    for dialect in [Dialect::OPENAI, Dialect::OPENAI_RESPONSES, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::MCP] {
        println!("{}", session.definitions_in(dialect));
    }
    let call = |tool: &str, arguments: &str| {
        clock.advance(Duration::from_secs(3));
        let outcome = pollster::block_on(session.call("call_1", tool, arguments));
        println!("{}\n{:?}", outcome.to_text_with_notes(), outcome.repaired_arguments());
        outcome.warnings().iter().for_each(|warning| println!("! {warning}"));
        outcome.repairs().iter().for_each(|repair| println!("~ {repair}"));
        outcome.failure().iter().for_each(|failure| println!("{}", failure.to_json()));
    };
    for line in TOUR.lines() {
        let Value::Object(line) = serde_json::from_str(line)? else { return Err("a line is an object".into()) };
        let name = line.get("tool").or(line.get("name")).and_then(Value::as_str).unwrap_or_default();
        // Arguments that are not a text are left out: how `serde_json` writes them depends on its own features.
        if let Some(Value::String(arguments)) = line.get("arguments") {
            call(name, arguments);
        }
    }
    MORE.iter().for_each(|(name, arguments)| call(name, arguments));
    println!("{:?}", session.statistics());
    Ok(())
}
