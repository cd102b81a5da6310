use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    #[tool]
    fn one() -> u8 {
        //~ one ~ write `/// …` above it, `#[tool(description = "…")]`, or `#[tool(undocumented)]`
        1
    }
}

fn main() {}
