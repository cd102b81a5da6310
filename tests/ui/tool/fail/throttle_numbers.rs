use tool_runtime::tool;

/// Waits.
#[tool(throttle(
    same_error(limit = "4", warn = -1, factor = 2.5, cap = 90_000),
    //~ "4" ~ write a whole number of at least 1
    //~ - ~ write a whole number of at least 0
    //~ 2.5 ~ write a whole number of at least 1
    //~ 90_000 ~ write a whole number from 1 to 86400
    identical_call(limit = 0, seconds = 3),
    //~ 0 ~ write a whole number of at least 1
    //~ seconds ~ unknown `seconds`: write one of `warn`, `limit`, `first`, `factor`, `cap`
    alternating_calls(),
    //~ alternating_calls ~ `alternating_calls()` is empty: write `alternating_calls(limit = 5)`
    same_tool_rate(calls = 2_000, window = 5),
    //~ 2_000 ~ write a whole number from 1 to 1024
    //~ window ~ unknown `window`: write one of `calls`, `seconds`
    consecutive_failures = true,
    //~ true ~ write `consecutive_failures = false` to turn the rule off, or `consecutive_failures(…)`
))]
fn wait() {}

fn main() {}
