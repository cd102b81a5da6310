use tool_runtime::tool;

/// Writes a file.
#[tool(sequential = true)]
//~ sequential ~ write `sequential` alone
fn write() {}

/// Writes a part.
#[tool]
fn write_part(
    /// Which one.
    #[tool(sequential)]
    //~ sequential ~ it belongs on a function
    part: u8,
) {
    let _ = part;
}

fn main() {}
