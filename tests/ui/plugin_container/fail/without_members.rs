use tool_runtime::plugin_container;

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {}
//~ Math ~ a container needs at least one tool: write `#[tool]` above each method that a model may call

fn main() {}
