use tool_runtime::tool;

struct Unit;

/// Waits.
#[tool]
fn wait(
    /// How long.
    unit: Unit,
    //~ Unit ~ `Unit` does not describe itself to a model
    /// Anything.
    #[tool(length(min = 1))]
    text: String,
) {
    let _ = (unit, text);
}

fn main() {}
