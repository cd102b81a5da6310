use tool_runtime::tool;

/// Waits.
#[tool(throttle(same_tool_rate(calls = 2)))]
//~ same_tool_rate ~ a rate needs both `calls` and `seconds`: write `same_tool_rate(calls = 30, seconds = 10)`
fn wait() {}

fn main() {}
