//! The smallest whole program: a tool and three calls. `cargo run --bin first` prints what came of them.

use tool_runtime::{Toolbox, tool};

/// Books a table.
#[tool]
fn book(
    /// Under whose name.
    name: String,
    /// How many people.
    #[tool(range(min = 1, max = 8))]
    seats: u8,
) -> String {
    format!("A table for {seats}, {name}.")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Toolbox::builder().tool(BookTool).build()?.session();
    let call = |arguments| pollster::block_on(session.call("call_1", "book", arguments));

    println!("{}", call(r#"{"name": "Ada", "seats": 4}"#).to_text());

    let repaired = call(r#"{"name": "Ada", "seats": "4",}"#);
    println!("{}", repaired.to_text());
    repaired.repairs().iter().for_each(|repair| println!("  {repair}"));

    if let Err(failure) = call(r#"{"who": "Ada", "seats": 40}"#).result() {
        println!("{}", failure.to_value()["retry_guidance"]);
    }
    Ok(())
}
