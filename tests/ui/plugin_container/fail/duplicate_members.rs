use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn add(&self) {}
    //~ add ~ "add" is the name of `plus` too: give one of the two another, with `#[tool(name = "…")]`

    /// Adds one.
    #[tool(name = "add")]
    //~ "add" ~ "add" is the name of `add` too: give one of the two another, with `#[tool(name = "…")]`
    fn plus(&self) {}
}

fn main() {}
