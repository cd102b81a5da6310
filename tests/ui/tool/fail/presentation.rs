use tool_runtime::tool;

/// Current weather.
#[tool(title = "Weather", icons("sun.png"), meta = [1])]
fn weather() {}

/// Current time.
#[tool(title = "One", title = "Two", icons)]
fn time() {}

fn main() {}
