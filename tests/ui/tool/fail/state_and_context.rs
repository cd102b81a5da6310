use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(#[tool(state, context)] cx: &tool_runtime::CallContext) {
    //~ context ~ a parameter cannot be both the state and the context: remove `state` or `context`
    let _ = cx;
}

fn main() {}
