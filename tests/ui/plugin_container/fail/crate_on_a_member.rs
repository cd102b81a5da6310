use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool(crate = ::tool_runtime)]
    //~ crate ~ a container and its members use the same `crate`: write `#[plugin_container(crate = …)]`
    fn one() -> u8 {
        1
    }
}

fn main() {}
