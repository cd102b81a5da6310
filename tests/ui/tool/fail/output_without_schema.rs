use tool_runtime::tool;

#[derive(serde::Serialize)]
struct Report;

/// Reports.
#[tool(output_schema)]
fn report() -> Report {
    //~ Report ~ add `#[derive(schemars::JsonSchema)]` to it
    Report
}

fn main() {}
