use tool_runtime::tool;

fn pages(book: &Vec<String>) -> Vec<String> {
    book.clone()
}

/// Turns to a page.
#[tool]
fn turn(
    /// Which one.
    #[tool(schemars, enum_from = pages)]
    //~ enum_from ~ `schemars` provides the schema of this type, and `enum_from` cannot change it: remove `enum_from` or `schemars`
    page: String,
) {
    let _ = page;
}

fn main() {}
