use tool_runtime::tool;

fn is_open() -> bool {
    true
}

/// Closes the book.
#[tool(available_if = is_open)]
//~ is_open ~ incorrect number of function parameters
//~ is_open ~ incorrect number of function parameters
fn close() {}

fn main() {}
