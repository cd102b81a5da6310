use tool_runtime::tool;

/// Waits.
#[tool(errors = "hiden")]
//~ "hiden" ~ did you mean `hidden`?
fn wait() {}

fn main() {}
