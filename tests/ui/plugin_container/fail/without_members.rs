use tool_runtime::plugin_container;

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {}
//~ Math ~ write `#[tool]` above each method

fn main() {}
