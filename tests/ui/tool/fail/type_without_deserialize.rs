use tool_runtime::{ToolInput, tool};

#[derive(ToolInput)]
#[tool(ignore_unknown)]
struct Seat {
    //~ Seat ~ `#[derive(serde::Deserialize)]` to your `Seat` type
    /// Number of the seat.
    number: u8,
}

/// Books a seat.
#[tool]
fn book(
    /// The seat.
    seat: Seat,
    //~ Seat ~ `#[derive(serde::Deserialize)]` to your `Seat` type
) {
    let _ = seat.number;
}

fn main() {}
