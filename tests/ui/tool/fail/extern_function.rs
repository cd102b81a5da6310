use tool_runtime::tool;

/// Calls.
#[tool]
extern "C" fn call() {}
//~ extern "C" ~ a tool uses the calling convention of Rust: remove `extern`

fn main() {}
