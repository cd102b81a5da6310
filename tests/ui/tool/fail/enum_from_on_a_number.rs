use tool_runtime::tool;

fn pages(book: &Vec<String>) -> Vec<String> {
    book.clone()
}

/// Turns to a page.
#[tool]
fn turn(
    /// Which one.
    #[tool(enum_from = pages)]
    page: u32,
    //~ u32 ~ evaluation panicked: `enum_from` needs text: use a `String`, an `Option<String>` or a `Vec<String>`
) {
    let _ = page;
}

fn main() {}
