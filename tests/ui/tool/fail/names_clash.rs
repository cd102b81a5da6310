use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    seconds: u8,
    /// How long, too.
    #[tool(rename = "seconds")]
    //~ "seconds" ~ "seconds" already names a parameter
    minutes: u8,
) {
    let _ = (seconds, minutes);
}

fn main() {}
