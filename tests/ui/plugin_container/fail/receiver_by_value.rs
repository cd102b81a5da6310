use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn add(self) {}
    //~ self ~ write `&self`
}

fn main() {}
