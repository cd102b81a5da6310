use tool_runtime::plugin_container;

struct Math;

/// Arithmetic.
#[plugin_container]
struct Other;
//~ Other ~ write it above `impl Other { … }`

fn main() {}
