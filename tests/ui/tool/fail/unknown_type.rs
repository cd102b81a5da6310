use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    unit: Unit,
    //~ Unit ~ cannot find type `Unit` in this scope
) {
    let _ = unit;
}

fn main() {}
