use tool_runtime::tool;

fn is_open(book: &bool) -> bool {
    *book
}

/// Turns to a page.
#[tool(ignore_unknown)]
fn turn(
    /// Which one.
    #[tool(available_if = is_open)]
    //~ available_if ~ remove `ignore_unknown` or `available_if`
    page: Option<u32>,
    /// How fast.
    #[tool(schemars, available_if = is_open)]
    //~ available_if ~ remove `ignore_unknown` or `available_if`
    speed: Speed,
    #[tool(state, available_if = is_open, description_from = is_open)]
    //~ available_if ~ remove `available_if`
    //~ description_from ~ remove `description_from`
    book: &bool,
) {
    let _ = (page, speed, book);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Speed(u32);

fn main() {}
