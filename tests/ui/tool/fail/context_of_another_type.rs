use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    #[tool(context)] cx: &String,
    //~ String ~ expected `&String`, found `&CallContext`
) {
    let _ = cx;
}

fn main() {}
