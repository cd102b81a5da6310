use tool_runtime::{plugin_container, tool};

struct Book;

fn text(book: &String) -> String {
    book.clone()
}

/// A book.
#[plugin_container(instructions = "Read it.", instructions_from = text, system_prompt = "Be quiet.", system_prompt_from = text)]
//~ instructions_from ~ remove `instructions` or `instructions_from`
//~ system_prompt_from ~ remove `system_prompt` or `system_prompt_from`
impl Book {
    /// Closes it.
    #[tool]
    fn close(&self) {}
}

fn main() {}
