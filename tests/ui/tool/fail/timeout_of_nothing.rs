use tool_runtime::tool;

/// Waits.
#[tool(timeout_ms = 0)]
//~ 0 ~ write a number of milliseconds above 0, such as `5_000`
async fn wait() {}

/// Waits for a text.
#[tool(timeout_ms = "5 s")]
//~ "5 s" ~ write a number of milliseconds above 0, such as `5_000`
async fn wait_for_a_text() {}

fn main() {}
