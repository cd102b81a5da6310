use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(length(min = 1))]
    seconds: u8,
    //~ u8 ~ `length` does not apply to `u8`
) {
    let _ = seconds;
}

fn main() {}
