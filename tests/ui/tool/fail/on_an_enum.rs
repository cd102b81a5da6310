use tool_runtime::tool;

#[tool]
enum Unit {
    //~ Unit ~ put `#[derive(serde::Deserialize, tool_runtime::ToolInput)]` on a type
    _One,
}

fn main() {}
