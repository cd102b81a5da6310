//! A type that allows every issue code of `docs/wire.md` at every depth.

#![allow(dead_code)] // The decoded values are not read.

use serde::Deserialize;
use tool_runtime::ToolInput;

/// A stage of a journey.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
pub struct Stage {
    #[serde(alias = "title")]
    #[tool(length(min = 2, max = 8))]
    name: String,
    #[tool(range(min = 1, max = 14))]
    days: u8,
    unit: Unit,
    #[tool(range(exclusive_min = 0, max = 2.5))]
    ratio: Option<f64>,
    #[tool(multiple_of = 5)]
    step: Option<i32>,
    #[tool(format = "date")]
    day: Option<String>,
    #[tool(format = "email")]
    contact: Option<String>,
    #[tool(pattern = "^[a-z]+-[0-9]+$", example = "abc-1")]
    code: Option<String>,
    #[tool(pattern = "^[A-Z]{2}-[0-9]{1,4}$")]
    badge: Option<String>,
    #[tool(length(min = 1, max = 3))]
    tags: Option<Vec<String>>,
    #[tool(unique_items)]
    numbers: Option<Vec<u8>>,
    place: Option<Place>,
    event: Option<Event>,
    answer: Option<Answer>,
    pair: Option<(bool, String)>,
    next: Option<Box<Stage>>,
    later: Vec<Stage>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(ignore_unknown, undocumented)]
enum Place {
    Named { city: String },
    Point { latitude: f64, longitude: f64 },
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[tool(undocumented)]
enum Event {
    Created { by: String },
    Moved { from: u8, to: Option<u8> },
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
#[tool(ignore_unknown, undocumented)]
enum Answer {
    Text(String),
    Choice { index: u8 },
}
