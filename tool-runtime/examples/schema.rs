//! The schema that `#[tool]` writes for a function, and the issues of a wrong call: `cargo run -p tool-runtime --example schema`.

use tool_runtime::{TypedTool, tool, tool_schema};

/// Books a table.
#[tool]
fn book(
    /// Name of the guest.
    name: String,
    /// Number of people.
    #[tool(range(min = 1, max = 8))]
    seats: u8,
) -> String {
    format!("A table for {seats}, {name}.")
}

fn main() {
    println!("{}", tool_schema::schema::schema_text(&BookTool::SPEC.input.shape()));
    if let Err(error) = BookTool::decode(r#"{"who": "Ada", "seats": 40}"#) {
        println!("{error}");
    }
    println!("{}", book("Ada".to_owned(), 4));
}
