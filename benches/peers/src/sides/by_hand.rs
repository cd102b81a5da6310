//! serde and schemars, with a hand-written dispatch and hand-written checks.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Side;
use crate::weather::{Unit, check, forecast};

/// Returns the weather forecast.
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

/// A `match` on the name of the tool.
pub struct ByHand;

impl Side for ByHand {
    fn name(&self) -> &'static str {
        "by hand: serde + schemars"
    }

    fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        match name {
            "get_weather" => {
                let Arguments { city, days, unit } =
                    serde_json::from_str(arguments).map_err(|error| format!("invalid arguments: {error}"))?;
                check(days)?;
                Ok(forecast(&city, days, unit))
            }
            _ => Err(format!("unknown tool {name}")),
        }
    }
}

/// Returns the definition of the tool.
#[must_use]
pub fn definition() -> serde_json::Value {
    schemars::schema_for!(Arguments).to_value()
}
