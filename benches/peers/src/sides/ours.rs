//! This project.

use serde::Deserialize;
use tool_runtime::{Session, ToolInput, Toolbox, tool};

use super::Side;
use crate::weather;

/// A unit of temperature.
#[derive(Clone, Copy, Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
}

/// Returns the weather forecast.
#[tool]
fn get_weather(
    /// City, without the country.
    city: String,
    /// Days from today.
    #[tool(range(min = 1, max = 14))]
    days: u8,
    /// Unit of the temperature.
    unit: Unit,
) -> String {
    let unit = match unit {
        Unit::Celsius => weather::Unit::Celsius,
        Unit::Fahrenheit => weather::Unit::Fahrenheit,
    };
    weather::forecast(&city, days, unit)
}

/// A session of this project.
pub struct Ours {
    name: &'static str,
    session: Session,
}

impl Ours {
    /// Creates a session with the default settings.
    #[must_use]
    pub fn with_throttle() -> Self {
        let toolbox = Toolbox::builder().tool(GetWeatherTool).build().expect("a valid toolbox");
        Self { name: "ours", session: toolbox.session() }
    }

    /// Creates a session that never stops a model.
    #[must_use]
    pub fn without_throttle() -> Self {
        let toolbox = Toolbox::builder().tool(GetWeatherTool).no_throttle().build().expect("a valid toolbox");
        Self { name: "ours, without the throttle", session: toolbox.session() }
    }
}

impl Side for Ours {
    fn name(&self) -> &'static str {
        self.name
    }

    fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        let outcome = pollster::block_on(self.session.call("call_1", name, arguments));
        if outcome.is_ok() { Ok(outcome.into_text()) } else { Err(outcome.into_text()) }
    }
}
