use tool_runtime::tool;

/// Calls.
#[tool]
extern "C" fn call() {}
//~ extern "C" ~ remove `extern`

fn main() {}
