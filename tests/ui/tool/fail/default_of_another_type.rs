use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(default = "long")]
    //~ "long" ~ the value is not an integer: write one, such as `1`
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
