use tool_runtime::tool;

/// Waits.
#[tool(throttle(same_errors = false, overall_rate(calls = 1, seconds = 1), same_error = false, same_error(limit = 4)))]
//~ same_errors ~ did you mean `same_error`?
//~ overall_rate ~ `overall_rate` applies to the whole session: set it with `Toolbox::builder().throttle(…)`
//~ same_error ~ `same_error` was already given: remove one of the two
fn wait() {}

/// Waits, too.
#[tool(throttle)]
//~ throttle ~ `throttle` takes a list: write `throttle(…)`
fn linger() {}

/// Waits longer.
#[tool(throttle())]
//~ throttle ~ `throttle()` is empty: name a rule, such as `throttle(same_error = false)`
fn stay() {}

fn main() {}
