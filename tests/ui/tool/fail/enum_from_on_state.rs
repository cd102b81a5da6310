use tool_runtime::tool;

fn pages(book: &Vec<String>) -> Vec<String> {
    book.clone()
}

/// Closes the book.
#[tool]
fn close(#[tool(state, enum_from = pages)] book: &String) {
//~ enum_from ~ remove `enum_from`
    let _ = book;
}

fn main() {}
