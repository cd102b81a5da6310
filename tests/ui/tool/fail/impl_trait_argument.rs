use std::fmt::Display;

use tool_runtime::tool;

/// Shows.
#[tool]
fn show(
    /// What.
    value: impl ToString,
    //~ impl ToString ~ write a concrete type instead of `impl ToString`
    /// More values.
    other: Vec<Box<dyn Display>>,
    //~ dyn Display ~ write a concrete type instead of `dyn Display`
) -> String {
    let other: Vec<String> = other.iter().map(ToString::to_string).collect();
    value.to_string() + &other.concat()
}

fn main() {}
