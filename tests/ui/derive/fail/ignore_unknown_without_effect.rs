use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(ignore_unknown)]
//~ ignore_unknown ~ `deny_unknown_fields` rejects the keys that `ignore_unknown` ignores: remove one of the two
struct Room {
    /// Beds.
    beds: u8,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
//~ ignore_unknown ~ `ignore_unknown` has no effect on a type without named fields: remove it
struct Beds(u8);

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
//~ ignore_unknown ~ `ignore_unknown` has no effect on a type without named fields: remove it
enum Size {
    Small,
    Large(u8),
}

fn main() {}
