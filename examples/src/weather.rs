//! Free functions as tools.

use serde::{Deserialize, Serialize};
use tool_runtime::{ToolInput, tool};

/// A scale of temperatures.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToolInput)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Water freezes at 0.
    Celsius,
    /// Water freezes at 32.
    Fahrenheit,
}

/// A weather report.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The requested location.
    pub location: String,
    /// Highest temperature of each day.
    pub highs: Vec<f64>,
    /// The scale of `highs`.
    pub unit: Unit,
}

/// The reason why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum WeatherError {
    /// There is no weather station at this location.
    #[error("there is no weather station in {0}; known are Paris, London and Tokyo")]
    NoStation(String),
}

/// Current weather for a city.
#[tool]
pub async fn get_weather(
    /// City and country.
    #[tool(length(min = 1, max = 80), example = "Paris, France")]
    location: String,
    /// Unit of the temperatures.
    #[tool(default = "celsius")]
    unit: Unit,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) -> Result<Report, WeatherError> {
    let today = match location.split(',').next().unwrap_or_default().trim() {
        "Paris" => 18.5,
        "London" => 14.0,
        "Tokyo" => 22.5,
        _ => return Err(WeatherError::NoStation(location)),
    };
    let highs = (0..days.unwrap_or(1)).map(|day| {
        let celsius = today + f64::from(day) / 2.0;
        match unit {
            Unit::Celsius => celsius,
            Unit::Fahrenheit => celsius * 1.8 + 32.0,
        }
    });
    Ok(Report { highs: highs.collect(), location, unit })
}

/// One stop of a journey.
#[derive(Clone, Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// City and country.
    #[tool(length(min = 1), example = "London, United Kingdom")]
    pub location: String,
    /// Day of arrival.
    #[tool(format = "date")]
    pub arrival: String,
    /// How the stop is reached.
    #[serde(default)]
    pub by: Option<Transport>,
}

/// A way to travel.
#[derive(Clone, Debug, Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Transport {
    /// On rails.
    Train {
        /// Class of the ticket.
        #[tool(range(min = 1, max = 2))]
        class: u8,
    },
    /// By air.
    Flight {
        /// Two letters and up to four digits.
        #[tool(pattern = "^[A-Z]{2}\\d{1,4}$", example = "LH123")]
        number: String,
    },
}

/// Weather along a journey, stop by stop.
#[tool]
pub fn weather_along(
    /// The stops in order.
    #[tool(length(min = 1, max = 10))]
    stops: Vec<Stop>,
) -> Vec<String> {
    stops.iter().map(|stop| format!("{}: take an umbrella on {}", stop.location, stop.arrival)).collect()
}
