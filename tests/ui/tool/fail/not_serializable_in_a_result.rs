use tool_runtime::tool;

struct Report;

/// Reports.
#[tool]
async fn report() -> Result<Report, String> {
    //~ Report ~ add `#[derive(serde::Serialize)]` to it
    Ok(Report)
}

fn main() {}
