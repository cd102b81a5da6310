use tool_runtime::tool;

struct Math;

impl Math {
    /// Adds one.
    #[tool]
    fn add(
        &self,
        //~ &self ~ a method can be a tool only in a container: write `#[plugin_container]` above its `impl` block, and keep `#[tool]` here
        /// To what.
        a: u8,
    ) -> u8 {
        a + 1
    }
}

fn main() {}
