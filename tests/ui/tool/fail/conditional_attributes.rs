use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[cfg_attr(all(), tool(range(max = 9)))]
    //~ #[cfg_attr(all(), tool(range(max = 9)))] ~ what a model reads is decided before `cfg_attr` is
    #[cfg_attr(all(), allow(unused))]
    seconds: u8,
) {
}

fn main() {
    let _ = WaitTool;
}
