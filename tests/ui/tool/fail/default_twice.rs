use tool_runtime::tool;

fn one() -> u8 {
    1
}

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(default = 1, default_fn = one)]
    //~ default_fn ~ remove `default` or `default_fn`
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
