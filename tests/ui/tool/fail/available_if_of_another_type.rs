use tool_runtime::tool;

fn pages(book: &Vec<String>) -> usize {
    book.len()
}

/// Closes the book.
#[tool(available_if = pages)]
//~ pages ~ mismatched types
fn close() {}

fn main() {}
