use std::time::Duration;

use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    pause: Duration,
    //~ Duration ~ types of `chrono`, `jiff`, `rust_decimal`, `url` and `uuid` need the feature `chrono04`, `jiff02`, `rust_decimal1`, `url2` or `uuid1`
) {
    let _ = pause;
}

fn main() {}
