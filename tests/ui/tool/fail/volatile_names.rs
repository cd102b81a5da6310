use tool_runtime::tool;

/// Waits.
#[tool(volatile = "time")]
//~ volatile ~ `volatile` names members of the result: write `volatile("timestamp")`
fn wait() {}

/// Waits, too.
#[tool(volatile(time))]
//~ time ~ `volatile` names members of the result: write `volatile("timestamp")`
fn linger() {}

/// Waits longer.
#[tool(volatile("time", "time"), polling = true)]
//~ "time" ~ `time` was already given: remove one of the two
//~ polling ~ `polling` takes no value: write `polling` alone
fn stay() {}

fn main() {}
