use tool_runtime::{plugin_container, tool};

struct Book;

fn text(book: &String) -> String {
    book.clone()
}

/// A book.
#[plugin_container(instructions = "Read it.", instructions_from = text, system_prompt = "Be quiet.", system_prompt_from = text)]
//~ instructions_from ~ `instructions` and `instructions_from` both set the text: remove one of the two
//~ system_prompt_from ~ `system_prompt` and `system_prompt_from` both set the text: remove one of the two
impl Book {
    /// Closes it.
    #[tool]
    fn close(&self) {}
}

fn main() {}
