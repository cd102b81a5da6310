use tool_runtime::tool;

/// Waits.
#[tool(undocumented)]
//~ undocumented ~ `undocumented` has no effect if everything is documented: remove it
fn wait() {}

fn main() {}
