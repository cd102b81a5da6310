use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Report {
    /// Unit of the temperatures.
    #[tool(example = "kelvin")]
    //~ "kelvin" ~ write one of "celsius", "fahrenheit"
    unit: Unit,
}

fn main() {}
