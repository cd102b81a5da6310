use tool_runtime::tool;

/// Sends a letter.
#[tool(retry(attempts = 3))]
//~ retry ~ only an idempotent tool can be retried: add `idempotent`, or remove `retry`
async fn send() {}

/// Sends another letter.
#[tool(idempotent = false, retry(attempts = 3))]
//~ retry ~ only an idempotent tool can be retried: add `idempotent`, or remove `retry`
async fn send_another() {}

fn main() {}
