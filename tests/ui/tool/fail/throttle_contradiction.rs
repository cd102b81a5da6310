use tool_runtime::tool;

/// Waits.
#[tool(unlimited, polling, throttle(same_error = false), volatile("time"))]
//~ throttle ~ `throttle` has no effect beside `unlimited`, which turns every rule off: remove one of the two
//~ polling ~ `polling` has no effect beside `unlimited`
//~ volatile ~ `volatile` has no effect beside `unlimited`
fn wait() {}

/// Waits, too.
#[tool(polling, throttle(identical_call(refuse = 9), same_error = false), volatile("time"))]
//~ identical_call ~ `polling` turns `identical_call` off: remove one of the two
//~ volatile ~ `volatile` has no effect beside `polling`, by which the same call with the same result is right
fn linger() {}

fn main() {}
