use tool_runtime::tool;

struct Math;

impl Math {
    /// Adds one.
    #[tool]
    fn add(
        &self,
        //~ &self ~ write `#[plugin_container]` above its `impl` block
        /// To what.
        a: u8,
    ) -> u8 {
        a + 1
    }
}

fn main() {}
