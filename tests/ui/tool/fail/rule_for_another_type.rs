use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(length(min = 1))]
    seconds: u8,
    //~ u8 ~ `length` applies to strings
) {
    let _ = seconds;
}

fn main() {}
