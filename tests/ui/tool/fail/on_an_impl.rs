use tool_runtime::tool;

struct Math;

#[tool]
impl Math {}
//~ impl ~ put `#[plugin_container]` on the `impl` block

fn main() {}
