use tool_runtime::tool;

struct Unit;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(default = "second")]
    unit: Option<Unit>,
    //~ Option<Unit> ~ `Unit` does not describe itself to a model
) {
    let _ = unit;
}

fn main() {}
