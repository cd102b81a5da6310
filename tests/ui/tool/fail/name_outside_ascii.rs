use tool_runtime::tool;

/// Waits.
#[tool]
fn wärten() {}
//~ wärten ~ no provider accepts "wärten" as a name: a name begins with a letter or `_`, continues with letters, digits, `_` and `-`, and has at most 64 characters; write another with `name = "…"`

fn main() {}
