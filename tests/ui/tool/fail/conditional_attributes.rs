use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[cfg_attr(all(), tool(range(max = 9)))]
    //~ #[cfg_attr(all(), tool(range(max = 9)))] ~ `cfg_attr` is resolved after this macro runs
    #[cfg_attr(all(), allow(unused))]
    seconds: u8,
) {
}

fn main() {
    let _ = WaitTool;
}
