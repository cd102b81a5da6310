use tool_runtime::tool;

/// Waits.
#[tool(name = "wait a moment")]
//~ "wait a moment" ~ no provider accepts "wait a moment" as a name: a name begins with a letter or `_`, continues with letters, digits, `_` and `-`, and has at most 64 characters; write `name = "wait_a_moment"`
fn wait() {}

fn main() {}
