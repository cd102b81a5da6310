use tool_runtime::tool;

/// Waits.
#[tool(name = "wait a moment")]
//~ "wait a moment" ~ write `name = "wait_a_moment"`
fn wait() {}

fn main() {}
