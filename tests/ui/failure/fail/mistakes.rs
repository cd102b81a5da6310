use tool_runtime::ToolFailure;

#[derive(Debug, ToolFailure)]
enum SearchError {
    #[tool(unavailible)]
    //~ unavailible ~ did you mean `unavailable`?
    Away,
    #[tool(timeout, rejected)]
    //~ rejected ~ the kind was already given as `timeout`
    Slow,
    #[tool(unavailable, field = "query")]
    //~ field ~ `field` has an effect only together with `rejected` or `retry`: add one of them
    Unclear,
    #[tool(retry, retry_after = pause)]
    //~ retry_after ~ `retry_after` has an effect only together with `unavailable`, `rate_limited` or `timeout`: add one of them
    Again { pause: std::time::Duration },
    #[tool(rate_limited, retry_after = wait)]
    //~ wait ~ there is no field `wait` here: write the name of the field that contains the pause
    TooMany { pause: std::time::Duration },
    #[tool(internal = true)]
    //~ internal ~ `internal` takes no value
    Broken,
    Other,
}

impl std::fmt::Display for SearchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no")
    }
}

impl std::error::Error for SearchError {}

fn main() {}
