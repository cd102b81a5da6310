use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(seconds: u8) {
    //~ seconds ~ write `/// …` above it, or `#[tool(undocumented)]`
    let _ = seconds;
}

fn main() {}
