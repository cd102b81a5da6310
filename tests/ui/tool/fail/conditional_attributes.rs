use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[cfg_attr(all(), tool(range(max = 9)))]
    //~ #[cfg_attr(all(), tool(range(max = 9)))] ~ `#[tool]` runs before `cfg_attr` is expanded: write the attributes without `cfg_attr`, or write two functions, each with a `#[cfg(…)]`
    #[cfg_attr(all(), allow(unused))]
    seconds: u8,
) {
}

fn main() {
    let _ = WaitTool;
}
