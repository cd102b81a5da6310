use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn add(&self) {}
    //~ add ~ two tools are named "add": rename this one or `plus` with `#[tool(name = "…")]`

    /// Adds one.
    #[tool(name = "add")]
    //~ "add" ~ two tools are named "add": rename this one or `add` with `#[tool(name = "…")]`
    fn plus(&self) {}
}

fn main() {}
