use tool_runtime::tool;

fn pages(book: &Vec<String>) -> usize {
    book.len()
}

/// Turns to a page.
#[tool]
fn turn(
    /// Which one.
    #[tool(enum_from = pages)]
    //~ pages ~ `usize` is not an iterator
    page: String,
) {
    let _ = page;
}

fn main() {}
