use tool_runtime::tool;

struct Upload;

/// Stores a file.
#[tool]
fn store(
    #[tool(host)] upload: Upload,
    //~ Upload ~ ToolInput
) {
    let _ = upload;
}

fn main() {}
