//! The smallest whole program: a tool and three calls. `cargo run --bin first` prints how each call is answered.

use tool_runtime::toolbox::Form;
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
    let session = Toolbox::builder().tool(BookTool).feedback(Form::MarkedUp).build()?.session();

    for arguments in [
        r#"{"name": "Ada", "seats": 4}"#,
        r#"{"name": "Ada", "seats": "4",}"#, // a number in quotes, and a comma too many
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
