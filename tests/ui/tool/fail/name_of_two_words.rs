use tool_runtime::tool;

/// Waits.
#[tool(name = "wait a moment")]
//~ "wait a moment" ~ no provider accepts "wait a moment" as a name
fn wait() {}

fn main() {}
