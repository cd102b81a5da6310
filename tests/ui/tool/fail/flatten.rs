use serde::Deserialize;
use tool_runtime::{CallContext, ToolInput, tool};

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Booking {
    /// Name of the guest.
    guest: String,
}

#[derive(Deserialize, ToolInput)]
enum Table {
    Window,
    Bar,
}

/// Books a table.
#[tool]
fn book(
    #[tool(flatten)] booking: Booking,
    //~ flatten ~ `Booking` is the whole input of the tool: make the other parameters its fields
    /// Number of people.
    seats: u8,
) -> String {
    format!("{}: {seats}", booking.guest)
}

/// Books a table.
#[tool]
fn book_secretly(#[tool(flatten, sensitive, host)] booking: Booking) -> String {
    //~ sensitive ~ the model sees the fields of `Booking` in place of this parameter: remove `sensitive`
    //~ host ~ remove `host`
    booking.guest
}

/// Books a table.
#[tool(ignore_unknown)]
fn book_openly(#[tool(flatten)] booking: Booking) -> String {
    //~ flatten ~ the flattened type decides about unknown keys
    booking.guest
}

/// Chooses a table.
#[tool]
fn choose(#[tool(flatten)] table: Table) {
    //~ Table ~ `flatten` takes a struct with named fields
    let _ = table;
}

/// Waits.
#[tool]
fn wait(#[tool(context, flatten)] cx: &CallContext) {
    //~ flatten ~ the model never sees state or context: remove `flatten`
    let _ = cx;
}

fn main() {}
