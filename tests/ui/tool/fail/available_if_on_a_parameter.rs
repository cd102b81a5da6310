use tool_runtime::tool;

fn is_open(book: &bool) -> bool {
    *book
}

/// Turns to a page.
#[tool]
fn turn(
    /// Which one.
    #[tool(available_if = is_open)]
    //~ available_if ~ it belongs on a function
    page: u32,
) {
    let _ = page;
}

fn main() {}
