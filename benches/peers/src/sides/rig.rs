//! rig: a tool behind `ErasedTool`, as its agents store and call it.

use rig_core::tool::{ErasedTool, PortableTool, ToolContext, ToolExecutionError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Side;
use crate::weather::{Unit, check, forecast};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// City, without the country.
    city: String,
    /// Days from today.
    #[schemars(range(min = 1, max = 14))]
    days: u8,
    /// Unit of the temperature.
    unit: Unit,
}

struct GetWeather;

impl PortableTool for GetWeather {
    const NAME: &'static str = "get_weather";
    type Args = Arguments;
    type Output = String;
    type Error = ToolExecutionError;

    fn description(&self) -> String {
        "Returns the weather forecast.".to_owned()
    }

    fn parameters(&self) -> serde_json::Value {
        schemars::schema_for!(Arguments).to_value()
    }

    async fn call(&self, Arguments { city, days, unit }: Arguments) -> Result<String, ToolExecutionError> {
        check(days).map_err(ToolExecutionError::invalid_args)?;
        Ok(forecast(&city, days, unit))
    }
}

/// The tools of an agent.
pub struct Rig {
    tools: Vec<(String, Box<dyn ErasedTool>)>,
}

impl Rig {
    /// Creates the only tool.
    #[must_use]
    pub fn new() -> Self {
        let tool: Box<dyn ErasedTool> = Box::new(GetWeather);
        Self { tools: vec![(tool.name(), tool)] }
    }
}

impl Default for Rig {
    fn default() -> Self {
        Self::new()
    }
}

impl Side for Rig {
    fn name(&self) -> &'static str {
        "rig-core 0.44.0"
    }

    fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        // rig-core has no registry of tools, so the host has to find the tool.
        let Some((_, tool)) = self.tools.iter().find(|(known, _)| known == name) else {
            return Err(format!("unknown tool {name}"));
        };
        let mut context = ToolContext::new();
        let result = pollster::block_on(tool.execute(arguments.to_owned(), &mut context));
        let text = result.output().render();
        if result.is_success() { Ok(text) } else { Err(text) }
    }
}
