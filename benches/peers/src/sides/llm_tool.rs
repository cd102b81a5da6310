//! llm-tool: a function with `#[llm_tool]` in a registry.

use llm_tool::{ToolContext, ToolError, ToolRegistry, llm_tool};

use super::Side;
use crate::weather::{Unit, check, forecast};

/// Returns the weather forecast.
#[llm_tool]
fn get_weather(
    /// City, without the country.
    city: String,
    /// Days from today.
    days: u8,
    /// Unit of the temperature.
    unit: Unit,
) -> Result<String, ToolError> {
    check(days).map_err(ToolError::new)?;
    Ok(forecast(&city, days, unit))
}

/// A registry with the only tool.
pub struct LlmTool {
    registry: ToolRegistry,
    context: ToolContext,
}

impl LlmTool {
    /// Creates the registry.
    #[must_use]
    pub fn new() -> Self {
        Self { registry: ToolRegistry::new().with_tool(GetWeather), context: ToolContext::new() }
    }
}

impl Default for LlmTool {
    fn default() -> Self {
        Self::new()
    }
}

impl Side for LlmTool {
    fn name(&self) -> &'static str {
        "llm-tool 0.10.5"
    }

    fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        pollster::block_on(self.registry.dispatch_str(name, arguments, &self.context))
            .map(|output| output.content().to_string())
            .map_err(|error| error.to_string())
    }
}
