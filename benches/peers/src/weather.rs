//! The work of the tool. Every side does it, with the same arguments.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A unit of temperature.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Celsius => "celsius",
            Self::Fahrenheit => "fahrenheit",
        })
    }
}

/// Returns the result of the tool.
#[must_use]
pub fn forecast(city: &str, days: u8, unit: Unit) -> String {
    format!("{city}: {days} days in {unit}")
}

/// Checks the range of `days`, for the sides whose crate does not check it.
///
/// # Errors
///
/// Fails if the number of days is not allowed.
pub fn check(days: u8) -> Result<(), String> {
    if (1..=14).contains(&days) { Ok(()) } else { Err(format!("days must be from 1 to 14, not {days}")) }
}
