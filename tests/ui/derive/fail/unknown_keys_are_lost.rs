use serde::Deserialize;
use tool_runtime::ToolInput;

/// Where a parcel goes.
#[derive(Deserialize, ToolInput)]
struct Address {
    //~ Address ~ a key that `Address` does not know would be lost without an error: write `#[serde(deny_unknown_fields)]` above it to reject such keys, or `#[tool(ignore_unknown)]` to ignore them
    /// Street and number.
    street: String,
    /// Who receives it.
    to: Vec<Person>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    //~ Person ~ a key that `Person` does not know would be lost without an error
    /// Full name.
    full_name: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Way {
    //~ Way ~ a key that `Way` does not know would be lost without an error
    Foot,
    Car {
        /// Seats.
        seats: u8,
    },
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", content = "value")]
pub(crate) enum Beside {
    //~ Beside ~ a key that `Beside` does not know would be lost without an error
    One(u8),
}

// These types lose nothing, or are exempt.
#[derive(Deserialize, ToolInput)]
struct Inner(Address);

#[derive(Deserialize, ToolInput)]
enum Either {
    One(u8),
    Two(Person),
}

#[derive(Deserialize, ToolInput)]
struct Rest {
    /// Name.
    name: String,
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, u8>,
}

fn main() {}
