use tool_runtime::tool;

#[tool(undocumented)]
//~ tool ~ `tool` is ambiguous
//~ tool ~ derive helper attribute is used before it is introduced
#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[tool(ignore_unknown)]
struct Report {
    _text: String,
}

fn main() {}
