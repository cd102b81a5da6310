use tool_runtime::tool;

/// Ends the program.
#[tool]
fn stop() -> ! {
    //~ ! ~ write the type of the answer instead of `!`
    std::process::exit(0)
}

fn main() {
    let _ = StopTool;
}
