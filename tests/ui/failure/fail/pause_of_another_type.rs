use tool_runtime::ToolFailure;

#[derive(Debug, ToolFailure)]
enum SearchError {
    #[tool(rate_limited, retry_after = seconds)]
    //~ seconds ~ `u64` is not a duration: use `std::time::Duration`, or an `Option` of it
    TooMany { seconds: u64 },
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no")
    }
}

impl std::error::Error for SearchError {}

fn main() {}
