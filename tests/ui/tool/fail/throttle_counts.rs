use tool_runtime::tool;

/// Waits.
#[tool(throttle(
    same_error(limit = 4, warn = 4),
    //~ 4 ~ evaluation panicked: the tool is paused at 4, so this warning never appears: write a smaller number, or `warn = 0` for no warning
    identical_call(warn = 3),
    //~ 3 ~ evaluation panicked: the tool is paused at 3, so this warning never appears: write a smaller number, or `warn = 0` for no warning
    alternating_calls(first = 400),
    //~ 400 ~ evaluation panicked: the first pause (400 s) is longer than `cap` (300 s): write `cap = 400` beside it
    consecutive_failures(cap = 20),
    //~ 20 ~ evaluation panicked: the first pause (30 s) is longer than `cap` (20 s): write `cap = 30` or more
))]
fn wait() {}

fn main() {}
