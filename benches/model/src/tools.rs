//! Twelve tools of different kinds. The schema that a model sees, serde's messages and our answers come from the same types.

use jsonschema::Validator;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tool_dynamic::DynamicTool;
use tool_runtime::tool_schema::schema::schema_text;
use tool_runtime::{CallContext, ToolError, ToolInput};

/// A tool that returns its arguments.
pub struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    pub schema: String,
    /// Decodes text with serde, and returns its message if this fails.
    pub by_hand: fn(&str) -> Result<(), String>,
    /// Decodes a value with serde, and returns its message if this fails.
    pub by_value: fn(Value) -> Result<(), String>,
    pub validator: Validator,
}

impl Tool {
    fn new<T: DeserializeOwned + ToolInput>(name: &'static str, description: &'static str) -> Self {
        let schema = schema_text(T::SHAPE);
        let value: Value = serde_json::from_str(&schema).expect("the schema is JSON");
        let validator = jsonschema::options().should_validate_formats(true).build(&value).expect("the schema is valid");
        Self {
            name,
            description,
            schema,
            by_hand: |text| serde_json::from_str::<T>(text).map(drop).map_err(|error| error.to_string()),
            by_value: |value| serde_json::from_value::<T>(value).map(drop).map_err(|error| error.to_string()),
            validator,
        }
    }

    /// Returns our tool with the same schema. Its result is the JSON text of the arguments with which it ran.
    pub fn ours(&self) -> DynamicTool {
        let handler =
            |arguments: Map<String, Value>, _: &CallContext| Ok::<_, ToolError>(Value::Object(arguments).to_string());
        DynamicTool::builder(self.name, self.description, self.schema.as_str())
            .sync_handler(handler)
            .expect("the schema is valid")
    }
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum TravelClass {
    First,
    Second,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct BookTrain {
    /// Station of departure.
    start: String,
    /// Station of arrival.
    destination: String,
    /// Day of travel, as YYYY-MM-DD.
    #[tool(format = "date")]
    date: String,
    /// Class of the seats.
    travel_class: TravelClass,
    /// Number of seats.
    #[tool(range(min = 1, max = 8))]
    seats: u8,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct SendEmail {
    /// Email addresses of the recipients.
    #[tool(length(min = 1, max = 20), inner(format = "email"))]
    recipients: Vec<String>,
    /// Subject line.
    #[tool(length(min = 1, max = 100))]
    subject: String,
    /// Text of the email.
    body: String,
    /// Marks the email as urgent.
    urgent: Option<bool>,
}

#[derive(Deserialize, ToolInput)]
enum Currency {
    #[serde(rename = "EUR")]
    Euro,
    #[serde(rename = "USD")]
    Dollar,
    #[serde(rename = "CHF")]
    Franc,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Category {
    Travel,
    Meals,
    Office,
    Software,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct AddExpense {
    /// Amount in cents.
    #[tool(range(min = 1, max = 1_000_000))]
    amount_cents: u32,
    /// Currency of the amount.
    currency: Currency,
    /// Kind of expense.
    category: Category,
    /// Day of the payment, as YYYY-MM-DD.
    #[tool(format = "date")]
    date: String,
    /// Remark for the bookkeeper.
    note: Option<String>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Zone {
    GroundFloor,
    UpperFloor,
    Basement,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Heat,
    Cool,
    Auto,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct SetThermostat {
    /// Part of the house.
    zone: Zone,
    /// Temperature to reach, in degrees Celsius.
    #[tool(range(min = 5, max = 30))]
    target_celsius: f64,
    /// Mode of the heating.
    mode: Option<Mode>,
    /// Time of day at which the setting ends, as HH:MM of 24 hours.
    #[tool(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    until: Option<String>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Role {
    Viewer,
    Editor,
    Admin,
}

#[derive(Deserialize, ToolInput)]
enum Country {
    #[serde(rename = "DE")]
    Germany,
    #[serde(rename = "FR")]
    France,
    #[serde(rename = "IT")]
    Italy,
}

/// Where the user lives.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Address {
    /// Number and street.
    street: String,
    /// Name of the city.
    city: String,
    /// Code of the country.
    country: Country,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct CreateUser {
    /// Name for the login: small letters, digits and underscores.
    #[tool(pattern = "^[a-z][a-z0-9_]{2,15}$")]
    username: String,
    /// Email address of the user.
    #[tool(format = "email")]
    email: String,
    /// Rights of the user: a viewer reads, an editor changes documents, an admin manages users.
    role: Role,
    /// Postal address of the user.
    address: Option<Address>,
}

/// A part and its quantity.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Item {
    /// Number of the part.
    #[tool(pattern = "^[A-Z]{2}-[0-9]{3}$")]
    part_id: String,
    /// Number of pieces.
    #[tool(range(min = 1, max = 999))]
    quantity: u16,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct OrderParts {
    /// Number of the purchase order.
    #[tool(pattern = "^PO-[0-9]{5}$")]
    order_number: String,
    /// Parts to order.
    #[tool(length(min = 1))]
    items: Vec<Item>,
    /// Latest day of the delivery, as YYYY-MM-DD.
    #[tool(format = "date")]
    deliver_by: Option<String>,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct ScheduleBackup {
    /// Name of the database.
    database: String,
    /// First backup in UTC, as 2027-01-31T09:30:00Z.
    #[tool(format = "date-time")]
    start: String,
    /// Hours between two backups.
    #[tool(range(min = 1, max = 168))]
    every_hours: u8,
    /// Days for which a backup is kept.
    #[tool(range(min = 1, max = 90))]
    keep_days: u8,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Source {
    Playlist,
    Album,
    Artist,
    Track,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct PlayMusic {
    /// Name of the music.
    query: String,
    /// Kind of thing that `query` names.
    source: Source,
    /// Volume in percent.
    #[tool(range(min = 0, max = 100))]
    volume_percent: Option<u8>,
    /// Plays in random order.
    shuffle: Option<bool>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Kilometre,
    Mile,
    Kilogram,
    Pound,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct ConvertValue {
    /// Number to convert.
    value: f64,
    /// Unit of the number.
    from_unit: Unit,
    /// Unit of the result.
    to_unit: Unit,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Activity {
    Running,
    Cycling,
    Swimming,
    Rowing,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct LogWorkout {
    /// Kind of workout.
    activity: Activity,
    /// Length in minutes.
    #[tool(range(min = 1, max = 600))]
    minutes: u16,
    /// Day of the workout, as YYYY-MM-DD.
    #[tool(format = "date")]
    date: String,
    /// Distance in kilometres.
    #[tool(range(min = 0))]
    distance_km: Option<f64>,
}

/// Who travels.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Passengers {
    /// Number of adults.
    #[tool(range(min = 1, max = 9))]
    adults: u8,
    /// Number of children.
    #[tool(range(min = 0, max = 8))]
    children: Option<u8>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Cabin {
    Economy,
    Business,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct SearchFlights {
    /// Code of the airport of departure.
    #[tool(pattern = "^[A-Z]{3}$")]
    origin: String,
    /// Code of the airport of arrival.
    #[tool(pattern = "^[A-Z]{3}$")]
    destination: String,
    /// Day of departure, as YYYY-MM-DD.
    #[tool(format = "date")]
    depart: String,
    /// The travellers.
    passengers: Passengers,
    /// Cabin of the seats.
    cabin: Option<Cabin>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Document,
    Image,
    Audio,
    Video,
}

/// Conditions for the files.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Filter {
    /// Kinds of files.
    kinds: Vec<Kind>,
    /// Smallest size in kilobytes.
    min_size_kb: Option<u32>,
    /// Only files that changed after this day, as YYYY-MM-DD.
    #[tool(format = "date")]
    modified_after: Option<String>,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct FindFiles {
    /// Folder in which to search.
    folder: String,
    /// Conditions for the files.
    filter: Filter,
}

/// Returns the tools.
#[must_use]
pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new::<BookTrain>("book_train", "Books seats on a train."),
        Tool::new::<SendEmail>("send_email", "Sends an email."),
        Tool::new::<AddExpense>("add_expense", "Adds an expense to the report."),
        Tool::new::<SetThermostat>("set_thermostat", "Sets the temperature of a part of the house."),
        Tool::new::<CreateUser>("create_user", "Creates a user account."),
        Tool::new::<OrderParts>("order_parts", "Orders parts from the warehouse."),
        Tool::new::<ScheduleBackup>("schedule_backup", "Schedules backups of a database."),
        Tool::new::<PlayMusic>("play_music", "Plays music."),
        Tool::new::<ConvertValue>("convert_value", "Converts a number from one unit to another."),
        Tool::new::<LogWorkout>("log_workout", "Adds a workout to the diary."),
        Tool::new::<SearchFlights>("search_flights", "Searches flights."),
        Tool::new::<FindFiles>("find_files", "Finds files in a folder."),
    ]
}
