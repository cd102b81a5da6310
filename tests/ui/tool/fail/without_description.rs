use tool_runtime::tool;

#[tool]
fn wait() {}
//~ wait ~ write `/// …` above it, `#[tool(description = "…")]`, or `#[tool(undocumented)]`

fn main() {}
