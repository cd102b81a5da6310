use tool_runtime::tool;

/// Converts a temperature.
#[tool(timeout = 5)]
//~ timeout = 5 ~ write `timeout_ms = 5_000`
fn convert(
    /// Unit.
    #[tool(enum("metric", "imperial"))]
    //~ enum("metric", "imperial") ~ write `#[derive(serde::Deserialize, tool_runtime::ToolInput)]` above a Rust enum
    unit: String,
    /// Degrees.
    #[tool(optional)]
    //~ optional ~ write `Option<…>` as the type
    degrees: f64,
    /// Place.
    #[tool(required, examples = ["Rome", "Oslo"])]
    //~ required ~ remove `required`
    //~ examples = ["Rome", "Oslo"] ~ write `example = …`
    place: String,
    /// Day.
    #[serde(with = "days")]
    //~ #[serde(with = "days")] ~ `serde` does not see the parameters of a tool
    day: String,
) -> String {
    format!("{unit} {degrees} {place} {day}")
}

fn main() {}
