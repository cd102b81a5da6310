use tool_runtime::tool;

struct Math;

impl Math {
    /// Makes one.
    #[tool]
    fn make() -> Self {
        //~ Self ~ an associated function can be a tool only in a container: write `#[plugin_container]` above its `impl` block, because the items that `#[tool]` adds cannot stand inside it
        Math
    }
}

fn main() {}
