//! The schema of a tool, and a good, a repaired and a rejected call: `cargo run -p tool-runtime --example book`.

use tool_runtime::{Toolbox, TypedTool, tool, tool_schema};

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

fn main() -> Result<(), tool_runtime::BuildError> {
    println!("{}", tool_schema::schema::schema_text(&BookTool::SPEC.input.shape()));
    let session = Toolbox::builder().tool(BookTool).build()?.session();
    for arguments in
        [r#"{"name": "Ada", "seats": 4}"#, r#"{"name": "Ada", "seats": "4",}"#, r#"{"who": "Ada", "seats": 40}"#]
    {
        let outcome = pollster::block_on(session.call("call_1", "book", arguments));
        println!("{arguments}\n{}", outcome.to_text());
        outcome.repairs().iter().for_each(|repair| println!("  {repair}"));
    }
    Ok(())
}
