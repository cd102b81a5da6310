use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(
    /// How long.
    #[tool(defualt = 1)]
    //~ defualt ~ did you mean `default`?
    seconds: u8,
) {
    let _ = seconds;
}

fn main() {}
