use tool_runtime::tool;

struct Unit;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(default = "second")]
    unit: Option<Unit>,
    //~ Option<Unit> ~ add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `Unit`
) {
    let _ = unit;
}

fn main() {}
