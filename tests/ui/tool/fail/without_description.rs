use tool_runtime::tool;

#[tool]
fn wait() {}
//~ wait ~ `#[tool(undocumented)]`

fn main() {}
