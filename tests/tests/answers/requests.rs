//! The keys that are added to a request for an answer, in a file that `scripts/judges-sdks` compares with the requests of the official SDKs.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tool_runtime::Dialect;
use tool_runtime::tool_schema::dialect::Definitions;
use tool_runtime::tool_schema::{AnswerForm, ToolInput};

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Required {
    /// The city.
    city: String,
    /// Warm weather.
    warm: bool,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Place {
    /// The city.
    city: String,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Nested {
    /// The first place.
    place: Place,
    /// Other places.
    others: Vec<Place>,
}

#[derive(Deserialize, ToolInput)]
enum Unit {
    /// Celsius.
    C,
    /// Fahrenheit.
    F,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Choice {
    /// The unit.
    unit: Unit,
    /// The temperature.
    degrees: f64,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Optional {
    /// The city.
    city: String,
    /// A note.
    note: Option<String>,
}

fn requests<T: ToolInput>() -> BTreeMap<&'static str, Value> {
    let dialects =
        [Dialect::OPENAI, Dialect::OPENAI_RESPONSES, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::GEMINI_SCHEMA];
    let request = |dialect: Dialect| {
        let form = AnswerForm::<T>::new(dialect, &Definitions::default()).unwrap_or_else(|e| panic!("{dialect}: {e}"));
        assert_eq!(form.tool_name(), None, "{dialect}");
        (dialect.name(), form.definition().to_value())
    };
    dialects.into_iter().map(request).collect()
}

#[test]
fn the_requests_are_those_of_the_golden_file() {
    let types = BTreeMap::from([
        ("choice", requests::<Choice>()),
        ("nested", requests::<Nested>()),
        ("optional", requests::<Optional>()),
        ("required", requests::<Required>()),
    ]);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sdks/answers.json");
    let written = serde_json::to_value(&types).unwrap_or_default();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let text = serde_json::to_string_pretty(&types).unwrap_or_default();
        std::fs::write(&file, text + "\n").unwrap_or_else(|error| panic!("{error}"));
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(serde_json::from_str::<Value>(&golden).ok(), Some(written));
}
