//! The smallest complete program: a tool and three calls. `cargo run --bin first` prints the answer to each call.

use tool_runtime::{Toolbox, tool};

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Toolbox::builder().tool(BookTool).build()?.session();

    for arguments in [
        r#"{"name": "Ada", "seats": 4}"#,
        r#"{"name": "Ada", "seats": "4",}"#, // a number in quotes, and a trailing comma
        r#"{"guest": "Ada", "seats": 40}"#,  // an unknown field, and too many people
    ] {
        let outcome = pollster::block_on(session.call("call_1", "book", arguments));
        println!("{}", outcome.to_text());
        for repair in outcome.repairs() {
            println!("  {repair}");
        }
        println!();
    }
    Ok(())
}
