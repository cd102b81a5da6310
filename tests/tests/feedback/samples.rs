//! Rejected calls as a model reads them, as goldens of the forms that are not JSON. `UPDATE_GOLDEN=1` updates them.

#![allow(dead_code, unused_variables, clippy::needless_pass_by_value)] // The tools are only called with invalid arguments.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;
use tool_runtime::session::CallRequest;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CustomRuleError, Session, ToolInput, Toolbox, TypedTool, tool};

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// Current weather for a city.
#[tool]
fn get_weather(
    /// City and country.
    #[tool(length(min = 1, max = 80), example = "Paris, France")]
    location: String,
    /// Unit of the temperatures.
    #[tool(default = "celsius")]
    unit: Unit,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) {
}

/// Opens a file.
#[tool]
fn open(
    /// Where it is.
    path: String,
    /// Whether it may be written.
    writable: Option<bool>,
) {
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct CreateUser {
    /// Name to sign in with.
    #[tool(length(min = 2, max = 32))]
    name: String,
    /// Where to reach the user.
    #[tool(format = "email")]
    email: String,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct DeleteUser {
    /// Number of the user.
    id: u32,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Change {
    Create(CreateUser),
    Delete(DeleteUser),
}

/// Changes the users.
#[tool]
fn change_users(
    /// What to do, in this order.
    #[tool(length(min = 1, max = 20))]
    changes: Vec<Change>,
) {
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(untagged)]
enum Place {
    Named {
        /// Name of the city.
        city: String,
    },
    Point {
        /// Degrees north.
        latitude: f64,
        /// Degrees east.
        longitude: f64,
    },
}

/// Finds a way.
#[tool]
fn route(
    /// Where to start.
    from: Place,
    /// Where to go.
    to: Place,
) {
}

fn in_order(span: &Span) -> Result<(), CustomRuleError> {
    if span.from < span.to { Ok(()) } else { Err(CustomRuleError::new("must end after it begins")) }
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, custom = in_order)]
struct Span {
    /// First day.
    #[tool(format = "date")]
    from: String,
    /// Last day.
    #[tool(format = "date")]
    to: String,
}

/// Books a room.
#[tool]
fn book(
    /// Number of the room.
    #[tool(pattern = "^[A-Z][0-9]{3}$", example = "B204")]
    room: String,
    /// When.
    span: Span,
    /// Who comes.
    #[tool(length(min = 2), unique_items)]
    guests: Vec<String>,
) {
}

/// Signs somebody in.
#[tool]
fn sign_in(
    /// Name of the user.
    #[tool(length(min = 2))]
    user: String,
    /// Password of the user.
    #[tool(sensitive)]
    password: String,
    /// Whether to stay.
    stay: bool,
) {
}

/// Writes a file.
#[tool]
fn write_file(
    /// Where it goes.
    path: String,
    /// What is in it.
    content: String,
    /// Permissions by group.
    mode: BTreeMap<String, u8>,
    /// Lines to skip.
    skip: Option<Vec<u32>>,
) {
}

pub(crate) fn session(form: FeedbackForm) -> Session {
    let builder = Toolbox::builder().tool(GetWeatherTool).tool(OpenTool).tool(ChangeUsersTool).tool(RouteTool);
    let builder = builder.tool(BookTool).tool(SignInTool).tool(WriteFileTool);
    builder.feedback(form).build().expect("all names differ").session()
}

const CUT_OFF: &str = r#"{"path": "src/main.rs", "content": "fn main() {\n    println!(\"he"#;
/// The sample that the output limit of the model cut off.
const BY_THE_LIMIT: &str = "cut off by the output limit";

/// Returns the calls: the issue, the tool, the arguments.
fn calls() -> Vec<(&'static str, &'static str, String)> {
    let long = format!("fn main() {{\n{}}}\n", "    println!(\"a line of many\");\n".repeat(300));
    let lines: Vec<u32> = (0..900).collect();
    let large =
        serde_json::json!({"content": long, "mode": {"group": 999, "owner": 7}, "path": "src/main.rs", "skip": lines});
    vec![
        ("three faults in one call", "get_weather", r#"{"days": 30, "unit": "celcius"}"#.into()),
        ("a field under another name", "open", r#"{"file": "notes.txt", "writable": "yes"}"#.into()),
        (
            "a known variant, here and there",
            "change_users",
            r#"{"changes": [{"type": "delete", "id": 7}, {"type": "create", "name": "ada"}, {"type": "create", "name": "b", "mail": "b@example.org"}]}"#.into(),
        ),
        ("no such variant", "change_users", r#"{"changes": [{"type": "crate", "name": "ada"}, {"id": 3}]}"#.into()),
        ("a union without a tag", "route", r#"{"from": {"latitude": 48.8}, "to": {}}"#.into()),
        (
            "rules of several values",
            "book",
            r#"{"room": "b204", "span": {"from": "2025-03-04", "to": "2025-03-01"}, "guests": ["Ada"]}"#.into(),
        ),
        ("items that are alike", "book", r#"{"room": "B204", "span": ["2025-03-01", "2025-03-04"], "guests": ["Ada", "Ada"]}"#.into()),
        ("a secret beside the fault", "sign_in", r#"{"user": "a", "password": "hunter2", "stay": "always"}"#.into()),
        ("a large value with one fault", "write_file", large.to_string()),
        ("no JSON", "get_weather", r#"{"location": "Paris, France", "unit": celsius, "days": 3}"#.into()),
        ("cut off", "write_file", CUT_OFF.into()),
        (BY_THE_LIMIT, "write_file", CUT_OFF.into()),
    ]
}

#[test]
fn rejected_calls_have_their_golden_feedback() {
    let mut text = String::new();
    for (what, tool, arguments) in calls() {
        for form in [FeedbackForm::Sentences, FeedbackForm::Markdown] {
            let call = CallRequest::new("call_1", tool, arguments.as_str()).cut_off(what == BY_THE_LIMIT);
            let outcome = pollster::block_on(session(form).call_batch([call])).into_outcomes().remove(0);
            assert!(!outcome.is_ok(), "{what} should be rejected");
            let told = outcome.to_text();
            assert!(told.len() <= 4_096, "{what}: {} bytes", told.len());
            writeln!(text, "######## {what}: {form:?}\n{told}\n").expect("a string can be written");
        }
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/feedback/samples.golden.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, &text).expect("the golden can be written");
    }
    assert_eq!(text, std::fs::read_to_string(golden).expect("the golden is there"));
}

/// A tool may report an issue with a field that was not sent.
#[test]
fn a_fault_in_an_absent_field_is_listed_separately() {
    use tool_runtime::failure::{Failure, ToolError};
    use tool_schema::feedback::annotated_arguments;
    use tool_schema::json::Json;

    let failure = Failure::tool_error("book", &ToolError::retry("Only 6 seats are left.").field("party.seats"));
    let sent = Json::parse(r#"{"room": "B204"}"#).expect("it is JSON");
    assert_eq!(
        annotated_arguments(&BookTool::SPEC.input.shape(), &sent, failure.issues()),
        "{\n  \"room\": \"B204\"\n}\nElsewhere:\n- party.seats: was rejected: Only 6 seats are left; expected another value"
    );
}
