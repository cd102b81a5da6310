//! Texts for models, word for word: the blocks in sections 1 to 4 of docs/wire.md.
//!
//! The program has two tools and the container `Math` with seven members. Each text of the session is compared with the block
//! after both went through `Json`, so that whitespace does not matter but the order of keys does.

use serde::{Deserialize, Serialize};
use tool_runtime::__private_0_1_0::json::laid_out;
use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::{Failure, Session, ToolInput, Toolbox, TypedTool, tool};
use tool_schema::feedback::annotated_arguments;
use tool_schema::json::Json;

use self::math::Math;
use self::texts::{CONTAINER, EXPANSION, HINT, REJECTION};

#[path = "../../tool-runtime/src/feedback/tests/texts.rs"]
mod texts;

/// The container of the tour.
#[path = "../../examples/src/math.rs"]
#[expect(unreachable_pub, reason = "it is a module of a library there")]
mod math;

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Serialize)]
struct Report {
    degrees: Vec<f64>,
}

#[derive(Debug)]
struct WeatherError;

impl std::fmt::Display for WeatherError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("no weather station there")
    }
}

impl std::error::Error for WeatherError {}

/// Current weather for a city.
#[tool]
async fn get_weather(
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
    let degrees = match (location.as_str(), unit) {
        ("Paris, France", Unit::Celsius) => 18.5,
        ("Paris, France", Unit::Fahrenheit) => 65.3,
        _ => return Err(WeatherError),
    };
    Ok(Report { degrees: vec![degrees; days.unwrap_or(1).into()] })
}

/// Opens a file.
#[tool]
fn open(
    /// Where it is.
    path: String,
) -> String {
    path
}

const REJECTED_CALL: &str = r#"get_weather was not run: location is required; unit must be one of "celsius", "fahrenheit"; days must be at most 14.
Send this call, with a value in place of each <…>:
{"name": "get_weather", "arguments": {"days": <integer from 1 to 14>, "unit": <celsius, if you mean it>, "location": <City and country>}}"#;

const MARKED_UP: &str = r#"{
  "days": 30, // ❌ integer from 1 to 14
  "unit": "celcius", // ❌ one of "celsius", "fahrenheit" (did you mean "celsius"?)
  "location": undefined // ❌ required: string of 1 to 80 characters — City and country
}"#;

const WITHOUT_HOST: &str = r#"{
  "error_type": "host_input",
  "tool": "store",
  "error_message": "store was not run: the application did not supply what it needs.",
  "retry_guidance": "Do not repeat this call. Use another tool, or answer with what you have.",
  "recovery": "replan"
}"#;

const EFFECT_UNKNOWN: &str = r#"{
  "error_type": "effect_unknown",
  "tool": "transfer",
  "read_only_tools": ["get_balance"],
  "error_message": "The application stopped while transfer was running. The call may or may not have taken effect.",
  "retry_guidance": "Do not repeat this call before you know whether it took effect. Use one of read_only_tools, or ask the user, to find out.",
  "recovery": "replan"
}"#;

#[test]
fn a_call_whose_effect_is_unknown_names_the_tools_that_can_read() {
    let failure = Failure::effect_unknown("transfer", ["get_balance"]);
    assert_eq!(pretty(&failure.to_json()), pretty(EFFECT_UNKNOWN));
    let many: Vec<String> = (0..7).map(|number| format!("read_{number}")).collect();
    let failure = Failure::effect_unknown("transfer", many.iter().map(String::as_str)).to_value();
    assert_eq!((failure["read_only_tools"].as_array().map(Vec::len), failure["omitted"].as_u64()), (Some(5), Some(2)));
    let guidance = Failure::effect_unknown("transfer", []).to_value()["retry_guidance"].to_string();
    assert!(guidance.ends_with("Ask the user to find out.\""), "{guidance}");
}

/// Stores a file.
#[tool]
fn store(#[tool(host)] file: String) -> String {
    file
}

fn session() -> Session {
    let toolbox = Toolbox::builder().tool(GetWeatherTool).tool(OpenTool).tool(StoreTool).container(Math).build();
    toolbox.expect("all names differ").session()
}

fn answer(name: &str, arguments: &str) -> String {
    pollster::block_on(session().call("call_1", name, arguments)).to_text().into_owned()
}

/// Returns the answer to a rejected call in the form `FeedbackForm::Json`.
fn members(name: &str, arguments: &str) -> String {
    let outcome = pollster::block_on(session().call("call_1", name, arguments));
    outcome.failure().map(Failure::to_json).expect("the call was rejected")
}

fn pretty(json: &str) -> String {
    laid_out(&Json::parse(json).expect("the wire is JSON"), 0)
}

#[test]
fn a_rejected_call_has_the_text_of_the_contract() {
    assert_eq!(answer("get_weather", r#"{"days": 30, "unit": "celcius"}"#), REJECTED_CALL);
}

#[test]
fn a_rejected_call_has_the_members_of_the_contract() {
    let members = members("get_weather", r#"{"days": 30, "unit": "celcius"}"#);
    assert_eq!(pretty(&members), pretty(&REJECTION.replace("HINT", HINT)));
}

#[test]
fn the_hint_alone_has_the_text_of_the_contract() {
    let arguments = r#"{"days": 30, "unit": "celcius"}"#;
    let outcome = pollster::block_on(session().call("call_1", "get_weather", arguments));
    let hint = outcome.failure().and_then(Failure::retry_hint).expect("the call was rejected");
    assert_eq!(pretty(&hint.to_json()), pretty(HINT));
}

/// The block of section 4, byte for byte.
#[test]
fn marked_up_arguments_have_the_text_of_the_contract() {
    let sent = r#"{"days": 30, "unit": "celcius"}"#;
    let outcome = pollster::block_on(session().call("call_1", "get_weather", sent));
    let issues = outcome.failure().map(Failure::issues).expect("the call was rejected");
    let sent = Json::parse(sent).expect("the arguments are JSON");
    assert_eq!(annotated_arguments(&GetWeatherTool::SPEC.input.shape(), &sent, issues), MARKED_UP);
}

#[test]
fn the_hint_renames_an_unknown_field_that_resembles_a_missing_one() {
    let hint = constraints("open", r#"{"file_path": "a"}"#);
    assert_eq!(hint, pretty(r#"[{"field": "file_path", "rename_to": "path"}]"#));
}

#[test]
fn the_hint_asks_to_remove_an_unknown_field_without_a_counterpart() {
    let hint = constraints("open", r#"{"path": "a", "colour": "red"}"#);
    assert_eq!(hint, pretty(r#"[{"field": "colour", "remove": true}]"#));
}

fn constraints(tool: &str, arguments: &str) -> String {
    let rejection = members(tool, arguments);
    let rejection = Json::parse(&rejection).expect("the wire is JSON");
    let constraints = rejection.get("retry_hint").and_then(|hint| hint.get("constraints"));
    laid_out(constraints.expect("the hint names what to change"), 0)
}

#[test]
fn the_failure_for_a_missing_host_value_does_not_mention_the_value() {
    assert_eq!(pretty(&answer("store", "{}")), pretty(WITHOUT_HOST));
}

#[test]
fn a_container_called_without_arguments_expands() {
    for nothing in ["", "null", "{}"] {
        assert_eq!(pretty(&answer("Math", nothing)), pretty(EXPANSION));
    }
}

#[test]
fn a_container_called_with_arguments_explains_how_to_call_it() {
    let rejection = answer("Math", r#"{"function": "add", "a": 5, "b": 10}"#);
    assert_eq!(pretty(&rejection), pretty(CONTAINER));
}

#[test]
fn an_unknown_function_of_a_container_is_answered_with_similar_ones() {
    let rejected = pretty(&answer("Math", r#"{"function": "Multiplyy", "a": 5, "b": 10}"#));
    let told = CONTAINER.replace("\"add\", \"a\"", "\"Multiplyy\", \"a\"");
    let told = told.replace("\n  \"error_message\"", "\n  \"did_you_mean\": [\"multiply\"],\n  \"error_message\"");
    assert_eq!(rejected, pretty(&told));

    let policy = UnexpandedCallPolicy::ExpandAndRun;
    let toolbox = Toolbox::builder()
        .container(Math)
        .expansion(ExpansionSettings::new().unexpanded_call_policy(policy))
        .build()
        .expect("it is the only one");
    let outcome = pollster::block_on(toolbox.session().call("call_1", "Math", r#"{"function": "Multiplyy"}"#));
    let told = EXPANSION.replace(r#", "message""#, r#", "did_you_mean": ["multiply"], "message""#);
    assert_eq!(pretty(&outcome.to_text()), pretty(&told));
}

#[test]
fn the_description_of_a_container_names_its_members() {
    let session = session();
    let math = session.tools().into_iter().find(|advertised| advertised.name() == "Math").expect("it is registered");
    assert_eq!(
        math.description(),
        "Arithmetic on numbers. Contains 7 functions: add, multiply, abs, square, subtract, min, solve_quadratic"
    );
}

/// The block of §1 about a tool that was there.
const REMOVED: &str = r#"{
  "error_type": "tool_removed",
  "tool": "get_weather",
  "did_you_mean": ["get_weather_report"],
  "available_tools": ["get_weather_report"],
  "error_message": "get_weather is no longer available.",
  "retry_guidance": "If get_weather_report does what you need, call it instead. Otherwise use another tool or answer with what you have.",
  "recovery": "replan"
}"#;

/// Reports the weather.
#[tool]
fn get_weather_report() {}

#[test]
fn the_failure_for_a_removed_tool_says_that_it_is_no_longer_available() {
    let session = Toolbox::builder().tool(GetWeatherTool).build().expect("it is the only one").session();
    let next = Toolbox::builder().tool(GetWeatherReportTool).build().expect("it is the only one");
    session.replace_toolbox(&next).expect("it needs no state");
    let told = |session: &Session| pretty(&pollster::block_on(session.call("call_1", "get_weather", "{}")).to_text());
    assert_eq!(told(&session), pretty(REMOVED));
    session.replace_toolbox(&Toolbox::builder().build().expect("it is empty")).expect("it needs no state");
    let nothing = "There are no tools; answer with what you have.";
    assert!(told(&session).contains(nothing), "{}", told(&session));
}

/// The block of section 12.
#[test]
fn a_rejected_answer_has_the_members_of_the_contract() {
    #[derive(Debug, Deserialize, ToolInput)]
    #[serde(deny_unknown_fields)]
    struct Invoice {
        /// The person or company that is billed.
        customer: String,
        /// The amount.
        #[tool(range(min = 1))]
        cents: u32,
    }
    let error = tool_schema::extract::<Invoice>(r#"{"cents": 0}"#).expect_err("a value is missing");
    let section = include_str!("../../docs/wire.md").split("## 12. A rejected answer").nth(1).unwrap_or_default();
    let block =
        section.split("```json").nth(1).and_then(|rest| rest.split("```").next()).expect("the page has the block");
    let values =
        [error.feedback().as_str(), block].map(|text| serde_json::from_str::<serde_json::Value>(text).expect("JSON"));
    assert_eq!(values[0], values[1]);
}

/// The page `docs/wire.md` documents the contract for readers.
#[test]
fn the_wire_page_shows_the_blocks_of_the_contract() {
    let page = include_str!("../../docs/wire.md");
    let blocks = |kind: &str| -> Vec<String> {
        let fence = format!("```{kind}\n");
        page.split(&*fence).skip(1).filter_map(|rest| Some(rest.split_once("\n```")?.0.to_owned())).collect()
    };
    let json: Vec<String> = blocks("json").iter().map(|block| pretty(block)).collect();
    for block in [&REJECTION.replace("HINT", r#"{"…": "§2"}"#), HINT, EXPANSION, CONTAINER, REMOVED, WITHOUT_HOST] {
        assert!(json.contains(&pretty(block)), "the page does not show {block}");
    }
    for text in [REJECTED_CALL, MARKED_UP] {
        assert!(blocks("text").iter().any(|block| block == text), "the page does not show {text}");
    }
}
