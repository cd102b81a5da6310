//! `serde_json::from_str` and the function, without a tool name, rules, or answers to errors.

use serde::Deserialize;

use super::Side;
use crate::weather::{Unit, forecast};

#[derive(Deserialize)]
struct Arguments {
    city: String,
    days: u8,
    unit: Unit,
}

/// The side with the minimum cost of a call.
pub struct Bare;

impl Side for Bare {
    fn name(&self) -> &'static str {
        "serde_json alone"
    }

    fn call(&self, _: &str, arguments: &str) -> Result<String, String> {
        let Arguments { city, days, unit } = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
        Ok(forecast(&city, days, unit))
    }
}
