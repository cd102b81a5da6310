use tool_runtime::tool;

/// Waits.
#[tool]
fn wärten() {}
//~ wärten ~ write another with `name = "…"`

fn main() {}
