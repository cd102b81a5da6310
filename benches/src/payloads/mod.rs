//! The measured calls: their types, and the texts that a model would send.
//!
//! Every scalar of [`Weather`] and [`Order`] has a rule, but no `pattern` or `format`; [`Trip`] has both. Both sides of a comparison use
//! the same type.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{ToolInput, tool};

/// Three fields.
pub const SMALL: &str = include_str!("small.json");
/// An order of five items.
pub const MEDIUM: &str = include_str!("medium.json");
/// An order of a hundred items.
pub const LARGE: &str = include_str!("large.json");
/// An order of five items with seven issues.
pub const REJECTED: &str = include_str!("rejected.json");
/// A trip of four legs, in which every string has a pattern or a format.
pub const TRIP: &str = include_str!("trip.json");
/// A result of 1 kB.
const RESULT: &str = include_str!("result.txt");

/// A schema for [`Weather`], as an author would write it by hand.
pub const WEATHER_SCHEMA: &str = include_str!("weather.schema.json");
/// A schema for [`Order`], as an author would write it by hand.
pub const ORDER_SCHEMA: &str = include_str!("order.schema.json");

/// Current weather for a city.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub struct Weather {
    /// City and country.
    #[tool(length(min = 1, max = 80))]
    pub location: String,
    /// Unit of the temperatures.
    pub unit: Unit,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    pub days: Option<u8>,
}

/// What the weather is like.
#[derive(Serialize)]
pub struct Report {
    location: String,
    unit: Unit,
    highs: [f64; 2],
}

/// Current weather for a city.
#[tool]
pub fn get_weather(
    /// City and country.
    #[tool(length(min = 1, max = 80))]
    location: String,
    /// Unit of the temperatures.
    unit: Unit,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) -> Report {
    Report { location, unit, highs: [18.5, 18.0 + f64::from(days.unwrap_or(1))] }
}

/// Forecast for a city, in words.
#[tool]
pub fn get_forecast(
    /// City and country.
    #[tool(length(min = 1, max = 80))]
    location: String,
    /// Unit of the temperatures.
    unit: Unit,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) -> String {
    let _ = (unit, days);
    [&location, ": ", RESULT].concat()
}

/// Unit of temperature.
#[derive(Deserialize, Serialize, ToolInput)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Water freezes at 0.
    Celsius,
    /// Water freezes at 32.
    Fahrenheit,
}

/// An order.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Who orders.
    customer: Customer,
    /// What is ordered.
    #[tool(length(min = 1, max = 200))]
    items: Vec<Item>,
    /// How it is paid.
    payment: Payment,
    /// Urgency, 5 is the most.
    #[tool(range(min = 1, max = 5))]
    priority: u8,
    /// Words for whoever packs it.
    #[tool(length(max = 200))]
    note: Option<String>,
}

/// Who orders.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Customer {
    /// Full name.
    #[tool(length(min = 1, max = 60))]
    name: String,
    /// Address for mail.
    #[tool(length(min = 3, max = 120))]
    email: String,
    /// Year of birth.
    #[tool(range(min = 1900, max = 2020))]
    born: u16,
}

/// One line of an order.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Item {
    /// Article number.
    #[tool(length(min = 4, max = 20))]
    sku: String,
    /// How many.
    #[tool(range(min = 1, max = 500))]
    quantity: u32,
    /// Price of one.
    #[tool(range(exclusive_min = 0.0, max = 100_000.0))]
    price: f64,
    /// Labels.
    #[tool(length(max = 5), inner(length(min = 1, max = 20)))]
    labels: Vec<String>,
}

/// How an order is paid.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "method", rename_all = "snake_case")]
enum Payment {
    /// By card.
    Card {
        /// Number of the card.
        #[tool(length(min = 12, max = 19))]
        number: String,
        /// Month in which it expires.
        #[tool(range(min = 1, max = 12))]
        month: u8,
    },
    /// By transfer.
    Transfer {
        /// Account.
        #[tool(length(min = 15, max = 34))]
        iban: String,
    },
}

/// Numbers to be summed.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)] // Only `instructions` asks for it, and it is rejected.
pub struct Numbers {
    /// The numbers.
    #[tool(inner(range(min = 1, max = 9)))]
    numbers: Vec<u8>,
}

/// A trip.
#[derive(Deserialize, JsonSchema, ToolInput)]
#[serde(deny_unknown_fields)]
pub struct Trip {
    /// Identifies the traveller.
    #[tool(format = "uuid")]
    traveller: String,
    /// Address for mail.
    #[tool(format = "email")]
    email: String,
    /// The flights, in order.
    #[tool(length(min = 1, max = 10))]
    legs: Vec<Leg>,
}

/// One flight.
#[derive(Deserialize, JsonSchema, ToolInput)]
#[serde(deny_unknown_fields)]
struct Leg {
    /// Number of the flight.
    #[tool(pattern = "^[A-Z]{2}[0-9]{1,4}$")]
    flight: String,
    /// Day of departure.
    #[tool(format = "date")]
    day: String,
}

/// The goods of a warehouse. Two arguments may be absent and never `null`, and one is a map.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)] // It is only advertised.
pub struct Stock {
    /// The warehouse.
    #[tool(length(min = 1, max = 40))]
    warehouse: String,
    /// The shelves.
    shelves: Vec<Shelf>,
    /// The most pieces of an article.
    #[serde(default)]
    #[tool(range(max = 10_000))]
    limit: u32,
}

/// One shelf.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub struct Shelf {
    /// The name on it.
    #[tool(length(max = 40))]
    name: String,
    /// The number of pieces of each article.
    counts: BTreeMap<String, u32>,
    /// The height in levels.
    #[serde(default)]
    #[tool(range(max = 100))]
    height: u8,
}

/// Counts the goods of a warehouse.
#[tool]
pub fn count_stock(
    /// The warehouse.
    #[tool(length(min = 1, max = 40))]
    warehouse: String,
    /// The shelves.
    shelves: Vec<Shelf>,
    /// The most pieces of an article.
    #[tool(default = 1_000, range(max = 10_000))]
    limit: u32,
) -> u32 {
    let counts = shelves.iter().flat_map(|shelf| shelf.counts.values());
    let _ = (warehouse, shelves.iter().map(|shelf| shelf.name.len() + usize::from(shelf.height)).max());
    counts.map(|count| count.min(&limit)).sum()
}
