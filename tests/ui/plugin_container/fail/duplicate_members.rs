use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn add(&self) {}
    //~ add ~ "add" is the name of `plus` too

    /// Adds one.
    #[tool(name = "add")]
    //~ "add" ~ "add" is the name of `add` too
    fn plus(&self) {}
}

fn main() {}
