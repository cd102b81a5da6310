use tool_runtime::tool;

use tool_runtime::{CallContext, Toolbox};

/// Waits.
#[tool(nme = "x")]
//~ nme ~ did you mean `name`?
fn wait() {}

fn main() {
    let toolbox = Toolbox::builder().tool(WaitTool).build();
    let arguments = WaitTool::decode("{}").unwrap();
    let _ = (toolbox, WaitTool::run(arguments, &CallContext::for_test()));
}
