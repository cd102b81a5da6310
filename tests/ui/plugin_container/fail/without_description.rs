use tool_runtime::{plugin_container, tool};

struct Math;

#[plugin_container]
impl Math {
    //~ Math ~ write `/// …` above the `impl` block, `#[plugin_container(description = "…")]`, or `#[plugin_container(undocumented)]`
    /// Adds one.
    #[tool]
    fn one() -> u8 {
        1
    }
}

fn main() {}
