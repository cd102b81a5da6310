use tool_runtime::tool;

struct Unit;

/// Waits.
#[tool]
fn wait(
    /// How long.
    unit: Unit,
    //~ Unit ~ add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `Unit`
    /// Anything.
    #[tool(length(min = 1))]
    text: String,
) {
    let _ = (unit, text);
}

fn main() {}
