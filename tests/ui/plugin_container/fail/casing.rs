use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container(rename_all = "camelcase")]
//~ "camelcase" ~ did you mean `camelCase`?
impl Math {
    /// Adds one.
    #[tool]
    fn one() -> u8 {
        1
    }
}

fn main() {}
