use tool_runtime::tool;

#[tool]
struct Report {
    //~ Report ~ put `#[derive(serde::Deserialize, tool_runtime::ToolInput)]` on a type
    _text: String,
}

fn main() {}
