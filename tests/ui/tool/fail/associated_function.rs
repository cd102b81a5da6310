use tool_runtime::tool;

struct Math;

impl Math {
    /// Makes one.
    #[tool]
    fn make() -> Self {
        //~ Self ~ `#[tool]` alone adds items that an `impl` block cannot contain: write `#[plugin_container]` above the `impl` block, and keep `#[tool]` here
        Math
    }
}

fn main() {}
