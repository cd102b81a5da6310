use tool_runtime::tool;

struct Math;

impl Math {
    /// Makes one.
    #[tool]
    fn make() -> Self {
        //~ Self ~ write `#[plugin_container]` above its `impl` block
        Math
    }
}

fn main() {}
