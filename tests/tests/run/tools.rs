//! The session of these tests, with outcomes of every kind.

use serde::Deserialize;
use tests::fixtures::GetWeatherTool;
use tool_runtime::session::Outcome;
use tool_runtime::tool::{Content, ContentParts, ExternalTool};
use tool_runtime::{Container, Session, ToolInput, Toolbox, tool};

/// Asks the user.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Question {
    /// In one sentence.
    #[allow(dead_code, reason = "a tool without a handler reads nothing")]
    question: String,
}

/// Draws a chart.
#[tool]
fn chart() -> serde_json::Result<ContentParts> {
    ContentParts::from_parts([Content::text("Sales:"), Content::image("image/png", b"\x89PNG")])
        .with_structured(&serde_json::json!({"z": 1, "a": [1.0, null]}))
}

/// Reads a page.
#[tool]
fn read_page() -> Vec<u8> {
    vec![1, 2]
}

/// Calls, of which each has another kind of outcome: results, rejections, failures, a deferral, an expansion.
pub(crate) const CALLS: [(&str, &str); 12] = [
    ("get_weather", r#"{"location": "Paris"}"#),
    ("get_weather", r#"{"location": "Paris", "days": "3",}"#),
    ("get_weather", "{}"),
    ("get_weather", r#"{"location": "Lon"#),
    ("get_weather", r#"{"location": "Nowhere"}"#),
    ("get_weather", r#"{"location": "Mars"}"#),
    ("get_moon", "{}"),
    ("chart", ""),
    ("read_page", "{}"),
    ("Web", "{}"),
    ("Web", r#"{"page": 3}"#),
    ("ask_user", r#"{"question": "Which city?"}"#),
];

pub(crate) fn session() -> Session {
    let ask_user = ExternalTool::typed::<Question>("ask_user", "Asks the user a question.");
    let web = Container::new("Web", "All about pages.").tool(ReadPageTool);
    let builder = Toolbox::builder().no_throttle().tool(GetWeatherTool).tool(ChartTool).tool(ask_user).container(web);
    builder.build().expect("all names differ").session()
}

/// Returns the outcome of a call.
pub(crate) fn outcome(session: &Session, id: &str, (name, arguments): (&str, &str)) -> Outcome {
    pollster::block_on(session.call(id, name, arguments))
}
