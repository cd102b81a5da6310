use tool_runtime::tool;

/// Waits.
#[tool(crate = tool_runtime)]
//~ tool_runtime ~ generated code needs an absolute path: write `crate = ::tool_runtime`
fn wait() {}

fn main() {}
