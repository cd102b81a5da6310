//! typia: lenient parsing and validation. The crate has no tools, so the dispatch is hand-written.

use typia::serde::{Deserialize, Serialize};
use typia::{LLMData, LlmJsonParseResult};

use super::Side;
use crate::weather;

// To derive `LLMData` for a struct, the types of its fields need `LLMData` too.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, LLMData)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Debug, Serialize, Deserialize, LLMData)]
#[serde(deny_unknown_fields)]
struct Arguments {
    city: String,
    #[typia(tags(minimum(1), maximum(14)))]
    days: u8,
    unit: Unit,
}

/// A `match` on the name of the tool.
pub struct Typia;

impl Side for Typia {
    fn name(&self) -> &'static str {
        "typia 0.1.1"
    }

    fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        if name != "get_weather" {
            return Err(format!("unknown tool {name}"));
        }
        match Arguments::parse(arguments) {
            LlmJsonParseResult::Success { data } => {
                let unit = match data.unit {
                    Unit::Celsius => weather::Unit::Celsius,
                    Unit::Fahrenheit => weather::Unit::Fahrenheit,
                };
                Ok(weather::forecast(&data.city, data.days, unit))
            }
            LlmJsonParseResult::Failure { errors, .. } => {
                let lines: Vec<_> = errors
                    .iter()
                    .map(|error| format!("{}: expected {}: {}", error.path, error.expected, error.description))
                    .collect();
                Err(lines.join("\n"))
            }
        }
    }
}
