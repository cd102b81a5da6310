use tool_runtime::tool;

/// Reads a page.
#[tool(idempotent, retry)]
//~ retry ~ write `retry(…)`
async fn read() {}

/// Reads a page.
#[tool(idempotent, retry(first_ms = 100))]
//~ retry ~ `retry` needs the maximum number of attempts: write `retry(attempts = 3)`
async fn read_at_intervals() {}

/// Reads a page.
#[tool(idempotent, retry(attempt = 3, factor = 0))]
//~ attempt ~ did you mean `attempts`?
//~ 0 ~ such as `2`
async fn read_on_and_on() {}

fn main() {}
