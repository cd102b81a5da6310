use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    seconds: u8,
    /// How long, too.
    #[tool(rename = "seconds")]
    //~ "seconds" ~ "seconds" is already a key of another parameter: write another key here, with `rename` or `aliases` of `#[tool(…)]`
    minutes: u8,
) {
    let _ = (seconds, minutes);
}

fn main() {}
