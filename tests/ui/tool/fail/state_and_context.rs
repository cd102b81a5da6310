use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(#[tool(state, context)] cx: &tool_runtime::CallContext) {
    //~ context ~ remove `state` or `context`
    let _ = cx;
}

fn main() {}
