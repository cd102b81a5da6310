use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    #[tool]
    fn one() -> u8 {
        //~ one ~ `one` has no description for the model
        1
    }
}

fn main() {}
