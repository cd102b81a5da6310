use tool_runtime::ToolFailure;

#[derive(Debug, ToolFailure)]
enum SearchError {
    //~ SearchError ~ Error
    #[tool(unavailable)]
    Away,
}

fn main() {}
