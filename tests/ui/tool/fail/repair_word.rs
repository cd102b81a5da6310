use tool_runtime::tool;

/// Waits.
#[tool(repair = "loseless")]
//~ "loseless" ~ did you mean `lossless`?
fn wait(
    /// How long.
    #[tool(repair = "never")]
    //~ "never" ~ write one of `strict`, `lossless`, `words`, `assisted`
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
