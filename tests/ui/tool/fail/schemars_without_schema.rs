use serde::Deserialize;
use tool_runtime::tool;

#[derive(Deserialize)]
struct Address;

/// Sends a parcel.
#[tool]
fn send(
    /// Address of the parcel.
    #[tool(schemars)]
    address: Address,
    //~ Address ~ JsonSchema` is not implemented for `Address`
) {
    let _ = address;
}

fn main() {}
