use tool_runtime::plugin_container;

struct Math;

/// Does sums.
#[plugin_container]
impl Math {
    /// Adds.
    #[tool]
    //~ tool ~ use tool_runtime::tool;
    fn add(
        &self,
        /// One.
        a: i64,
    ) -> i64 {
        a
    }
}

fn main() {}
