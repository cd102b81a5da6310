//! Tools for tests that are not about the definitions of tools.

use std::collections::BTreeMap;

use tool_runtime::{ToolError, plugin_container, tool};

/// Sends a request. The strict forms of some providers cannot express its map.
#[tool(description = "Sends a request.")]
pub fn send(
    /// Address of the receiver.
    url: String,
    /// Headers of the request.
    headers: BTreeMap<String, String>,
    /// Number of further attempts.
    #[tool(default = 3, range(max = 10))]
    retries: u8,
) -> String {
    format!("{url} {headers:?} {retries}")
}

/// Current weather for a city.
#[tool]
pub fn get_weather(
    /// City and country.
    #[tool(length(min = 1, max = 80), example = "Paris, France")]
    location: String,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) -> Result<String, ToolError> {
    match location.as_str() {
        "Nowhere" => Err(ToolError::retry("there is no such place").field("location")),
        "Mars" => Err(ToolError::unavailable("it is far away")),
        _ => Ok(format!("{location}: sun for {} days", days.unwrap_or(1))),
    }
}

/// A container with one tool.
pub struct Math;

/// Arithmetic on numbers.
#[plugin_container]
impl Math {
    /// Add two numbers.
    #[tool]
    pub fn add(
        &self,
        /// First summand.
        a: f64,
        /// Second summand.
        b: f64,
    ) -> f64 {
        a + b
    }
}
