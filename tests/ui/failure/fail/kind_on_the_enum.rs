use tool_runtime::ToolFailure;

#[derive(Debug, ToolFailure)]
#[tool(unavailable)]
//~ unavailable ~ `unavailable` has no meaning on an enum: it belongs on its variants
enum SearchError {
    Away,
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no")
    }
}

impl std::error::Error for SearchError {}

fn main() {}
