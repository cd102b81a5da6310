use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn add(&self) {}
    //~ add ~ "add" is also the name of `plus`: rename one of the two with `#[tool(name = "…")]`

    /// Adds one.
    #[tool(name = "add")]
    //~ "add" ~ "add" is also the name of `add`: rename one of the two with `#[tool(name = "…")]`
    fn plus(&self) {}
}

fn main() {}
