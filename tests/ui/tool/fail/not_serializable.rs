use tool_runtime::tool;

struct Report;

/// Reports.
#[tool]
fn report() -> Report {
    //~ Report ~ add `#[derive(serde::Serialize)]` to it
    Report
}

fn main() {}
