use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[cfg(all())]
    //~ #[cfg(all())] ~ put `#[cfg(…)]` on the function
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
