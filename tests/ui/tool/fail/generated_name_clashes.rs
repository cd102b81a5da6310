use tool_runtime::tool;

struct GoTool;

/// Goes.
#[tool]
//~ #[tool] ~ the name `GoTool` is defined multiple times
fn go() {}

fn main() {
    let _ = GoTool;
}
