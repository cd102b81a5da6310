use tool_runtime::tool;

/// Waits.
#[tool(readonly)]
//~ readonly ~ did you mean `read_only`?
fn wait() {}

fn main() {}
