//! The tools of these tests.

use schemars::JsonSchema;
use serde::Serialize;
use tool_runtime::tool::{Content, ContentParts, Resource, ResourceLink};
use tool_runtime::toolbox::FindTools;
use tool_runtime::{Container, ToolError, Toolbox, tool};

/// Adds two numbers.
#[tool(read_only, title = "Addition", icons("https://example.com/plus.png"), meta = {"com.example/tier": 2})]
fn add(
    /// First summand.
    a: f64,
    /// Second summand.
    b: f64,
) -> f64 {
    a + b
}

#[derive(Serialize, JsonSchema)]
struct Forecast {
    #[schemars(range(max = 14))]
    days: u8,
}

/// Forecasts the weather.
#[tool(output_schema)]
fn forecast(
    /// The number of days, without a limit.
    days: u8,
) -> Forecast {
    Forecast { days }
}

/// Rejects everything.
#[tool]
fn reject() -> Result<(), ToolError> {
    Err(ToolError::new("The account is closed."))
}

/// Returns one part of each kind.
#[tool]
fn parts() -> Vec<Content> {
    let mut gone = Resource::text("file:///gone", "");
    gone.text = None;
    vec![
        Content::text("All kinds:"),
        Content::image("image/png", b"\x89PNG"),
        Content::audio("audio/wav", b"RIFF"),
        ResourceLink::new("file:///a.csv", "a.csv").into(),
        Resource::text("file:///notes.txt", "Buy milk.").into(),
        gone.into(),
    ]
}

/// Measures the temperature.
#[tool]
fn measure() -> Result<ContentParts, serde_json::Error> {
    ContentParts::from_parts(["22 °C"]).with_structured(&serde_json::json!({"degrees": 22}))
}

/// The hour of the day.
#[tool]
fn hour() -> u8 {
    12
}

/// Returns a toolbox with one hidden tool, and a search.
pub(super) fn searched_toolbox() -> Toolbox {
    let clock = Container::new("Clock", "All about the time.").tool(HourTool);
    Toolbox::builder().container(clock).find_tools(FindTools::new()).build().expect("the tools are valid")
}

pub(super) fn toolbox() -> Toolbox {
    let clock = Container::new("Clock", "All about the time.").tool(HourTool);
    let builder = Toolbox::builder().tool(AddTool).tool(ForecastTool).tool(RejectTool).tool(PartsTool);
    builder.tool(MeasureTool).container(clock).build().expect("the tools are valid")
}
