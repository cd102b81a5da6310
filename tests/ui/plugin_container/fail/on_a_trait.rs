use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Clone for Math {
    //~ Clone ~ move its tools to `impl Math { … }`
    /// Copies.
    #[tool]
    fn clone(&self) -> Self {
        Math
    }
}

fn main() {}
