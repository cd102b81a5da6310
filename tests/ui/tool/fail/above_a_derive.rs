use tool_runtime::tool;

#[tool(undocumented)]
//~ tool ~ `tool` is ambiguous
#[derive(serde::Deserialize, tool_runtime::ToolInput)]
struct Report {
    _text: String,
}

fn main() {}
