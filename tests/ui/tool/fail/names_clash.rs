use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    seconds: u8,
    /// How long, too.
    #[tool(rename = "seconds")]
    //~ "seconds" ~ give this one another key, with `#[tool(rename = "…")]`
    minutes: u8,
) {
    let _ = (seconds, minutes);
}

fn main() {}
