use tool_runtime::tool;

/// Waits.
#[tool(crate = tool_runtime)]
//~ tool_runtime ~ write `crate = ::tool_runtime`
fn wait() {}

fn main() {}
