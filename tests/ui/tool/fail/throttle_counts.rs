use tool_runtime::tool;

/// Waits.
#[tool(throttle(
    same_error(refuse = 4, warn = 4),
    //~ 4 ~ evaluation panicked: the pause comes after 4, so this warning never appears: write a smaller number, or `warn = 0`
    identical_call(warn = 3),
    //~ 3 ~ evaluation panicked: the pause comes after 3, so this warning never appears: write a smaller number, or `warn = 0`
    alternating_calls(first = 400),
    //~ 400 ~ the first pause of 400 s is longer than the longest of 300 s: write `cap = 400` beside it
    consecutive_failures(cap = 20),
    //~ 20 ~ the first pause of 30 s is longer than the longest of 20 s: write `cap = 30` or more
))]
fn wait() {}

fn main() {}
