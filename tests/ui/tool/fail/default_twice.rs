use tool_runtime::tool;

fn one() -> u8 {
    1
}

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(default = 1, default_fn = one)]
    //~ default_fn ~ `default` and `default_fn` both set the default: remove one of the two
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
