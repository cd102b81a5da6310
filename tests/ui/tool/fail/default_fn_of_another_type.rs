use tool_runtime::tool;

fn one() -> &'static str {
    "1"
}

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(default_fn = one)]
    //~ one ~ expected `u8`, found `&str`
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
