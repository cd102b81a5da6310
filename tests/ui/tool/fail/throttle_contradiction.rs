use tool_runtime::tool;

/// Waits.
#[tool(unlimited, polling, throttle(same_error = false), volatile("time"))]
//~ throttle ~ `throttle` has no effect together with `unlimited`, which turns every rule off: remove one of the two
//~ polling ~ `polling` has no effect together with `unlimited`, which turns every rule off: remove one of the two
//~ volatile ~ `volatile` has no effect together with `unlimited`, which turns every rule off: remove one of the two
fn wait() {}

/// Waits, too.
#[tool(polling, throttle(identical_call(limit = 9), same_error = false), volatile("time"))]
//~ identical_call ~ `polling` turns `identical_call` off: remove one of the two
//~ volatile ~ `volatile` has no effect together with `polling`, which already allows the same call with the same result: remove one of the two
fn linger() {}

fn main() {}
