use tool_runtime::tool;

fn pages(book: &Vec<String>) -> usize {
    book.len()
}

/// Turns to a page.
#[tool(description_from = pages)]
//~ pages ~ mismatched types
fn turn(
    /// Which one.
    #[tool(description_from = pages)]
    //~ pages ~ mismatched types
    page: u32,
) {
    let _ = page;
}

fn main() {}
