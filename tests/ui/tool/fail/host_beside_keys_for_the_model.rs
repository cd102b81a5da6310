use tool_runtime::tool;

fn is_open(book: &bool) -> bool {
    *book
}

/// Turns to a page.
#[tool(ignore_unknown)]
fn turn(
    /// Which one.
    #[tool(host, available_if = is_open, example = 3)]
    //~ available_if ~ the model never sees a value of the host
    //~ 3 ~ remove `example`
    //~ host ~ remove `ignore_unknown` or `host`
    page: Option<u32>,
    #[tool(state, host)]
    //~ host ~ remove `host`
    book: &bool,
) {
    let _ = (page, book);
}

fn main() {}
