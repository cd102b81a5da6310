use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container(undocumented)]
//~ undocumented ~ `undocumented` has no effect together with a description: remove it
impl Math {
    /// Adds one.
    #[tool]
    fn one() -> u8 {
        1
    }
}

fn main() {}
