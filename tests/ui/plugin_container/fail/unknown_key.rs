use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container(instruction = "Add.")]
//~ instruction ~ did you mean `instructions`?
impl Math {
    /// Adds one.
    #[tool]
    fn one() -> u8 {
        1
    }
}

fn main() {}
