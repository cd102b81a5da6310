use tool_runtime::tool;

/// Books a table.
#[tool]
fn book(
    /// Number of people.
    #[serde(default, alias = "people")]
    //~ #[serde(default, alias = "people")] ~ write `#[tool(default_fn = Default::default, alias = "people")]`
    seats: u8,
    /// Name of the guest.
    #[serde(rename = "guest", default = "nobody")]
    //~ #[serde(rename = "guest", default = "nobody")] ~ write `#[tool(rename = "guest", default_fn = nobody)]`
    name: String,
    #[schemars(description = "Reference of the booking", regex(pattern = "^[A-Z]{3}$"))]
    //~ #[schemars(description = "Reference of the booking", regex(pattern = "^[A-Z]{3}$"))] ~ write `#[tool(description = "Reference of the booking", pattern = "^[A-Z]{3}$")]`
    reference: String,
    /// Address of the guest.
    #[validate(email, length(max = 80))]
    //~ #[validate(email, length(max = 80))] ~ write `#[tool(format = "email", length(max = 80))]`
    address: String,
) -> String {
    [name, address, reference, seats.to_string()].join(" ")
}

fn nobody() -> String {
    String::new()
}

fn main() {}
