use tool_runtime::{plugin_container, tool};

struct Math;

#[plugin_container]
impl Math {
    //~ Math ~ `#[plugin_container(undocumented)]`
    /// Adds one.
    #[tool]
    fn one() -> u8 {
        1
    }
}

fn main() {}
