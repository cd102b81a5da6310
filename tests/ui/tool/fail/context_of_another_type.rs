use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    #[tool(context)] cx: &String,
    //~ String ~ mismatched types
) {
    let _ = cx;
}

fn main() {}
