use tool_runtime::tool;

fn is_open(book: &bool) -> bool {
    *book
}

/// Turns to a page.
#[tool]
fn turn(
    /// Which one.
    #[tool(available_if = is_open)]
    page: u32,
    //~ u32 ~ make it an `Option`, or add `default = …`
    /// How fast.
    #[tool(available_if = is_open, default = 1)]
    speed: u32,
    /// To the left.
    #[tool(available_if = is_open)]
    backwards: Option<bool>,
) {
    let _ = (page, speed, backwards);
}

fn main() {}
