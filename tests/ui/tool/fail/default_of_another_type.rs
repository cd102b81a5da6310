use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(default = "long")]
    //~ "long" ~ evaluation panicked
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
