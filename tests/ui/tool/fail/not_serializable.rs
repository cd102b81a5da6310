use tool_runtime::tool;

struct Report;

/// Reports.
#[tool]
fn report() -> Report {
    //~ Report ~ a tool cannot return `Report`
    Report
}

fn main() {}
