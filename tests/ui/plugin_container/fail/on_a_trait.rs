use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Clone for Math {
    //~ Clone ~ a container is not the implementation of a trait: move its tools to `impl Math { … }`
    /// Copies.
    #[tool]
    fn clone(&self) -> Self {
        Math
    }
}

fn main() {}
