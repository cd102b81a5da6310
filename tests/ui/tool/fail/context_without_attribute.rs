use tool_runtime::{CallContext, tool};

/// Greets.
#[tool]
fn greet(
    cx: &CallContext,
    //~ &CallContext ~ write `#[tool(context)]` before the parameter
) -> String {
    cx.call_id().to_owned()
}

fn main() {}
